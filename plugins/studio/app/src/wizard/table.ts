import type {
  OpenedTable,
  TableRecord,
} from "../../../../../core/plugin-api/app-plugin.js";
import type { FieldKind } from "../../../../../core/plugin-api/platform-plugin.js";
import { ask } from "../api.js";
import type { IconName } from "../ui/icon.js";
import { type Choice, NOWHERE } from "./steps.js";
import { t } from "../messages/index.js";

/** The query by which the studio's routes identify the chosen table. */
export function getTableQuery(
  { connection, base, table }: Choice,
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

export function loadTable(choice: Choice): Promise<OpenedTable> {
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
  boolean: t("wizard.checkbox"),
  date: t("common.date"),
  select: t("wizard.choice"),
  link: t("wizard.linkedRecords"),
  attachment: t("wizard.files"),
  computed: t("wizard.formula"),
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
