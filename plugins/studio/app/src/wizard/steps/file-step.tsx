import { useState } from "preact/hooks";
import type { OpenedTable } from "../../../../../../core/plugin-api/app-wizard.js";
import { askPublic } from "../../api.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Notice } from "../../ui/notice.js";
import { type Choice, keep, NONE, NOWHERE, proceed } from "../choice.js";
import { FileFieldChoice } from "../file-field-choice.js";
import { FormatChoice, ModeChoice } from "../file-form.js";
import { Loaded } from "../loaded.js";
import { readTable } from "../place-query.js";
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
  const opened = useResource(key, () => open(choice));
  return (
    <div class="stack wide-gap">
      <Loaded
        resource={opened}
        what="The table could not be read"
        mend="table"
        choice={choice}
      >
        {(data) => (
          <FileForm opened={data} choice={choice} onReload={opened.reload} />
        )}
      </Loaded>
      {!opened.data && <StepEnd step="file" choice={choice} />}
    </div>
  );
}

interface FileFormProps {
  opened: Opened;
  choice: Choice;
  onReload: () => Promise<void>;
}

function FileForm({ opened, choice, onReload }: FileFormProps) {
  const settings = settingsOf(choice, opened);
  const [isTold, setTold] = useState(false);
  const fault = faultOf(settings);
  const change = (changes: Partial<FileSettings>) =>
    keep("file", { ...settings, ...changes });
  const go = () => {
    setTold(true);
    if (fault === null) proceed("button", { ...settings });
  };
  return (
    <>
      <FileFieldChoice
        table={opened.table}
        field={settings.field}
        onChoose={(one) => change({ field: one })}
        onReload={onReload}
      />
      <HowToWrite opened={opened} settings={settings} onChange={change} />
      {isTold && fault !== null && <Notice tone="bad" title={fault} />}
      <StepEnd step="file" choice={choice}>
        <Button kind="primary" onPress={go}>
          Go on
        </Button>
      </StepEnd>
    </>
  );
}

interface HowToWriteProps {
  opened: Opened;
  settings: FileSettings;
  onChange: (changes: Partial<FileSettings>) => void;
}

function HowToWrite({ opened, settings, onChange }: HowToWriteProps) {
  const { table, templateType } = opened;
  const { field, formats, mode } = settings;
  return (
    <section class="card padded stack" aria-label="The file">
      <FormatChoice
        templateType={templateType}
        formats={formats === NONE ? [] : formats.split(",")}
        onChange={(all) => onChange({ formats: all.join(",") || NONE })}
      />
      {field !== NOWHERE && (
        <ModeChoice
          modes={table.modes}
          mode={mode}
          onChoose={(one) => onChange({ mode: one })}
        />
      )}
    </section>
  );
}

type FileSettings = Pick<Choice, "field" | "formats" | "mode">;

function settingsOf(
  choice: Choice,
  { table, templateType }: Opened,
): FileSettings {
  const ids = [...table.fileFieldIds, NOWHERE];
  const usual = templateType === "email" ? "html" : "pdf";
  return {
    field: ids.includes(choice.field)
      ? choice.field
      : (table.fileFieldIds[0] ?? ""),
    formats: choice.formats || usual,
    mode: choice.mode || (table.modes[0] ?? "append"),
  };
}

function faultOf({ field, formats }: FileSettings): string | null {
  if (field === "") return "Choose the field that takes the file.";
  return formats === NONE ? "Choose at least one kind of file." : null;
}
