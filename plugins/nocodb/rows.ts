import * as z from "zod";
import type {
  Row,
  RowSearch,
  RowsFound,
  TableScope,
} from "../../core/plugin-api/index.js";
import { toRowsFound } from "../lib/cells.js";
import { parseAttachments } from "./attachments.js";
import { type NocodbContext, sendRequest } from "./client.js";
import {
  getKind,
  type NocodbField,
  openTable,
  type OpenTable,
} from "./tables.js";

const recordSchema = z.object({
  id: z.union([z.string(), z.number()]),
  fields: z.record(z.string(), z.unknown()),
});
const recordsSchema = z.object({ records: z.array(recordSchema) });
type NocodbRecord = z.infer<typeof recordSchema>;

/** The most rows, and the most links of a row, that one reply can have. */
const maxPageSize = 1000;
/** Other ids are not sent: they could be read as more of the filter. */
const idPattern = /^[\w-]{1,64}$/;

/** Reads the rows with these ids, with all their links. */
export async function fetchRows(
  context: NocodbContext,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const table = await openTable(context, scope);
  const fields = table.fields.filter(
    ({ id, type }) => type !== "ForeignKey" && (fieldIds?.includes(id) ?? true),
  );
  const records = await readRecords(context, table, ids, fields);
  const rows = records.map((record): Row => ({
    id: String(record.id),
    fields: toFields(context, record, fields),
    links: {},
  }));
  for (const field of fields)
    if (getKind(field) === "link")
      await addLinks(context, table, field, records, rows);
  return toRowsFound(rows, ids);
}

async function readRecords(
  context: NocodbContext,
  { key, dataPath }: OpenTable,
  ids: readonly string[],
  fields: readonly NocodbField[],
): Promise<NocodbRecord[]> {
  const validIds = ids.filter((id) => idPattern.test(id));
  if (validIds.length === 0) return [];
  const query = new URLSearchParams({
    where: `(${key.id},in,${validIds.join(",")})`,
    pageSize: String(maxPageSize),
    fields: [key, ...fields].map(({ id }) => id).join(","),
  });
  for (const field of fields)
    if (getKind(field) === "link")
      query.set(`nested[${field.title}][limit]`, String(maxPageSize));
  const path = `${dataPath}/records?${query.toString()}`;
  const wanted = new Set(validIds);
  const { records } = await sendRequest(context, path, recordsSchema);
  return records.filter(({ id }) => wanted.has(String(id)));
}

function toFields(
  context: NocodbContext,
  { id, fields: values }: NocodbRecord,
  fields: readonly NocodbField[],
): Row["fields"] {
  const found: Row["fields"] = {};
  for (const field of fields) {
    const kind = getKind(field);
    const value = field.type === "ID" ? id : values[field.title];
    if (kind === "link" || value === null || value === undefined) continue;
    found[field.id] =
      kind === "attachment"
        ? parseAttachments(context, value)
        : toFieldValue(kind, value);
  }
  return found;
}

/** Converts what NocoDB returns: numbers as text, times with a space. */
function toFieldValue(kind: string, value: unknown): unknown {
  if (kind === "boolean") return Boolean(value);
  if (kind === "number" && typeof value === "string") return Number(value);
  if (kind === "date" && typeof value === "string")
    return value.replace(" ", "T");
  return value;
}

/** NocoDB inlines only this many linked records when it ignores the requested limit, and does not say so. */
const minTruncatedLength = 25;

/** Adds the links of one field: from the records where those are complete, page by page where they may be truncated. */
async function addLinks(
  context: NocodbContext,
  { dataPath }: OpenTable,
  { id: fieldId, title }: NocodbField,
  records: readonly NocodbRecord[],
  rows: readonly Row[],
): Promise<void> {
  const inlined = records.map(({ fields }) => parseLinks(fields[title]));
  const maxLength = Math.max(...inlined.map((ids) => ids?.length ?? 0));
  await Promise.all(
    rows.map(async (row, at) => {
      const ids = inlined[at] ?? null;
      // A list shorter than the limit, or than another list of the same reply, was not truncated.
      const isComplete =
        ids !== null &&
        (ids.length < minTruncatedLength || ids.length < maxLength);
      row.links[fieldId] = isComplete
        ? ids
        : await readLinks(context, `${dataPath}/links/${fieldId}/${row.id}`);
    }),
  );
}

const linkSchema = z.object({ id: z.union([z.string(), z.number()]) });

/** The ids of inlined records; null when the value is not a list of records, but their number. */
function parseLinks(value: unknown): string[] | null {
  if (value === null || value === undefined || value === 0) return [];
  const one = linkSchema.safeParse(value).data;
  if (one) return [String(one.id)];
  const many = z.array(linkSchema).safeParse(value).data;
  return many ? many.map(({ id }) => String(id)) : null;
}

const linkPageSchema = z.object({
  records: z.union([z.array(linkSchema), linkSchema.nullable()]).optional(),
  next: z.string().nullish(),
});

async function readLinks(
  context: NocodbContext,
  path: string,
): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = `?pageSize=${maxPageSize}&page=${page}`;
    const { records, next } = await sendRequest(
      context,
      path + query,
      linkPageSchema,
    );
    const found = Array.isArray(records) ? records : records ? [records] : [];
    all.push(...found.map(({ id }) => String(id)));
    if (!next || found.length === 0) return [...new Set(all)];
  }
}

/** Characters with a meaning in a filter; `%` matches any text in their place. */
const filterSyntax = /[(),~\\"'%]+/g;

/** Finds the first rows, or those whose field contains the text. */
export async function findRows(
  context: NocodbContext,
  scope: TableScope,
  { limit, text = "", fieldId = "" }: RowSearch,
): Promise<string[]> {
  const { fields, key, dataPath } = await openTable(context, scope);
  const query = new URLSearchParams({
    pageSize: String(limit),
    fields: key.id,
  });
  const pattern = text.replaceAll(filterSyntax, "%").trim();
  if (pattern !== "" && fields.some(({ id }) => id === fieldId))
    query.set("where", `(${fieldId},like,%${pattern}%)`);
  const path = `${dataPath}/records?${query.toString()}`;
  const { records } = await sendRequest(context, path, recordsSchema);
  return records.map(({ id }) => String(id));
}
