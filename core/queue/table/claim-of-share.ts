import type { EntityManager } from "typeorm";
import type { Claim } from "./claim.js";
import type { JobTable } from "./job-table.js";
import { marks } from "./sql.js";

export interface ShareClaim {
  kind: string;
  share: string;
  limit: number;
  leaseMs: number;
  token: string;
  node: string;
}

interface ClaimedRow {
  rowId: string;
  attempts: number;
}

/** Takes the oldest jobs of one share that may start, up to `limit`; none that another node is taking. */
export async function claimOfShare(
  tx: EntityManager,
  table: JobTable,
  wanted: ShareClaim,
): Promise<Claim[]> {
  const { kind, share, token } = wanted;
  const rows = await (table.isSqlite
    ? claimAtOnce(tx, table, wanted)
    : claimInTwoSteps(tx, table, wanted));
  return rows.map(({ rowId, attempts }) => ({
    kind,
    rowId,
    share,
    attempt: attempts,
    token,
  }));
}

/** The range of the index that a claim walks, oldest first; it ends after `limit` rows. */
function candidates(
  column: string,
  { isSqlite, clock }: JobTable,
  limit: number,
): string {
  // With old statistics, MariaDB would walk the jobs that wait for their time as well.
  const from = isSqlite ? "job" : "job FORCE INDEX (ix_job_ready)";
  return `SELECT ${column} FROM ${from} WHERE kind = ? AND share = ? AND ready_at <= ${clock.now} ORDER BY ready_at LIMIT ${limit}`;
}

function assignments(
  { clock }: JobTable,
  { leaseMs, token, node }: ShareClaim,
) {
  const end = clock.later(leaseMs);
  return {
    text: `ready_at = ${end.text}, attempts = attempts + 1, lock_token = ?, locked_by = ?, woken_at = NULL`,
    values: [...end.values, token, node],
  };
}

async function claimAtOnce(
  tx: EntityManager,
  table: JobTable,
  wanted: ShareClaim,
): Promise<ClaimedRow[]> {
  const { kind, share, limit } = wanted;
  const set = assignments(table, wanted);
  return tx.query<ClaimedRow[]>(
    `UPDATE job SET ${set.text} WHERE rowid IN (${candidates("rowid", table, limit)})
     RETURNING row_id AS "rowId", attempts`,
    [...set.values, kind, share],
  );
}

async function claimInTwoSteps(
  tx: EntityManager,
  table: JobTable,
  wanted: ShareClaim,
): Promise<ClaimedRow[]> {
  const { kind, share, limit } = wanted;
  const columns = "row_id AS rowId, attempts + 1 AS attempts";
  const rows = await tx.query<ClaimedRow[]>(
    `${candidates(columns, table, limit)} FOR UPDATE SKIP LOCKED`,
    [kind, share],
  );
  if (rows.length === 0) return [];
  const ids = rows.map(({ rowId }) => rowId);
  const set = assignments(table, wanted);
  await tx.query(
    `UPDATE job SET ${set.text} WHERE kind = ? AND row_id IN (${marks(ids)})`,
    [...set.values, kind, ...ids],
  );
  return rows;
}
