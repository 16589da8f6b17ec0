import type { EntityManager } from "typeorm";
import type { DatabaseClock } from "./sql.js";

/** A share with jobs of one kind. */
export interface ShareLine {
  share: string;
  /** Milliseconds until its first job may start; not positive when it may now. */
  waitMs: number;
}

const sharesOfALook = 1000;

/**
 * The shares that have jobs of a kind, each with its first one; at most 1000, in their order after `from`. Jumps from
 * share to share in the index (kind, share, ready_at), however many jobs each has.
 */
export async function readShares(
  reader: EntityManager,
  clock: DatabaseClock,
  kind: string,
  from = "",
): Promise<ShareLine[]> {
  const rows = await reader.query<{ share: string; waitMs: unknown }[]>(
    sharesSql(clock),
    [kind, from, kind, kind],
  );
  return rows.map(({ share, waitMs }) => ({ share, waitMs: Number(waitMs) }));
}

export function sharesSql(clock: DatabaseClock): string {
  return `WITH RECURSIVE line (share) AS (
      SELECT (SELECT share FROM job WHERE kind = ? AND share >= ? ORDER BY share LIMIT 1)
      UNION ALL
      SELECT (SELECT job.share FROM job WHERE job.kind = ? AND job.share > line.share ORDER BY job.share LIMIT 1)
      FROM line WHERE line.share IS NOT NULL
    )
    SELECT share, (SELECT ${clock.until("ready_at")} FROM job
      WHERE job.kind = ? AND job.share = line.share ORDER BY ready_at LIMIT 1) AS waitMs
    FROM line WHERE share IS NOT NULL LIMIT ${sharesOfALook}`;
}
