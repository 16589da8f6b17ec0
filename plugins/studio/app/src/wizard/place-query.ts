import type {
  OpenedTable,
  TableRecord,
} from "../../../../../core/plugin-api/app-wizard.js";
import { ask } from "../api.js";
import type { Choice } from "./choice.js";

/** The table that was chosen, as the studio's routes ask for it. */
export function placeQuery(
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

export function readTable(choice: Choice): Promise<OpenedTable> {
  return ask<OpenedTable>(`wizard/table?${placeQuery(choice)}`);
}

/** Null: this platform cannot look for records. */
export async function findRecords(
  choice: Choice,
  text: string,
): Promise<TableRecord[] | null> {
  const at = `wizard/records?${placeQuery(choice, { q: text })}`;
  return (await ask<{ data: TableRecord[] | null }>(at)).data;
}
