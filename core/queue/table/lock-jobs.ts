import type { EntityManager } from "typeorm";
import type { Claim } from "./claim.js";
import type { JobTable } from "./job-table.js";
import { marks } from "./sql.js";

interface Candidate {
  rowId: string;
  attempts: number;
}

/** The oldest jobs of one share that may start, up to `limit`; none that another node is taking. */
export async function candidatesOfShare(
  tx: EntityManager,
  { isSqlite, clock }: JobTable,
  { kind, share, limit }: { kind: string; share: string; limit: number },
): Promise<Candidate[]> {
  if (limit <= 0) return [];
  // With old statistics, MariaDB would walk the jobs that wait for their time as well.
  const hint = isSqlite ? "" : "FORCE INDEX (ix_job_ready)";
  const lock = isSqlite ? "" : "FOR UPDATE SKIP LOCKED";
  return tx.query<Candidate[]>(
    `SELECT row_id AS "rowId", attempts FROM job ${hint}
     WHERE kind = ? AND share = ? AND ready_at <= ${clock.now} ORDER BY ready_at LIMIT ${limit} ${lock}`,
    [kind, share],
  );
}

export interface Lock {
  leaseMs: number;
  token: string;
  node: string;
}

/** Takes jobs that were found in the same transaction, for the time of a lease. */
export async function lockJobs(
  tx: EntityManager,
  { clock }: JobTable,
  { leaseMs, token, node }: Lock,
  claims: readonly Claim[],
): Promise<void> {
  const [first] = claims;
  if (!first) return;
  const end = clock.later(leaseMs);
  const ids = claims.map(({ rowId }) => rowId);
  await tx.query(
    `UPDATE job SET ready_at = ${end.text}, attempts = attempts + 1, lock_token = ?, locked_by = ?, woken_at = NULL
     WHERE kind = ? AND row_id IN (${marks(ids)})`,
    [...end.values, token, node, first.kind, ...ids],
  );
}
