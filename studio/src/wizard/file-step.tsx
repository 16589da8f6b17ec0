import { useId, useState } from "preact/hooks";
import type { OpenedTable } from "../../../core/integrations/platforms/views.js";
import type {
  FieldInfo,
  CellContent,
} from "../../../core/plugin-api/platform-plugin.js";
import { askPublic } from "../api.js";
import { useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { toggleItem, LabeledChoices } from "../ui/form.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Notice } from "../ui/notice.js";
import {
  StepContent,
  getFileIcon,
  StepActions,
  StoredLinkNotice,
  TableSketch,
} from "./components.js";
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
  template: { name: string } & FormatSource;
}

async function open(choice: Choice): Promise<Opened> {
  const [table, template] = await Promise.all([
    loadTable(choice),
    askPublic<Opened["template"]>(`templates/${choice.template}`),
  ]);
  return { table, template };
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
        opened={opened}
        field={settings.field}
        onChoose={(fieldId) => change({ field: fieldId })}
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
  const { table, template } = opened;
  const { field, formats, mode } = settings;
  return (
    <section class="card padded stack" aria-label={t("common.file")}>
      <FormatChoice
        template={template}
        formats={formats === NONE ? [] : formats.split(",")}
        onChange={(all) => onChange({ formats: all.join(",") || NONE })}
      />
      {field !== NOWHERE && (
        <ModeChoice
          modes={table.modes}
          mode={mode}
          onChoose={(chosen) => onChange({ mode: chosen })}
        />
      )}
    </section>
  );
}

type FileSettings = Pick<Choice, "field" | "formats" | "mode">;

function getSettings(
  choice: Choice,
  { table, template }: Opened,
): FileSettings {
  const ids = [...table.fileFieldIds, NOWHERE];
  const usual = template.templateType === "email" ? "html" : "pdf";
  return {
    field: ids.includes(choice.field) ? choice.field : findLikelyField(table),
    formats: choice.formats || usual,
    mode: choice.mode || (table.modes[0] ?? "append"),
  };
}

/** What fields for documents are called, the clearest names first. */
const documentNames = [/pdf/i, /document/i, /files?\b/i, /attachment/i];
const pictureNames = /photo|picture|image|logo|avatar|scan/i;

/** The id of the field that is most likely meant for documents; empty without any. */
function findLikelyField(table: OpenedTable): string {
  const fields = listFileFields(table);
  const likely =
    documentNames
      .map((name) => fields.find((field) => name.test(field.name)))
      .find((field) => field !== undefined) ??
    fields.find(({ name }) => !pictureNames.test(name)) ??
    fields[0];
  return likely?.id ?? "";
}

export function listFileFields({
  fields,
  fileFieldIds,
}: OpenedTable): FieldInfo[] {
  return fields.filter(({ id }) => fileFieldIds.includes(id));
}

function findProblem({ field, formats }: FileSettings): string | null {
  if (field === "") return t("wizard.chooseFieldThatTakesFile");
  return formats === NONE ? t("wizard.chooseAtLeastOneKind") : null;
}

interface FileFieldChoiceProps {
  opened: Opened;
  field: string;
  onChoose: (field: string) => void;
  onReload: () => Promise<void>;
}

function FileFieldChoice(props: FileFieldChoiceProps) {
  const { opened, field, onChoose, onReload } = props;
  const { table, template } = opened;
  const name = useId();
  const fields = listFileFields(table);
  const entry = (
    value: string,
    icon: IconName,
    words: string,
    hint: string,
  ) => (
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
      <Icon name={icon} />
    </label>
  );
  return (
    <>
      {fields.length === 0 && <NoField table={table} onReload={onReload} />}
      <fieldset class="card radio-lines">
        <legend class="hidden-text">{t("wizard.whereFileGoes")}</legend>
        {fields.map((option) =>
          entry(
            option.id,
            getFileIcon(option),
            option.name,
            describeField(option),
          ),
        )}
        {entry(
          NOWHERE,
          "download",
          t("wizard.dontSaveToTable"),
          t("wizard.dontSaveHelp"),
        )}
      </fieldset>
      <StoredLinkNotice table={table} fieldId={field} />
      {field !== "" && (
        <TableSketch table={table} fieldId={field} button={template.name} />
      )}
    </>
  );
}

const storedTexts: Record<CellContent, (native: string) => string> = {
  file: (native) => t("wizard.storesFile", { native }),
  link: (native) => t("wizard.storesLink", { native }),
  "expiring-link": (native) => t("wizard.storesExpiringLink", { native }),
};

/** The names that people see, where the platform's API has others. */
const nativeNames: Record<string, string> = {
  multipleAttachments: t("wizard.attachment"),
};

/** The field's type as the platform names it, and what it stores. */
function describeField({ native, stores = "file" }: FieldInfo): string {
  return storedTexts[stores](nativeNames[native] ?? native);
}

const howToAdd: Record<string, string> = {
  airtable: t("wizard.airtableAddFileField"),
  nocodb: t("wizard.nocodbAddFileField"),
  directus: t("wizard.directusAddFileField"),
  "google-sheets": t("wizard.sheetsAddFileColumn"),
  sql: t("wizard.sqlAddFileColumn"),
};

interface NoFieldProps {
  table: OpenedTable;
  onReload: () => Promise<void>;
}

function NoField({ table, onReload }: NoFieldProps) {
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

const xml = ["xml", t("einvoice.title")] as const;

/** What the formats of a template depend on. */
export interface FormatSource {
  templateType: "document" | "email";
  definition: { einvoice?: unknown };
}

interface FormatChoiceProps {
  template: FormatSource;
  formats: readonly string[];
  onChange: (formats: string[]) => void;
}

export function FormatChoice(props: FormatChoiceProps) {
  const { template, formats, onChange } = props;
  const all = [
    ...(template.templateType === "email" ? ofEmails : ofDocuments),
    ...(template.definition.einvoice === undefined ? [] : [xml]),
  ];
  return (
    <fieldset class="checks">
      <legend class="label">{t("wizard.kindOfFile")}</legend>
      {all.map(([format, words]) => (
        <label class="check" key={format}>
          <input
            type="checkbox"
            checked={formats.includes(format)}
            onChange={() => onChange(toggleItem(formats, format))}
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
export function ModeChoice({ modes, mode, onChoose }: ModeChoiceProps) {
  if (modes.length < 2) return null;
  return (
    <LabeledChoices
      label={t("wizard.filesThatAreThereAlready")}
      options={modes.map(
        (option) => [option, modeWords[option] ?? option] as const,
      )}
      value={mode}
      onChoose={onChoose}
    />
  );
}
