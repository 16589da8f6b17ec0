import { randomUUID } from "node:crypto";
import type { EntityManager } from "typeorm";
import {
  changeRows,
  formatDatetime,
  marks,
} from "../storage/database/index.js";
import type { JobStats, NewJob, QueuePorts } from "./queue.js";

/** A job that this node holds: until its lease ends, no other node takes it. */
export interface Claim {
  readonly kind: string;
  readonly rowId: string;
  readonly partition: PartitionName;
  /** Counts from 1, this run included. */
  readonly attempt: number;
  /** The fencing token: a write with another token than the row's changes nothing. */
  readonly token: string;
}

/** The partition of a job, as the column `share` holds it. */
export interface PartitionName {
  /** See `NewJob.partitionKey`. */
  key: string;
  isUrgent: boolean;
}

/** Urgent jobs have a partition beside that of the others, so that they are found without another index. */
const urgentMark = "!";

function formatPartition({ key, isUrgent }: PartitionName): string {
  return isUrgent ? `${key}${urgentMark}` : key;
}

export function parsePartition(share: string): PartitionName {
  const isUrgent = share.endsWith(urgentMark);
  return { key: isUrgent ? share.slice(0, -1) : share, isUrgent };
}

/** Begins the token of jobs that run in turn with another one, and so do not count for their partition's limit. */
const turnMark = "+";

export function createTokenInTurn(): string {
  return `${turnMark}${randomUUID()}`;
}

export interface Lock {
  leaseMs: number;
  token: string;
  node: string;
}

interface Sql {
  text: string;
  values: readonly unknown[];
}

const rowsPerInsert = 500;
/** No worker has this kind, so the lock rows of `lockLimit` are never claimed. */
const limitKind = "";
const unlocked = "lock_token = NULL, locked_by = NULL, woken_at = NULL";

const onConflict = {
  sqlite: `ON CONFLICT (kind, row_id) DO UPDATE SET
    woken_at = CASE WHEN lock_token IS NULL THEN NULL
      ELSE MIN(COALESCE(woken_at, excluded.ready_at), excluded.ready_at) END,
    ready_at = CASE WHEN lock_token IS NULL THEN MIN(ready_at, excluded.ready_at) ELSE ready_at END,
    share = CASE WHEN lock_token IS NULL AND excluded.share LIKE '%!' THEN excluded.share ELSE share END`,
  mysql: `ON DUPLICATE KEY UPDATE
    woken_at = IF(lock_token IS NULL, NULL, LEAST(COALESCE(woken_at, VALUES(ready_at)), VALUES(ready_at))),
    ready_at = IF(lock_token IS NULL, LEAST(ready_at, VALUES(ready_at)), ready_at),
    share = IF(lock_token IS NULL AND VALUES(share) LIKE '%!', VALUES(share), share)`,
};

/** A row to lock while the running jobs of a limited kind are counted. */
export function limitRow(kind: string): NewJob {
  return { kind: limitKind, rowId: kind, runAt: new Date(Date.UTC(9999, 0)) };
}

/**
 * The statements on the table `job`. Every statement that ends a held job names the token of its claim: on a job that
 * another node has taken since, it changes nothing.
 */
export class JobTable {
  readonly clock: DatabaseClock;
  readonly isSqlite: boolean;

  constructor(dialect: QueuePorts["dialect"]) {
    this.isSqlite = dialect === "sqlite";
    this.clock = new DatabaseClock(this.isSqlite);
  }

  /** Writes jobs. One that exists is woken no later than asked, and one that runs is marked to run again. */
  async enqueue(tx: EntityManager, jobs: readonly NewJob[]): Promise<void> {
    const tail = onConflict[this.isSqlite ? "sqlite" : "mysql"];
    for (let from = 0; from < jobs.length; from += rowsPerInsert)
      await this.#insert(tx, jobs.slice(from, from + rowsPerInsert), tail);
  }

  /** Writes a job unless it exists, in whatever state. */
  async seed(tx: EntityManager, job: NewJob): Promise<void> {
    const tail = this.isSqlite
      ? "ON CONFLICT (kind, row_id) DO NOTHING"
      : "ON DUPLICATE KEY UPDATE kind = VALUES(kind)";
    await this.#insert(tx, [job], tail);
  }

