import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import type { QueuePorts, NewJob, KindStats } from "./queue.js";

/** The table `job` in one of the databases. */
export class JobTable {
  readonly clock: DatabaseClock;
  readonly isSqlite: boolean;

  constructor(readonly dialect: QueuePorts["dialect"]) {
    this.clock = new DatabaseClock(dialect);
    this.isSqlite = dialect === "sqlite";
  }
}

/** A job that this node holds: until its lease ends nobody else takes it. */
export interface Claim {
  readonly kind: string;
  readonly rowId: string;
  readonly share: string;
  /** Counts from 1, this run included. */
  readonly attempt: number;
  /** A save that names another token than the row's comes too late. */
  readonly token: string;
}

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

/** No job is of this kind, so that nobody ever claims such a row. */
const turnstileKind = "";

/** A row to lock for those who count what runs of a kind before they take more. */
export function turnstileOf(kind: string): NewJob {
  return {
    kind: turnstileKind,
    rowId: kind,
    runAt: new Date(Date.UTC(9999, 0)),
  };
}

/** Waits until no other node counts the jobs of the kind; SQLite has one writer anyway. */
export async function passTurnstile(
  tx: EntityManager,
  { isSqlite }: JobTable,
  kind: string,
): Promise<void> {
  if (isSqlite) return;
  await tx.query(
    "SELECT row_id FROM job WHERE kind = ? AND row_id = ? FOR UPDATE",
    [turnstileKind, kind],
  );
}

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

interface Lock {
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

/** Prolongs the leases of held jobs of one kind. @returns those that were lost. */
export async function renewClaims(
  tx: EntityManager,
  { clock }: JobTable,
  kind: string,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<Claim[]> {
  const ids = claims.map(({ rowId }) => rowId);
  const tokens = [...new Set(claims.map(({ token }) => token))];
  const held = `kind = ? AND row_id IN (${marks(ids)}) AND lock_token IN (${marks(tokens)})`;
  const values = [kind, ...ids, ...tokens];
  const end = clock.later(leaseMs);
  const renewed = await change(
    tx,
    `UPDATE job SET ready_at = ${end.text} WHERE ${held}`,
    [...end.values, ...values],
  );
  if (renewed === claims.length) return [];
  const rows = await tx.query<{ rowId: string; token: string }[]>(
    `SELECT row_id AS "rowId", lock_token AS token FROM job WHERE ${held}`,
    values,
  );
  const kept = new Set(rows.map(({ rowId, token }) => `${rowId} ${token}`));
  return claims.filter(({ rowId, token }) => !kept.has(`${rowId} ${token}`));
}

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

/** A piece of SQL and what its question marks stand for. */
interface Sql {
  text: string;
  values: readonly unknown[];
}

/** A time as both databases write it, in UTC. */
function moment(date: Date): string {
  return date.toISOString().replace("T", " ").replace("Z", "");
}

/** The database's clock: nodes may disagree about the time, and none of them is asked. */
class DatabaseClock {
  readonly #isSqlite: boolean;

  constructor(dialect: QueuePorts["dialect"]) {
    this.#isSqlite = dialect === "sqlite";
  }

  get now(): string {
    return this.#isSqlite
      ? "strftime('%Y-%m-%d %H:%M:%f', 'now')"
      : "UTC_TIMESTAMP(3)";
  }

  /** So many milliseconds from now. */
  later(ms: number): Sql {
    return this.#isSqlite
      ? {
          text: "strftime('%Y-%m-%d %H:%M:%f', 'now', ?)",
          values: [`${(ms / 1000).toFixed(3)} seconds`],
        }
      : {
          text: "UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND",
          values: [Math.round(ms * 1000)],
        };
  }

  /** Milliseconds from now until the time in `column`; negative when it has passed. */
  until(column: string): string {
    return this.#isSqlite
      ? `(julianday(${column}) - julianday('now')) * 86400000`
      : `TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), ${column}) / 1000`;
  }
}

/** Question marks for a list of values. */
function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}

/** Runs a statement that changes rows, and says how many. */
async function change(
  tx: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  if (!tx.queryRunner)
    throw new PlatenError(
      "internal",
      "The queue was handed an entity manager outside of a transaction: pass the one that the unit of work gives.",
    );
  const { affected } = await tx.queryRunner.query(text, [...values], true);
  return affected ?? 0;
}
