import { PlatenError } from "../../../plugin-api/index.js";
import type { OpenPlatform } from "../../host/index.js";
import type { RecordBatch } from "../../../storage/database/index.js";
import type { WalkPlan } from "../mapping/walk-plan.js";
import type { FetchedRows } from "./fetched-rows.js";
import { WALK_LIMITS, type WalkLimits } from "./limits.js";
import { rootData } from "./root-data.js";
import { walkRecords } from "./walk-records.js";

/** A record's root data as JSON, or why it has none. */
export type Brought = { json: string } | { error: PlatenError };

export interface BringOptions {
  signal: AbortSignal;
  limits?: WalkLimits;
}

/**
 * Fetches records with all that they link to, in as few requests as can be for all of them. Records that lead to too
 * many rows together are fetched in halves. @returns what became of each record.
 */
export async function bringRecords(
  platform: OpenPlatform,
  order: Pick<RecordBatch, "baseId" | "plan">,
  recordIds: readonly string[],
  options: BringOptions,
): Promise<Map<string, Brought>> {
  const { signal, limits = WALK_LIMITS } = options;
  const plan = planOf(order);
  const baseId = order.baseId ?? undefined;
  const rows = await walkRecords(
    { plan, baseId, recordIds, limits },
    (scope, ids, fieldIds) =>
      platform.fetchRows(scope, ids, fieldIds, { signal }),
  );
  if (rows !== null)
    return new Map(
      recordIds.map((id) => [id, map(platform, plan, rows, limits, id)]),
    );
  const [only] = recordIds;
  if (only !== undefined && recordIds.length === 1)
    return new Map([[only, { error: tooMany(limits) }]]);
  return inHalves(recordIds, (half) =>
    bringRecords(platform, order, half, options),
  );
}

async function inHalves(
  recordIds: readonly string[],
  bring: (half: readonly string[]) => Promise<Map<string, Brought>>,
): Promise<Map<string, Brought>> {
  const middle = Math.ceil(recordIds.length / 2);
  const first = await bring(recordIds.slice(0, middle));
  const second = await bring(recordIds.slice(middle));
  return new Map([...first, ...second]);
}

function map(
  platform: OpenPlatform,
  plan: WalkPlan,
  rows: FetchedRows,
  limits: WalkLimits,
  recordId: string,
): Brought {
  const root = plan.collections[0];
  if (!root || !rows.get(root.tableId, recordId))
    return { error: gone(plan, recordId) };
  try {
    const data = rootData({ platform, plan, rows, limits }, recordId);
    return { json: JSON.stringify(data) };
  } catch (error) {
    if (error instanceof PlatenError) return { error };
    throw error;
  }
}

/** Written by this room alone. */
function planOf({ plan }: Pick<RecordBatch, "plan">): WalkPlan {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return plan as WalkPlan;
}

function gone({ collections, tables }: WalkPlan, recordId: string) {
  const table = tables.find(({ id }) => id === collections[0]?.tableId);
  return new PlatenError(
    "not_found",
    `The table "${table?.name ?? ""}" has no record "${recordId}" any more.`,
  );
}

function tooMany({ maxRows }: WalkLimits): PlatenError {
  return new PlatenError(
    "too_large",
    `This record leads to more than ${maxRows} linked rows. ` +
      "Take links out of the template's schema that the document does not need.",
  );
}
