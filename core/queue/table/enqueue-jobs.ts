import type { EntityManager } from "typeorm";
import type { QueuePorts } from "../ports.js";
import type { NewJob } from "../queue.js";
import { change, DatabaseClock, moment, type Sql } from "./sql.js";

const rowsOfAnInsert = 500;

const onConflict = {
  sqlite: `ON CONFLICT (kind, row_id) DO UPDATE SET
    woken_at = CASE WHEN lock_token IS NULL THEN NULL
      ELSE MIN(COALESCE(woken_at, excluded.ready_at), excluded.ready_at) END,
    ready_at = CASE WHEN lock_token IS NULL THEN MIN(ready_at, excluded.ready_at) ELSE ready_at END`,
  mysql: `ON DUPLICATE KEY UPDATE
    woken_at = IF(lock_token IS NULL, NULL, LEAST(COALESCE(woken_at, VALUES(ready_at)), VALUES(ready_at))),
    ready_at = IF(lock_token IS NULL, LEAST(ready_at, VALUES(ready_at)), ready_at)`,
};

/** Writes jobs; one that exists is woken no later than asked, and one that runs is marked to run again. */
export async function enqueueJobs(
  tx: EntityManager,
  dialect: QueuePorts["dialect"],
  jobs: readonly NewJob[],
): Promise<void> {
  const clock = new DatabaseClock(dialect);
  const tail = onConflict[dialect === "sqlite" ? "sqlite" : "mysql"];
  for (let from = 0; from < jobs.length; from += rowsOfAnInsert) {
    const rows = jobs.slice(from, from + rowsOfAnInsert);
    const { text, values } = insertOf(rows, clock);
    await change(tx, `${text} ${tail}`, values);
  }
}

/** Writes a job unless it exists, in whatever state. */
export async function plantJob(
  tx: EntityManager,
  dialect: QueuePorts["dialect"],
  job: NewJob,
): Promise<void> {
  const { text, values } = insertOf([job], new DatabaseClock(dialect));
  const tail =
    dialect === "sqlite"
      ? "ON CONFLICT (kind, row_id) DO NOTHING"
      : "ON DUPLICATE KEY UPDATE kind = VALUES(kind)";
  await change(tx, `${text} ${tail}`, values);
}

function insertOf(jobs: readonly NewJob[], clock: DatabaseClock): Sql {
  const rows = jobs.map((job) => rowOf(job, clock));
  return {
    text: `INSERT INTO job (kind, row_id, share, ready_at, attempts) VALUES ${rows
      .map(({ text }) => text)
      .join(", ")}`,
    values: rows.flatMap(({ values }) => values),
  };
}

function rowOf(job: NewJob, clock: DatabaseClock): Sql {
  const { kind, rowId, share = "" } = job;
  const time = timeOf(job, clock);
  return {
    text: `(?, ?, ?, ${time.text}, 0)`,
    values: [kind, rowId, share, ...time.values],
  };
}

function timeOf({ runAt, delayMs = 0 }: NewJob, clock: DatabaseClock): Sql {
  if (runAt)
    return {
      text: "?",
      values: [moment(new Date(runAt.getTime() + delayMs))],
    };
  return delayMs > 0 ? clock.later(delayMs) : { text: clock.now, values: [] };
}
