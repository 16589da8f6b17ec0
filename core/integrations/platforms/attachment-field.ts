import type { FieldInfo, Problem, TableInfo } from "../../plugin-api/index.js";
import type { OpenPlatform } from "../host/index.js";
import { findField, nameHint } from "./mapping/find-field.js";
import type { RecordsRequest } from "./records-request.js";

type Asked = Pick<RecordsRequest, "attachmentField" | "overwriteExisting">;

/** The field into which files are to be written; undefined, with or without a problem, when there is none. */
export function attachmentField(
  { title, capabilities }: Pick<OpenPlatform, "title" | "capabilities">,
  table: TableInfo,
  { attachmentField: asked, overwriteExisting = false }: Asked,
  problems: Problem[],
): FieldInfo | undefined {
  if (asked === undefined) return undefined;
  const mode = overwriteExisting ? "replace" : "append";
  const field = findField(table, asked);
  const fault =
    capabilities.attachments === "none"
      ? `${title} takes no files. Leave it out.`
      : field
        ? fieldFault(field, capabilities.attachments)
        : `The table "${table.name}" has no field "${asked}". ${hint(asked, table)}`;
  if (fault !== null)
    problems.push({ path: "$.attachmentField", code: "field", message: fault });
  if (!capabilities.modes.includes(mode))
    problems.push({
      path: "$.overwriteExisting",
      code: "mode",
      message: `${title} can only ${mode === "append" ? "replace what a cell holds: set it to true" : "add to what a cell holds: set it to false"}.`,
    });
  return fault === null ? field : undefined;
}

/** Whether a document's file can be written into this field. */
export function takesFiles(
  field: FieldInfo,
  attachments: OpenPlatform["capabilities"]["attachments"],
): boolean {
  return attachments !== "none" && fieldFault(field, attachments) === null;
}

function fieldFault(
  { name, kind, native, writable }: FieldInfo,
  attachments: "native" | "link-cell",
): string | null {
  const isForFiles =
    kind === "attachment" || (attachments === "link-cell" && takesLink(kind));
  if (!isForFiles)
    return `"${name}" is no attachment field, but ${native}. Name an attachment field.`;
  return writable ? null : `"${name}" cannot be written.`;
}

function takesLink(kind: FieldInfo["kind"]): boolean {
  return kind === "text" || kind === "json" || kind === "other";
}

function hint(asked: string, { fields }: TableInfo): string {
  const attachments = fields.filter(({ kind }) => kind === "attachment");
  const some = attachments.length > 0 ? attachments : fields;
  return nameHint(
    asked,
    some.map(({ name }) => name),
  );
}
