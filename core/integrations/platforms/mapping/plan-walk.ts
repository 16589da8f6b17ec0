import type { Problem, TableInfo } from "../../../plugin-api/index.js";
import type { ProjectData } from "../../../definition/index.js";
import { findTable } from "./find-field.js";
import { planCollection, type Tables } from "./plan-collection.js";
import type { PlannedCollection, WalkPlan } from "./walk-plan.js";

type Schema = ProjectData["schema"];

export interface PlannedWalk {
  plan: WalkPlan;
  /** Nothing is to be queued while there is one. */
  problems: Problem[];
}

/** Finds each collection of the schema that can be reached from the root in the platform's tables. */
export function planWalk(
  schema: Schema,
  root: TableInfo,
  tables: readonly TableInfo[],
): PlannedWalk {
  const problems: Problem[] = [];
  const collections: PlannedCollection[] = [];
  const places: Tables = new Map([[schema[0]?.id ?? "root", root]]);
  for (const [id, table] of places) {
    const at = schema.findIndex((collection) => collection.id === id);
    const collection = schema[at];
    if (collection === undefined) continue;
    const where = { path: `$.schema[${at}]`, table, tables, places };
    collections.push(planCollection(collection, where, problems));
    checkSource(collection.source?.tableId, where, problems);
  }
  const used = new Set(collections.map(({ tableId }) => tableId));
  return {
    plan: { collections, tables: tables.filter(({ id }) => used.has(id)) },
    problems,
  };
}

interface Where {
  path: string;
  table: TableInfo;
  tables: readonly TableInfo[];
}

/** A collection that names its table is to be found there. */
function checkSource(
  tableId: string | undefined,
  { path, table, tables }: Where,
  problems: Problem[],
): void {
  if (tableId === undefined || path === "$.schema[0]") return;
  if (findTable(tables, tableId)?.id === table.id) return;
  problems.push({
    path: `${path}.source.tableId`,
    code: "other_table",
    message: `names the table "${tableId}", but the link leads to "${table.name}".`,
  });
}
