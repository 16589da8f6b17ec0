import type { EntityManager } from "typeorm";
import type { KindStats } from "../queue.js";
import type { JobTable } from "./job-table.js";

type Row = Record<Exclude<keyof KindStats, "kind">, unknown> & { kind: string };

/** Counts the jobs of each kind in one pass over the table. */
export async function readStats(
  reader: EntityManager,
  { clock }: JobTable,
): Promise<KindStats[]> {
  const isReady = `ready_at <= ${clock.now}`;
  const rows = await reader.query<Row[]>(`SELECT kind,
      SUM(CASE WHEN ${isReady} THEN 1 ELSE 0 END) AS "ready",
      SUM(CASE WHEN NOT (${isReady}) AND lock_token IS NULL THEN 1 ELSE 0 END) AS "delayed",
      SUM(CASE WHEN NOT (${isReady}) AND lock_token IS NOT NULL THEN 1 ELSE 0 END) AS "running",
      ${clock.until("MIN(ready_at)")} / -1000 AS "oldestReadySeconds"
    FROM job WHERE kind <> '' GROUP BY kind ORDER BY kind`);
  return rows.map((row) => ({
    kind: row.kind,
    ready: Number(row.ready),
    delayed: Number(row.delayed),
    running: Number(row.running),
    oldestReadySeconds: Math.max(0, Number(row.oldestReadySeconds)),
  }));
}

/** How many jobs of a kind may start now; counted no further than `limit`. */
export async function countReady(
  reader: EntityManager,
  { clock }: JobTable,
  kind: string,
  limit: number,
): Promise<number> {
  const [row] = await reader.query<[{ ready: unknown }]>(
    `SELECT COUNT(*) AS ready FROM
       (SELECT 1 AS one FROM job WHERE kind = ? AND ready_at <= ${clock.now} LIMIT ${limit}) AS some`,
    [kind],
  );
  return Number(row.ready);
}
