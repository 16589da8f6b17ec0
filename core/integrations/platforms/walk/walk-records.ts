import type { RowsFound, TableScope } from "../../../plugin-api/index.js";
import {
  fieldsToRead,
  type PlannedCollection,
  type WalkPlan,
} from "../mapping/walk-plan.js";
import { FetchedRows } from "./fetched-rows.js";
import type { WalkLimits } from "./limits.js";

/** How rows are read: any number of ids, in as few requests as the platform allows. */
export type FetchRows = (
  scope: TableScope,
  ids: readonly string[],
  fieldIds: readonly string[],
) => Promise<RowsFound>;

export interface Walk {
  plan: WalkPlan;
  /** Undefined where the platform has no bases. */
  baseId: string | undefined;
  recordIds: readonly string[];
  limits: WalkLimits;
}

/** Row ids to be visited, by the id of the collection as which they are seen. */
type Frontier = Map<string, Set<string>>;

/**
 * Reads the records and all that they lead to, level by level: what one level needs of a table is read at once for all
 * records, and each row once, so that circles end. Null: more rows than allowed.
 */
export async function walkRecords(
  { plan, baseId, recordIds, limits }: Walk,
  fetchRows: FetchRows,
): Promise<FetchedRows | null> {
  const rows = new FetchedRows();
  const seen = new Set<string>();
  const fields = fieldsToRead(plan);
  const root = plan.collections[0];
  if (root === undefined) return rows;
  let frontier: Frontier = new Map([[root.id, new Set(recordIds)]]);
  for (let level = 0; frontier.size > 0 && level <= limits.maxDepth; level++) {
    const wanted = idsByTable(plan, frontier, rows);
    if (rows.count + sizeOf(wanted) > limits.maxRows) return null;
    await Promise.all(
      [...wanted].map(async ([tableId, ids]) => {
        const scope = { tableId, ...(baseId !== undefined && { baseId }) };
        const fieldIds = [...(fields.get(tableId) ?? [])];
        const found = await fetchRows(scope, [...ids], fieldIds);
        rows.add(tableId, found.rows);
      }),
    );
    frontier = nextFrontier(plan, frontier, rows, seen);
  }
  return rows;
}

/** What is not read yet. */
function idsByTable(
  plan: WalkPlan,
  frontier: Frontier,
  rows: FetchedRows,
): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { id, tableId } of plan.collections)
    for (const rowId of frontier.get(id) ?? []) {
      if (rows.get(tableId, rowId)) continue;
      const ids = wanted.get(tableId) ?? new Set<string>();
      wanted.set(tableId, ids.add(rowId));
    }
  return wanted;
}

function sizeOf(wanted: ReadonlyMap<string, ReadonlySet<string>>): number {
  return [...wanted.values()].reduce((total, { size }) => total + size, 0);
}

function nextFrontier(
  plan: WalkPlan,
  frontier: Frontier,
  rows: FetchedRows,
  seen: Set<string>,
): Frontier {
  const next: Frontier = new Map();
  for (const collection of plan.collections)
    for (const rowId of frontier.get(collection.id) ?? [])
      for (const [target, id] of linksOf(collection, rowId, rows)) {
        const key = JSON.stringify([target, id]);
        if (seen.has(key)) continue;
        seen.add(key);
        next.set(target, (next.get(target) ?? new Set<string>()).add(id));
      }
  return next;
}

function* linksOf(
  { tableId, links }: PlannedCollection,
  rowId: string,
  rows: FetchedRows,
): Generator<[target: string, id: string]> {
  const row = rows.get(tableId, rowId);
  if (row === undefined) return;
  for (const { target, fieldId, many } of links) {
    const ids = row.links[fieldId] ?? [];
    for (const id of many ? ids : ids.slice(0, 1)) yield [target, id];
  }
}
