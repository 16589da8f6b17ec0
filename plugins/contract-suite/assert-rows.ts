import { fail } from "node:assert/strict";
import type { RowsFound } from "../../core/plugin-api/index.js";

/** Rows and missing ids together are the ids asked for, each once; links are lists of ids, apart from fields. */
export function assertRowsFound(
  { rows, missing }: RowsFound,
  ids: readonly string[],
): void {
  const answered = [...rows.map(({ id }) => id), ...missing].toSorted();
  const asked = [...new Set(ids)].toSorted();
  if (JSON.stringify(answered) !== JSON.stringify(asked))
    fail(
      `fetchRows must answer each id once, as a row or as missing. Asked: ${shown(asked)}. Answered: ${shown(answered)}.`,
    );
  for (const { id, fields, links } of rows) {
    const twice = Object.keys(links).filter((field) => field in fields);
    if (twice.length > 0)
      fail(`Row ${id}: ${shown(twice)} is in links and in fields.`);
    for (const [field, linked] of Object.entries(links))
      if (new Set(linked).size !== linked.length)
        fail(`Row ${id}: links.${field} names a row twice.`);
  }
}

function shown(ids: readonly string[]): string {
  const text = ids.slice(0, 12).join(", ");
  return ids.length > 12 ? `${text}, … (${ids.length})` : text;
}
