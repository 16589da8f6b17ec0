import type { EntityManager } from "typeorm";
import type { JobTable } from "./job-table.js";

/** How many jobs of a share run now, on all nodes. Leases end within `leaseMs`, so that later rows are not looked at. */
export async function runningOfShare(
  tx: EntityManager,
  { clock }: JobTable,
  kind: string,
  share: string,
  leaseMs: number,
): Promise<number> {
  const end = clock.later(leaseMs);
  const [row] = await tx.query<[{ running: unknown }]>(
    `SELECT COUNT(*) AS running FROM job WHERE kind = ? AND share = ?
       AND ready_at > ${clock.now} AND ready_at <= ${end.text} AND lock_token IS NOT NULL`,
    [kind, share, ...end.values],
  );
  return Number(row.running);
}