  async #insert(
    tx: EntityManager,
    jobs: readonly NewJob[],
    tail: string,
  ): Promise<void> {
    const rows = jobs.map((job) => {
      const { kind, rowId, runAt, delayMs = 0 } = job;
      const { partitionKey: key = "", isUrgent = false } = job;
      const time = runAt
        ? {
            text: "?",
            values: [formatDatetime(new Date(runAt.getTime() + delayMs))],
          }
        : this.clock.later(delayMs);
      return {
        text: `(?, ?, ?, ${time.text}, 0)`,
        values: [
          kind,
          rowId,
          formatPartition({ key, isUrgent }),
          ...time.values,
        ],
      };
    });
    await changeRows(
      tx,
      `INSERT INTO job (kind, row_id, share, ready_at, attempts)
        VALUES ${rows.map(({ text }) => text).join(", ")} ${tail}`,
      rows.flatMap(({ values }) => values),
    );
  }

  /** Waits until no other node counts the running jobs of the kind. SQLite has only one writer. */
  async lockLimit(tx: EntityManager, kind: string): Promise<void> {
    if (this.isSqlite) return;
    await tx.query(
      "SELECT row_id FROM job WHERE kind = ? AND row_id = ? FOR UPDATE",
      [limitKind, kind],
    );
  }

  /**
   * How many jobs of a partition run now, urgent or not, on all nodes, without those that were taken in turn with another.
   * Leases end within `leaseMs`, so later rows are skipped.
   */
  async countRunning(
    tx: EntityManager,
    kind: string,
    { key }: PartitionName,
    leaseMs: number,
  ): Promise<number> {
    const end = this.clock.later(leaseMs);
    const [row] = await tx.query<[{ running: unknown }]>(
      `SELECT COUNT(*) AS running FROM job WHERE kind = ? AND share IN (?, ?)
         AND ready_at > ${this.clock.now} AND ready_at <= ${end.text}
         AND lock_token IS NOT NULL AND lock_token NOT LIKE '${turnMark}%'`,
      [kind, key, formatPartition({ key, isUrgent: true }), ...end.values],
    );
    return Number(row.running);
  }

  /**
   * The oldest jobs of one partition that may start, up to `limit`, without those that another node is taking.
   * @param isFresh only those that no earlier run was interrupted of
   */
  async findReady(
    tx: EntityManager,
    kind: string,
    partition: PartitionName,
    limit: number,
    isFresh = false,
  ): Promise<{ rowId: string; attempts: number }[]> {
    if (limit <= 0) return [];
    const lock = this.isSqlite ? "" : "FOR UPDATE SKIP LOCKED";
    return tx.query(
      `SELECT row_id AS "rowId", attempts FROM job ${this.#readyHint}
       WHERE kind = ? AND share = ? AND ready_at <= ${this.clock.now} ${isFresh ? "AND attempts = 0" : ""}
       ORDER BY ready_at LIMIT ${limit} ${lock}`,
      [kind, formatPartition(partition)],
    );
  }

  /** Whether a partition has jobs that may start, those included that another node is taking. */
  async hasReady(
    reader: EntityManager,
    kind: string,
    partition: PartitionName,
  ): Promise<boolean> {
    const rows = await reader.query<unknown[]>(
      `SELECT 1 FROM job ${this.#readyHint}
       WHERE kind = ? AND share = ? AND ready_at <= ${this.clock.now} LIMIT 1`,
      [kind, formatPartition(partition)],
    );
    return rows.length > 0;
  }

  /** With outdated statistics, MariaDB would also read the jobs that are delayed. */
  get #readyHint(): string {
    return this.isSqlite ? "" : "FORCE INDEX (ix_job_ready)";
  }

  /** Takes jobs that were found in the same transaction, for the time of a lease. */
  async lock(
    tx: EntityManager,
    kind: string,
    claims: readonly Claim[],
    { leaseMs, token, node }: Lock,
  ): Promise<void> {
    if (claims.length === 0) return;
    const end = this.clock.later(leaseMs);
    const ids = claims.map(({ rowId }) => rowId);
    await tx.query(
      `UPDATE job SET ready_at = ${end.text}, attempts = attempts + 1, lock_token = ?, locked_by = ?, woken_at = NULL
       WHERE kind = ? AND row_id IN (${marks(ids)})`,
      [...end.values, token, node, kind, ...ids],
    );
  }

  /** Renews the leases of held jobs of one kind. @returns those that were lost. */
  async renew(
    tx: EntityManager,
    kind: string,
    claims: readonly Claim[],
    leaseMs: number,
  ): Promise<Claim[]> {
    const held = whereHeld(kind, claims);
    const end = this.clock.later(leaseMs);
    const renewed = await changeRows(
      tx,
      `UPDATE job SET ready_at = ${end.text} WHERE ${held.text}`,
      [...end.values, ...held.values],
    );
    if (renewed === claims.length) return [];
    const rows = await tx.query<{ rowId: string; token: string }[]>(
      `SELECT row_id AS "rowId", lock_token AS token FROM job WHERE ${held.text}`,
      [...held.values],
    );
    const heldKeys = new Set(
      rows.map(({ rowId, token }) => `${rowId} ${token}`),
    );
    return claims.filter(
      ({ rowId, token }) => !heldKeys.has(`${rowId} ${token}`),
    );
  }

  /**
   * Deletes finished jobs of one kind; one that was enqueued again while it ran becomes ready instead.
   * @returns how many were still held.
   */
  async complete(
    tx: EntityManager,
    kind: string,
    claims: readonly Claim[],
  ): Promise<number> {
    const { text, values } = whereHeld(kind, claims);
    const deleted = await changeRows(
      tx,
      `DELETE FROM job WHERE ${text} AND woken_at IS NULL`,
      values,
    );
    if (deleted === claims.length) return deleted;
    const woken = await changeRows(
      tx,
      `UPDATE job SET ready_at = woken_at, attempts = 0, ${unlocked} WHERE ${text}`,
      values,
    );
    return deleted + woken;
  }

  /** Returns jobs to the queue as if they had not been taken. */
  async release(
    tx: EntityManager,
    kind: string,
    claims: readonly Claim[],
  ): Promise<void> {
    const { text, values } = whereHeld(kind, claims);
    await changeRows(
      tx,
      `UPDATE job SET ready_at = ${this.clock.now}, attempts = attempts - 1, ${unlocked} WHERE ${text}`,
      values,
    );
  }

  /**
   * Ends a run and schedules the next one, which comes earlier when the job was enqueued meanwhile.
   * @param keepAttempts whether interrupted and failed runs keep counting
   */
  async postpone(
    tx: EntityManager,
    claim: Claim,
    delayMs: number,
    keepAttempts: boolean,
  ): Promise<void> {
    const held = whereHeld(claim.kind, [claim]);
    const time = this.clock.later(delayMs);
    const least = this.isSqlite ? "MIN" : "LEAST";
    await changeRows(
      tx,
      `UPDATE job SET ready_at = ${least}(COALESCE(woken_at, ${time.text}), ${time.text}),
         ${keepAttempts ? "" : "attempts = 0,"} ${unlocked} WHERE ${held.text}`,
      [...time.values, ...time.values, ...held.values],
    );
  }

  /** Counts the jobs of each kind in one pass over the table. */
  async readStats(reader: EntityManager): Promise<JobStats[]> {
    const isReady = `ready_at <= ${this.clock.now}`;
    const rows = await reader.query<
      (Record<Exclude<keyof JobStats, "kind">, unknown> & { kind: string })[]
    >(`SELECT kind,
      SUM(CASE WHEN ${isReady} THEN 1 ELSE 0 END) AS "ready",
      SUM(CASE WHEN NOT (${isReady}) AND lock_token IS NULL THEN 1 ELSE 0 END) AS "delayed",
      SUM(CASE WHEN NOT (${isReady}) AND lock_token IS NOT NULL THEN 1 ELSE 0 END) AS "running",
      ${this.clock.until("MIN(ready_at)")} / -1000 AS "oldestReadySeconds"
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
  async countReady(
    reader: EntityManager,
    kind: string,
    limit: number,
  ): Promise<number> {
    const [row] = await reader.query<[{ ready: unknown }]>(
      `SELECT COUNT(*) AS ready FROM
         (SELECT 1 AS one FROM job WHERE kind = ? AND ready_at <= ${this.clock.now} LIMIT ${limit}) AS some`,
      [kind],
    );
    return Number(row.ready);
  }
}

function whereHeld(kind: string, claims: readonly Claim[]): Sql {
  const ids = claims.map(({ rowId }) => rowId);
  const tokens = [...new Set(claims.map(({ token }) => token))];
  return {
    text: `kind = ? AND row_id IN (${marks(ids)}) AND lock_token IN (${marks(tokens)})`,
    values: [kind, ...ids, ...tokens],
  };
}

/** The database's clock, since the nodes' own clocks may disagree. */
class DatabaseClock {
  readonly now: string;

  constructor(private readonly isSqlite: boolean) {
    this.now = isSqlite
      ? "strftime('%Y-%m-%d %H:%M:%f', 'now')"
      : "UTC_TIMESTAMP(3)";
  }

  /** So many milliseconds from now. */
  later(ms: number): Sql {
    if (ms === 0) return { text: this.now, values: [] };
    return this.isSqlite
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
    return this.isSqlite
      ? `(julianday(${column}) - julianday('now')) * 86400000`
      : `TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(3), ${column}) / 1000`;
  }
}
