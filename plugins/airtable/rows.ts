import { z } from "zod";
import { type Attachment, type Row, PlatformError, type RowsFound, type TableScope, type RowSearch } from "../../core/plugin-api/index.js";
import type { AirtableClient } from "./client.js";

export const recordReply = z.object({
  id: z.string(),
  fields: z.record(z.string(), z.unknown()).default({}),
});

export const recordsReply = z.object({
  records: z.array(recordReply),
  offset: z.string().optional(),
});

const recordId = /^rec[A-Za-z0-9]{14}$/;

/** Airtable's ids say what they are, so that a value is known for what it is without the table's schema. */
function isRecordId(id: string): boolean {
  return recordId.test(id);
}

/** An empty cell is not among a record's fields. */
function rowOf({ id, fields }: z.infer<typeof recordReply>): Row {
  const row: Row = { id, fields: {}, links: {} };
  for (const [fieldId, value] of Object.entries(fields)) {
    const links = linksOf(value);
    if (links !== null) row.links[fieldId] = links;
    else row.fields[fieldId] = attachmentsOf(value) ?? value;
  }
  return row;
}

function linksOf(value: unknown): string[] | null {
  const links = z.array(z.string().regex(recordId)).min(1).safeParse(value);
  return links.success ? [...new Set(links.data)] : null;
}

const attachment = z.object({
  id: z.string().startsWith("att"),
  url: z.string(),
  filename: z.string().default(""),
  size: z.number().optional(),
});

/** The files of a cell, as Airtable lists them; null for what is no such list. */
export function attachmentsOf(value: unknown): Attachment[] | null {
  const files = z.array(attachment).min(1).safeParse(value);
  if (!files.success) return null;
  return files.data.map(({ id: remoteId, url, filename, size }) => ({
    remoteId,
    filename,
    url,
    ...(size !== undefined && { sizeBytes: size }),
  }));
}

/** In one page, and so in one request. */
export const pageSize = 100;

/** @throws PlatformError `bad_config` when no base is named. */
export function baseOf({ baseId }: Partial<TableScope>): string {
  if (baseId !== undefined && /^app[A-Za-z0-9]{14}$/.test(baseId))
    return baseId;
  throw new PlatformError(
    "bad_config",
    baseId === undefined
      ? "a base is needed: give its id, app… in its address, as baseId."
      : `"${baseId.slice(0, 40)}" is no id of a base. It begins with app, as in the address of the base.`,
  );
}

/** A table's path, by id or by name. */
export function tablePath({ tableId }: TableScope): string {
  return `/${encodeURIComponent(tableId)}`;
}

/** The records by a formula over their ids, which takes a hundred at a time. What cannot be an id is not asked for. */
export async function fetchRows(
  client: AirtableClient,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const wanted = [...new Set(ids)];
  const asked = wanted.filter(isRecordId);
  const found = new Map<string, Row>();
  for (let at = 0; at < asked.length; at += pageSize) {
    const part = asked.slice(at, at + pageSize);
    for (const row of await fetchPart(client, scope, part, fieldIds))
      found.set(row.id, row);
  }
  return {
    rows: wanted.flatMap((id) => found.get(id) ?? []),
    missing: wanted.filter((id) => !found.has(id)),
  };
}

async function fetchPart(
  client: AirtableClient,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<Row[]> {
  const conditions = ids.map((id) => `RECORD_ID()='${id}'`);
  const rows: Row[] = [];
  let offset: string | undefined;
  do {
    const page = await client.send(
      {
        method: "POST",
        baseId: baseOf(scope),
        path: `${tablePath(scope)}/listRecords`,
        needs: "data.records:read",
        body: {
          filterByFormula: `OR(${conditions.join(",")})`,
          pageSize,
          returnFieldsByFieldId: true,
          ...(fieldIds && { fields: fieldIds }),
          ...(offset !== undefined && { offset }),
        },
      },
      recordsReply,
    );
    rows.push(...page.records.map(rowOf));
    ({ offset } = page);
  } while (offset !== undefined);
  return rows;
}

/** The ids of the first records, or of those whose field holds the text. */
export async function findRows(
  client: AirtableClient,
  scope: TableScope,
  { limit, ...search }: RowSearch,
): Promise<string[]> {
  const formula = formulaOf(search);
  const { records } = await client.send(
    {
      method: "POST",
      baseId: baseOf(scope),
      path: `${tablePath(scope)}/listRecords`,
      needs: "data.records:read",
      body: {
        pageSize: Math.min(limit, pageSize),
        fields: [],
        ...(formula !== null && { filterByFormula: formula }),
      },
    },
    recordsReply,
  );
  return records.map(({ id }) => id);
}

/** The text stands in quotes, and nothing of it can end them. */
function formulaOf({
  text = "",
  fieldId = "",
}: Omit<RowSearch, "limit">): string | null {
  if (text === "" || !/^fld[A-Za-z0-9]{14}$/.test(fieldId)) return null;
  const escaped = text
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"');
  return `SEARCH(LOWER("${escaped}"), LOWER({${fieldId}} & ""))`;
}
