import * as z from "zod";
import {
  PlatformError,
  type Row,
  type RowsFound,
  type TableScope,
} from "../../core/plugin-api/index.js";
import { attachmentsOf } from "./attachments.js";
import { ask, type NocodbContext } from "./client.js";
import { allLinks, inlinedIds, isSurelyWhole } from "./links.js";
import {
  fieldKind,
  type NocodbField,
  type NocodbTable,
  onlyBase,
  tableOf,
} from "./tables.js";

const record = z.object({
  id: z.union([z.string(), z.number()]),
  fields: z.record(z.string(), z.unknown()),
});
export const records = z.object({
  records: z.array(record),
  next: z.string().nullish(),
});
type Record_ = z.infer<typeof record>;

/** As many as one reply may hold, of rows and of links in a row. */
export const page = 1000;
/** What is sent as an id: anything else could be read as more of the filter. */
const plainId = /^[\w-]{1,64}$/;

/** The rows with these ids; links are read on where NocoDB has cut them. */
export async function fetchRows(
  context: NocodbContext,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const baseId = scope.baseId ?? (await onlyBase(context));
  const where = { baseId, tableId: scope.tableId };
  const table = await tableOf(context, where);
  const fields = table.fields.filter(
    ({ id, type }) => type !== "ForeignKey" && (fieldIds?.includes(id) ?? true),
  );
  const found = await readRecords(context, where, table, ids, fields);
  const rows = await toRows(context, where, found, fields);
  const has = new Set(rows.map(({ id }) => id));
  return { rows, missing: ids.filter((id) => !has.has(id)) };
}

async function readRecords(
  context: NocodbContext,
  { baseId = "", tableId }: TableScope,
  { fields: all, title }: NocodbTable,
  ids: readonly string[],
  fields: readonly NocodbField[],
): Promise<Record_[]> {
  const key = all.find(({ type }) => type === "ID");
  if (!key)
    throw new PlatformError(
      "unsupported",
      `The table "${title}" has no field of the type ID, by which its rows are found.`,
    );
  const asked = ids.filter((id) => plainId.test(id));
  if (asked.length === 0) return [];
  const query = new URLSearchParams({
    where: `(${key.id},in,${asked.join(",")})`,
    pageSize: String(page),
    fields: [key, ...fields].map(({ id }) => id).join(","),
  });
  for (const one of fields)
    if (fieldKind(one) === "link")
      query.set(`nested[${one.title}][limit]`, String(page));
  const path = `api/v3/data/${baseId}/${tableId}/records?${query.toString()}`;
  const wanted = new Set(asked);
  const { records: found } = await ask(context, path, records);
  return found.filter(({ id }) => wanted.has(String(id)));
}

async function toRows(
  context: NocodbContext,
  scope: TableScope,
  found: readonly Record_[],
  fields: readonly NocodbField[],
): Promise<Row[]> {
  const rows = found.map((one) => ({
    id: String(one.id),
    fields: valuesOf(context, one, fields),
    links: {} as Row["links"],
  }));
  const links = fields.filter((one) => fieldKind(one) === "link");
  for (const { id, title } of links) {
    const lists = found.map((one) => inlinedIds(one.fields[title]));
    await Promise.all(
      rows.map(async (row, at) => {
        const list = lists[at] ?? null;
        row.links[id] = isSurelyWhole(list, lists)
          ? list
          : await allLinks(context, scope, id, row.id);
      }),
    );
  }
  return rows;
}

function valuesOf(
  { credentials: { url } }: NocodbContext,
  { id, fields: held }: Record_,
  fields: readonly NocodbField[],
): Row["fields"] {
  const values: Row["fields"] = {};
  for (const one of fields) {
    const kind = fieldKind(one);
    const value = one.type === "ID" ? id : held[one.title];
    if (kind === "link" || value === null || value === undefined) continue;
    if (kind === "attachment") values[one.id] = attachmentsOf(value, url);
    else values[one.id] = plainValue(one, value);
  }
  return values;
}

/** Numbers that come as text and times with a blank in the middle, as the contract has them. */
function plainValue(one: NocodbField, value: unknown): unknown {
  const kind = fieldKind(one);
  if (kind === "boolean") return Boolean(value);
  if (kind === "number" && typeof value === "string") return Number(value);
  if (kind === "date" && typeof value === "string")
    return value.replace(" ", "T");
  return value;
}
