import {
  PlatformError,
  type Row,
  type RowsFound,
  type TableScope,
} from "../../core/plugin-api/index.js";
import type { AirtableClient } from "./client.js";
import { isRecordId, recordsReply, rowOf } from "./rows.js";

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
