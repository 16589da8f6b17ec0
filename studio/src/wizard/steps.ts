import type {
  OpenedTable,
  TableRecord,
} from "../../../core/integrations/platforms/views.js";
import type { FieldKind } from "../../../core/plugin-api/platform-plugin.js";
import { ask } from "../api.js";
import { t } from "../messages/index.js";
import { go, place } from "../router.js";
import type { IconName } from "../ui/icon.js";

export const STEPS = [
  "connect",
  "table",
  "template",
  "fields",
  "file",
  "button",
  "try",
] as const;
export type Step = (typeof STEPS)[number];

interface StepTexts {
  /** Label in the list of steps. */
  short: string;
  title: string;
  lead: string;
}

export const stepTexts: Record<Step, StepTexts> = {
  connect: {
    short: t("wizard.connect"),
    title: t("wizard.connectYourSpreadsheet"),
    lead: t("wizard.connectLead"),
  },
  table: {
    short: t("common.table"),
    title: t("wizard.chooseTable"),
    lead: t("wizard.tableLead"),
  },
  template: {
    short: t("common.template"),
    title: t("wizard.chooseTemplate"),
    lead: t("wizard.templateLead"),
  },
  fields: {
    short: t("common.fields"),
    title: t("wizard.fillTemplate"),
    lead: t("wizard.fieldsLead"),
  },
  file: {
    short: t("common.file"),
    title: t("wizard.chooseWhereFileGoes"),
    lead: t("wizard.fileLead"),
  },
  button: {
    short: t("common.button"),
    title: t("wizard.addButtonToYourTable"),
    lead: t("wizard.buttonLead"),
  },
  try: {
    short: t("templates.tryIt"),
    title: t("wizard.tryItWithOneRecord"),
    lead: t("wizard.tryLead"),
  },
};

/** Whether the choices that a step needs have been made. */
const needs: Record<Step, (choice: Choice) => boolean> = {
  connect: () => true,
  table: ({ connection }) => connection !== "",
  template: ({ table }) => table !== "",
  fields: ({ template }) => template !== "",
  file: ({ template }) => template !== "",
  button: ({ field, formats }) => field !== "" && formats !== NONE,
  try: ({ field }) => field !== "",
};

export function isOpen(step: Step, choice: Choice): boolean {
  const upTo = STEPS.slice(0, STEPS.indexOf(step) + 1);
  return upTo.every((stepName) => needs[stepName](choice));
}

/** The step in the URL, or the last available one before it. */
export function getStep(word: string, choice: Choice): Step {
  const requestedStep = STEPS.find((step) => step === word) ?? "connect";
  if (isOpen(requestedStep, choice)) return requestedStep;
  return STEPS.findLast((step) => isOpen(step, choice)) ?? "connect";
}

export function stepBefore(step: Step): Step | null {
  return STEPS[STEPS.indexOf(step) - 1] ?? null;
}

/** Everything chosen so far. It is kept in the URL and contains no secret. Empty means not chosen yet. */
export interface Choice {
  connection: string;
  /** Also empty if the platform has no bases. */
  base: string;
  table: string;
  template: string;
  /** The field that takes files, or `nowhere`. */
  field: string;
  /** Separated by commas. */
  formats: string;
  /** What happens to files already in the cell: `append` or `replace`. */
  mode: string;
  /** Id of the created link. */
  link: string;
}

export const NOWHERE = "nowhere";
/** For formats: none is selected; empty means the default. */
export const NONE = "none";

const empty: Choice = {
  connection: "",
  base: "",
  table: "",
  template: "",
  field: "",
  formats: "",
  mode: "",
  link: "",
};

const names = [
  "connection",
  "base",
  "table",
  "template",
  "field",
  "formats",
  "mode",
  "link",
] as const satisfies (keyof Choice)[];

export function parseChoice(query: URLSearchParams): Choice {
  const choice = { ...empty };
  for (const name of names) choice[name] = query.get(name) ?? "";
  return choice;
}

export function getStepPath(step: Step, choice: Choice): string {
  const query = new URLSearchParams();
  for (const name of names)
    if (choice[name] !== "") query.set(name, choice[name]);
  const text = query.toString();
  return `start/${step}${text === "" ? "" : `?${text}`}`;
}

/** Goes to a step and adds these choices to the earlier ones. */
export function proceed(step: Step, changes: Partial<Choice> = {}): void {
  go(
    getStepPath(step, changed(parseChoice(place.value.searchParams), changes)),
  );
}

/** Like `proceed`, but without a new history entry. */
export function keep(step: Step, changes: Partial<Choice>): void {
  const choice = changed(parseChoice(place.value.searchParams), changes);
  go(getStepPath(step, choice), { replace: true });
}

/** Choices that are reset when another changes. The link depends on all of them. */
const dependents: Record<keyof Choice, readonly (keyof Choice)[]> = {
  connection: ["base", "table", "field", "link"],
  base: ["table", "field", "link"],
  table: ["field", "link"],
  template: ["link"],
  field: ["link"],
  formats: ["link"],
  mode: ["link"],
  link: [],
};

function changed(before: Choice, changes: Partial<Choice>): Choice {
  const after = { ...before, ...changes };
  for (const name of names) {
    if (after[name] === before[name]) continue;
    for (const later of dependents[name])
      if (!(later in changes)) after[later] = "";
  }
  return after;
}

type TableChoice = Pick<Choice, "connection" | "base" | "table">;

/** The query by which the studio's routes identify the chosen table. */
export function getTableQuery(
  { connection, base, table }: TableChoice,
  more: Record<string, string> = {},
): string {
  const query = new URLSearchParams({
    connectionId: connection,
    ...(base !== "" && { baseId: base }),
    tableId: table,
    ...more,
  });
  return query.toString();
}

export function loadTable(choice: TableChoice): Promise<OpenedTable> {
  return ask<OpenedTable>(`wizard/table?${getTableQuery(choice)}`);
}

/** Null if the platform cannot search for records. */
export async function findRecords(
  choice: Choice,
  text: string,
): Promise<TableRecord[] | null> {
  const at = `wizard/records?${getTableQuery(choice, { q: text })}`;
  return (await ask<{ data: TableRecord[] | null }>(at)).data;
}

/** Request properties shared by creating a link and rendering a record. */
export function getRecordsRequest({
  connection,
  base,
  table,
  template,
  field,
  formats,
  mode,
}: Choice) {
  return {
    templateId: template,
    connectionId: connection,
    ...(base !== "" && { baseId: base }),
    tableId: table,
    formats: formats === "" ? ["pdf"] : formats.split(","),
    ...(field !== NOWHERE && {
      attachmentField: field,
      overwriteExisting: mode === "replace",
    }),
  };
}

/** What a field of a table holds. */
export const kindLabels: Record<FieldKind, string> = {
  text: t("common.text"),
  number: t("common.number"),
  boolean: t("content.checkbox"),
  date: t("common.date"),
  select: t("content.choice"),
  link: t("wizard.linkedRecords"),
  attachment: t("wizard.files"),
  computed: t("rules.formula"),
  json: t("templates.details"),
  other: t("wizard.other"),
};

export const kindIcons: Record<FieldKind, IconName> = {
  text: "text",
  number: "number",
  boolean: "check",
  date: "calendar",
  select: "list",
  link: "link",
  attachment: "attachment",
  computed: "formula",
  json: "box",
  other: "box",
};
