import { z } from "zod";
import {
  type Attachment,
  PlatformError,
  type Row,
  type RowSearch,
  type RowsFound,
  type TableScope,
} from "../../core/plugin-api/index.js";
import type { AirtableClient } from "./client.js";

export const recordSchema = z.object({
  id: z.string(),
  fields: z.record(z.string(), z.unknown()).default({}),
});

export const recordListSchema = z.object({
  records: z.array(recordSchema),
  offset: z.string().optional(),
});

/** The most records that a page, and so a request, can have. */
export const maxPageSize = 100;

/** @throws PlatformError `bad_config` when no base is named. */
export function getBaseId({ baseId }: Partial<TableScope>): string {
  if (baseId !== undefined && /^app[A-Za-z0-9]{14}$/.test(baseId))
    return baseId;
  throw new PlatformError(
    "bad_config",
    baseId === undefined
      ? "No base is given. Set baseId to the part of the base's address that begins with app."
      : `"${baseId.slice(0, 40)}" is not a base id. Use the part of the base's address that begins with app.`,
  );
}

/** The path of a table, by its id or its name. */
export function getTablePath({ tableId }: TableScope): string {
  return `/${encodeURIComponent(tableId)}`;
}

/** Reads records by a formula over their ids, a hundred at a time. Ids that cannot be valid are not sent. */
export async function fetchRows(
  client: AirtableClient,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const uniqueIds = [...new Set(ids)];
  const validIds = uniqueIds.filter((id) => recordIdPattern.test(id));
  const found = new Map<string, Row>();
  for (let at = 0; at < validIds.length; at += maxPageSize) {
    const conditions = validIds
      .slice(at, at + maxPageSize)
      .map((id) => `RECORD_ID()='${id}'`);
    let offset: string | undefined;
    do {
      const page = await listRecords(client, scope, {
        filterByFormula: `OR(${conditions.join(",")})`,
        pageSize: maxPageSize,
        returnFieldsByFieldId: true,
        ...(fieldIds && { fields: fieldIds }),
        ...(offset !== undefined && { offset }),
      });
      for (const record of page.records) found.set(record.id, toRow(record));
      ({ offset } = page);
    } while (offset !== undefined);
  }
  return {
    rows: uniqueIds.flatMap((id) => found.get(id) ?? []),
    missing: uniqueIds.filter((id) => !found.has(id)),
  };
}

/** Finds the first records, or those whose field contains the text. */
export async function findRows(
  client: AirtableClient,
  scope: TableScope,
  { limit, ...search }: RowSearch,
): Promise<string[]> {
  const formula = createSearchFormula(search);
  const { records } = await listRecords(client, scope, {
    pageSize: Math.min(limit, maxPageSize),
    fields: [],
    ...(formula !== null && { filterByFormula: formula }),
  });
  return records.map(({ id }) => id);
}

function listRecords(client: AirtableClient, scope: TableScope, body: object) {
  return client.send(
    {
      method: "POST",
      baseId: getBaseId(scope),
      path: `${getTablePath(scope)}/listRecords`,
      needs: "data.records:read",
      body,
    },
    recordListSchema,
  );
}

/** Quotes the text so that it cannot end the string. */
function createSearchFormula({
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

// The prefix of an id names its kind, so links and attachments are recognized without the table's schema.
const recordIdPattern = /^rec[A-Za-z0-9]{14}$/;
const linksSchema = z.array(z.string().regex(recordIdPattern)).min(1);

/** Airtable leaves empty cells out of a record. */
function toRow({ id, fields }: z.infer<typeof recordSchema>): Row {
  const row: Row = { id, fields: {}, links: {} };
  for (const [fieldId, value] of Object.entries(fields)) {
    const links = linksSchema.safeParse(value).data;
    if (links) row.links[fieldId] = [...new Set(links)];
    else row.fields[fieldId] = parseAttachments(value) ?? value;
  }
  return row;
}

const attachmentsSchema = z
  .array(
    z.object({
      id: z.string().startsWith("att"),
      url: z.string(),
      filename: z.string().default(""),
      size: z.number().optional(),
    }),
  )
  .min(1);

/** The files of a cell; null when it holds something else. */
export function parseAttachments(value: unknown): Attachment[] | null {
  const { data } = attachmentsSchema.safeParse(value);
  if (!data) return null;
  return data.map(({ id: remoteId, url, filename, size }) => ({
    remoteId,
    filename,
    url,
    ...(size !== undefined && { sizeBytes: size }),
  }));
}
