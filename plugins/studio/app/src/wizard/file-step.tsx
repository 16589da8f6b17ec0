import { useId, useState } from "preact/hooks";
import type { OpenedTable } from "../../../../../core/plugin-api/app-plugin.js";
import { askPublic } from "../api.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { Choices, toggleItem } from "../ui/form.js";
import { Notice } from "../ui/notice.js";
import { StepContent, StepActions } from "./components.js";
import {
  type Choice,
  keep,
  NONE,
  NOWHERE,
  proceed,
  loadTable,
} from "./steps.js";
import { t } from "../messages/index.js";

interface Opened {
  table: OpenedTable;
  templateType: "document" | "email";
}

async function open(choice: Choice): Promise<Opened> {
  const at = `templates/${choice.template}?typeOnly=true`;
  const [table, { templateType }] = await Promise.all([
    loadTable(choice),
    askPublic<Opened>(at),
  ]);
  return { table, templateType };
}

export function FileStep({ choice }: { choice: Choice }) {
  const key = `${choice.table} ${choice.template}`;
  const opened = useResource(key, () => open(choice));
  return (
    <div class="stack wide-gap">
      <StepContent
        resource={opened}
        what={t("fields.couldntLoadTable")}
        fixStep="table"
        choice={choice}
      >
        {(data) => (
          <FileForm opened={data} choice={choice} onReload={opened.reload} />
        )}
      </StepContent>
      {!opened.data && <StepActions step="file" choice={choice} />}
    </div>
  );
}

interface FileFormProps {
  opened: Opened;
  choice: Choice;
  onReload: () => Promise<void>;
}

function FileForm({ opened, choice, onReload }: FileFormProps) {
  const settings = getSettings(choice, opened);
  const [isTold, setTold] = useState(false);
  const fault = findProblem(settings);
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
      <StepActions step="file" choice={choice}>
        <Button kind="primary" onPress={go}>
          {" "}
          {t("wizard.continue")}{" "}
        </Button>
      </StepActions>
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
    <section class="card padded stack" aria-label={t("wizard.fileLabel")}>
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

function getSettings(
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

function findProblem({ field, formats }: FileSettings): string | null {
  if (field === "") return t("wizard.chooseFieldThatTakesFile");
  return formats === NONE ? t("wizard.chooseAtLeastOneKind") : null;
}

interface FileFieldChoiceProps {
  table: OpenedTable;
  field: string;
  onChoose: (field: string) => void;
  onReload: () => Promise<void>;
}

function FileFieldChoice(props: FileFieldChoiceProps) {
  const { table, field, onChoose, onReload } = props;
  const name = useId();
  const fields = table.fields.filter(({ id }) =>
    table.fileFieldIds.includes(id),
  );
  const entry = (value: string, words: string, hint: string) => (
    <label class="radio-line" key={value}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={field === value}
        onChange={() => onChoose(value)}
      />
      <span class="words">
        <span class="strong">{words}</span>
        <span class="muted small">{hint}</span>
      </span>
    </label>
  );
  return (
    <>
      {fields.length === 0 && <NoField table={table} onReload={onReload} />}
      <fieldset class="card radio-lines">
        <legend class="hidden-text">{t("wizard.whereFileGoes")}</legend>
        {fields.map(({ id, name: words }) =>
          entry(id, words, t("wizard.inTableName", { name: table.name })),
        )}
        {entry(NOWHERE, t("wizard.dontSaveToTable"), t("wizard.dontSaveHelp"))}
      </fieldset>
    </>
  );
}

const howToAdd: Record<string, string> = {
  airtable: t("wizard.airtableAddFileField"),
  nocodb: t("wizard.nocodbAddFileField"),
  "google-sheets": t("wizard.sheetsAddFileColumn"),
  sql: t("wizard.sqlAddFileColumn"),
};

function NoField({
  table,
  onReload,
}: Pick<FileFieldChoiceProps, "table" | "onReload">) {
  return (
    <Notice tone="warn" title={t("wizard.noFileField", { name: table.name })}>
      <p>{howToAdd[table.platform.id] ?? t("wizard.addFileField")}</p>
      <Button onPress={onReload}>{t("wizard.checkAgain")}</Button>
    </Notice>
  );
}

const ofDocuments = [
  ["pdf", "PDF"],
  ["image", t("wizard.imageOfFirstPage")],
  ["html", t("wizard.webPageHtml")],
] as const;
const ofEmails = [
  ["html", t("wizard.webPageHtml")],
  ["mjml", "MJML"],
  ["pdf", "PDF"],
  ["image", t("common.image")],
] as const;

interface FormatChoiceProps {
  templateType: "document" | "email";
  formats: readonly string[];
  onChange: (formats: string[]) => void;
}

function FormatChoice(props: FormatChoiceProps) {
  const { templateType, formats, onChange } = props;
  const all = templateType === "email" ? ofEmails : ofDocuments;
  return (
    <fieldset class="checks">
      <legend class="label">{t("wizard.kindOfFile")}</legend>
      {all.map(([one, words]) => (
        <label class="check" key={one}>
          <input
            type="checkbox"
            checked={formats.includes(one)}
            onChange={() => onChange(toggleItem(formats, one))}
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

const modeWords: Record<string, string> = {
  append: t("wizard.keepThem"),
  replace: t("wizard.replaceThem"),
};

interface ModeChoiceProps {
  modes: readonly string[];
  mode: string;
  onChoose: (mode: string) => void;
}

/** What happens to files that are already in the field. */
function ModeChoice({ modes, mode, onChoose }: ModeChoiceProps) {
  if (modes.length < 2) return null;
  return (
    <div class="field">
      <span class="label">{t("wizard.filesThatAreThereAlready")}</span>
      <Choices
        legend={t("wizard.filesThatAreThereAlready")}
        options={modes.map((one) => [one, modeWords[one] ?? one] as const)}
        value={mode}
        onChoose={onChoose}
      />
    </div>
  );
}
