import { useState } from "preact/hooks";
import type { OpenedTable } from "../../../../../../core/contract/app-wizard.js";
import { askPublic } from "../../api.js";
import { useResource } from "../../resource.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Notice } from "../../ui/notice.js";
import { type Choice, NOWHERE, proceed } from "../choice.js";
import { FileFieldChoice } from "../file-field-choice.js";
import { FormatChoice, ModeChoice } from "../file-form.js";
import { readTable } from "../place-query.js";
import { Refused } from "../refused.js";
import { StepEnd } from "../step-end.js";

interface Opened {
  table: OpenedTable;
  templateType: "document" | "email";
}

async function open(choice: Choice): Promise<Opened> {
  const at = `templates/${choice.template}?typeOnly=true`;
  const [table, { templateType }] = await Promise.all([
    readTable(choice),
    askPublic<Opened>(at),
  ]);
  return { table, templateType };
}

/** The field that takes the file, its formats, and what becomes of files that are there. */
export function FileStep({ choice }: { choice: Choice }) {
  const key = `${choice.table} ${choice.template}`;
  const { data, fault, reload } = useResource(key, () => open(choice));
  if (data) return <FileForm opened={data} choice={choice} onReload={reload} />;
  return fault === null ? (
    <Bones count={3} />
  ) : (
    <div class="stack">
      <Refused
        what="The table could not be read"
        why={fault}
        mend="table"
        choice={choice}
        onRetry={reload}
      />
      <StepEnd step="file" choice={choice} />
    </div>
  );
}

interface FileFormProps {
  opened: Opened;
  choice: Choice;
  onReload: () => Promise<void>;
}

function FileForm({ opened, choice, onReload }: FileFormProps) {
  const { table, templateType } = opened;
  const [first] = table.fileFieldIds;
  const [field, setField] = useState(choice.field || (first ?? ""));
  const [formats, setFormats] = useState(() => formatsIn(choice, templateType));
  const [mode, setMode] = useState(choice.mode || (table.modes[0] ?? "append"));
  const [isTold, setTold] = useState(false);
  const fault = faultOf(field, formats);
  const go = () => {
    setTold(true);
    if (fault === null)
      proceed("button", { field, formats: formats.join(","), mode });
  };
  return (
    <div class="stack wide-gap">
      <FileFieldChoice
        table={table}
        field={field}
        onChoose={setField}
        onReload={onReload}
      />
      <section class="card padded stack" aria-label="The file">
        <FormatChoice
          templateType={templateType}
          formats={formats}
          onChange={setFormats}
        />
        {field !== NOWHERE && (
          <ModeChoice modes={table.modes} mode={mode} onChoose={setMode} />
        )}
      </section>
      {isTold && fault !== null && <Notice tone="bad" title={fault} />}
      <StepEnd step="file" choice={choice}>
        <Button kind="primary" onPress={go}>
          Go on
        </Button>
      </StepEnd>
    </div>
  );
}

function formatsIn(
  { formats }: Choice,
  templateType: Opened["templateType"],
): string[] {
  if (formats !== "") return formats.split(",");
  return templateType === "email" ? ["html"] : ["pdf"];
}

function faultOf(field: string, formats: readonly string[]): string | null {
  if (field === "") return "Choose the field that takes the file.";
  return formats.length === 0 ? "Choose at least one kind of file." : null;
}
