import {
  PlatformError,
  type RowSearch,
  type TableScope,
} from "../../core/plugin-api/index.js";
import { ask, type NocodbContext } from "./client.js";
import { records } from "./rows.js";
import { onlyBase, tableOf } from "./tables.js";

/** What would be read as more of the filter. */
const signs = /[(),~\\"'%]+/g;

/** The ids of the first rows, or of those whose field holds the text. */
export async function findRows(
  context: NocodbContext,
  { baseId = "", tableId }: TableScope,
  { limit, text = "", fieldId = "" }: RowSearch,
): Promise<string[]> {
  const base = baseId === "" ? await onlyBase(context) : baseId;
  const where = { baseId: base, tableId };
  const { fields, title } = await tableOf(context, where);
  const key = fields.find(({ type }) => type === "ID");
  if (!key)
    throw new PlatformError(
      "unsupported",
      `The table "${title}" has no field of the type ID, by which its rows are found.`,
    );
  const query = new URLSearchParams({
    pageSize: String(limit),
    fields: key.id,
  });
  const wanted = text.replaceAll(signs, "%").trim();
  if (wanted !== "" && fields.some(({ id }) => id === fieldId))
    query.set("where", `(${fieldId},like,%${wanted}%)`);
  const path = `api/v3/data/${encodeURIComponent(base)}/${encodeURIComponent(tableId)}/records?${query.toString()}`;
  const { records: found } = await ask(context, path, records);
  return found.map(({ id }) => String(id));
}
