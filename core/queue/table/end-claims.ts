import type { EntityManager } from "typeorm";
import type { Claim } from "./claim.js";
import type { JobTable } from "./job-table.js";
import { change, marks } from "./sql.js";

// How a held job ends. Each statement names the token of the claim: on a job that another node has taken since, it
// changes nothing.

const unlocked = "lock_token = NULL, locked_by = NULL, woken_at = NULL";

/**
 * Deletes finished jobs of one kind; one that was asked for again while it ran is made ready instead.
 * @returns how many were still held.
 */
export async function forgetJobs(
  tx: EntityManager,
  kind: string,
  claims: readonly Claim[],
): Promise<number> {
  const held = heldBy(kind, claims);
  const deleted = await change(
    tx,
    `DELETE FROM job WHERE ${held.text} AND woken_at IS NULL`,
    held.values,
  );
  if (deleted === claims.length) return deleted;
  const woken = await change(
    tx,
    `UPDATE job SET ready_at = woken_at, attempts = 0, ${unlocked} WHERE ${held.text}`,
    held.values,
  );
  return deleted + woken;
}

/** Gives jobs back as if they had not been taken. */
export async function releaseJobs(
  tx: EntityManager,
  { clock }: JobTable,
  kind: string,
  claims: readonly Claim[],
): Promise<void> {
  const held = heldBy(kind, claims);
  await change(
    tx,
    `UPDATE job SET ready_at = ${clock.now}, attempts = attempts - 1, ${unlocked} WHERE ${held.text}`,
    held.values,
  );
}

export interface Postponement {
  delayMs: number;
  /** Whether runs that were cut off or threw count on. */
  keepAttempts: boolean;
}

/** Ends a run and sets the next one, which comes earlier when the job was asked for meanwhile. False: lease lost. */
export async function postponeJob(
  tx: EntityManager,
  { clock, isSqlite }: JobTable,
  claim: Claim,
  { delayMs, keepAttempts }: Postponement,
): Promise<boolean> {
  const held = heldBy(claim.kind, [claim]);
  const time = clock.later(delayMs);
  const least = isSqlite ? "MIN" : "LEAST";
  const changed = await change(
    tx,
    `UPDATE job SET ready_at = ${least}(COALESCE(woken_at, ${time.text}), ${time.text}),
       ${keepAttempts ? "" : "attempts = 0,"} ${unlocked} WHERE ${held.text}`,
    [...time.values, ...time.values, ...held.values],
  );
  return changed === 1;
}

function heldBy(kind: string, claims: readonly Claim[]) {
  const ids = claims.map(({ rowId }) => rowId);
  const tokens = [...new Set(claims.map(({ token }) => token))];
  return {
    text: `kind = ? AND row_id IN (${marks(ids)}) AND lock_token IN (${marks(tokens)})`,
    values: [kind, ...ids, ...tokens],
  };
}
