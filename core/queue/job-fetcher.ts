import { randomUUID } from "node:crypto";
import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import type { Claim, JobTable, Lock } from "./job-table.js";
import type { QueuePorts } from "./queue.js";

interface FetcherOptions {
  kind: string;
  node: string;
  concurrency: number;
  leaseMs: number;
  maxPerPartition: number;
  /** Whether to claim jobs for all free slots at once, or only as many as are asked for. */
  prefetch: boolean;
  pollMs: number;
  /** Called when a delayed job becomes due before the next poll. */
  onDue: () => void;
}

/** While more than half of the slots are taken, those that become free within this time are filled in one transaction. */
const gatherMs = 25;

/**
 * Fetches this node's jobs of one kind. Claims no more jobs than may start at once, so that none waits here while another
 * node is free, and does not query the database again before its answer can differ.
 */
export class JobFetcher {
  readonly #claimer: JobClaimer;
  readonly #claimed: Claim[] = [];
  #round: Promise<void> | undefined;
  #waiting = 0;
  #isClosed = false;
  /** Rises whenever something may have become ready. */
  #wakeUps = 1;
  #wakeUpsSeen = 0;
  #nextPollAt = 0;
  #claimedAt = -Infinity;
  #dueTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ports: QueuePorts,
    table: JobTable,
    private readonly leases: Leases,
    private readonly options: FetcherOptions,
  ) {
    this.#claimer = new JobClaimer(table, options.kind);
  }

  /** The next job of this node, held from now on; undefined when nothing is ready or all slots are taken. */
  async next(): Promise<Claim | undefined> {
    this.#waiting += 1;
    try {
      // A round that has begun does not count this call.
      if (this.#claimed.length === 0) await this.#round;
      if (this.#claimed.length === 0) {
        this.#round ??= this.#fetch().finally(() => (this.#round = undefined));
        await this.#round;
      }
    } finally {
      this.#waiting -= 1;
    }
    return this.#isClosed ? undefined : this.#claimed.shift();
  }

  /** Something may have become ready. */
  nudge(): void {
    this.#wakeUps += 1;
  }

  /** Takes back a job that cannot start yet. */
  requeue(claim: Claim): void {
    this.#claimed.unshift(claim);
  }

  /** Hands out no more jobs; resolves when no claim is in progress. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#dueTimer);
    await this.#round?.catch(() => undefined);
  }

  async #fetch(): Promise<void> {
    const { kind, concurrency, prefetch } = this.options;
    const free = concurrency - this.leases.count(kind);
    const limit = prefetch ? free : Math.min(free, this.#waiting);
    const isWoken = this.#wakeUpsSeen !== this.#wakeUps;
    const isEarly = !isWoken && performance.now() < this.#nextPollAt;
    if (this.#isClosed || limit <= 0 || isEarly) return;
    const gatherLeft = this.#claimedAt + gatherMs - performance.now();
    if (prefetch && limit < concurrency / 2 && gatherLeft > 0)
      return this.#pollAgainIn(gatherLeft);
    this.#wakeUpsSeen = this.#wakeUps;
    if (!isWoken && !(await this.#hasReady())) return;
    const { claims, nextPollMs } = await this.#claim(limit);
    this.#claimed.push(...claims);
    if (nextPollMs > 0) this.#pollAgainIn(nextPollMs);
    else this.#wakeUps += 1;
  }

  /** Reads without a write, since most polls find nothing. */
  async #hasReady(): Promise<boolean> {
    const partitions = await this.#claimer.scanner.read(this.ports.read);
    const waits = partitions.map((partition) => partition.waitMs);
    const waitMs = Math.min(Infinity, ...waits);
    if (waitMs > 0) this.#pollAgainIn(waitMs);
    return waitMs <= 0;
  }

  async #claim(limit: number): Promise<ClaimResult> {
    const { leaseMs, maxPerPartition, node } = this.options;
    const since = performance.now();
    const result = await this.ports.unitOfWork.run((tx) => {
      const token = randomUUID();
      const request = { limit, maxPerPartition, leaseMs, node, token };
      return this.#claimer.claim(tx, request);
    });
    this.#claimedAt = performance.now();
    this.leases.hold(result.claims, leaseMs, since);
    return result;
  }

  /** At the next poll at the latest, or when the next job is due. */
  #pollAgainIn(ms: number): void {
    const { pollMs, onDue } = this.options;
    this.#nextPollAt = performance.now() + Math.min(ms, pollMs / 2);
    clearTimeout(this.#dueTimer);
    if (ms < pollMs) this.#dueTimer = setTimeout(onDue, ms + 1);
  }
}

interface ClaimRequest extends Lock {
  /** The most jobs to take. */
  limit: number;
  /** Jobs of one partition that may run at once, on all nodes together. */
  maxPerPartition: number;
}

interface ClaimResult {
  claims: Claim[];
  /** Milliseconds until the next poll is worthwhile; 0 when jobs that may start are left. */
  nextPollMs: number;
}

/** Claims jobs of one kind fairly between partitions, and remembers between claims whose turn it is. */
class JobClaimer {
  readonly scanner: PartitionScanner;
  readonly #schedule = new FairSchedule();

  constructor(
    private readonly table: JobTable,
    private readonly kind: string,
  ) {
    this.scanner = new PartitionScanner(table, kind);
  }

  /** Takes up to `limit` jobs, each from the partition whose turn it is, oldest first within a partition. */
  async claim(tx: EntityManager, request: ClaimRequest): Promise<ClaimResult> {
    const { limit, maxPerPartition } = request;
    if (maxPerPartition < Infinity) await this.table.lockLimit(tx, this.kind);
    const partitions = await this.scanner.read(tx);
    const ready = partitions
      .filter(({ waitMs }) => waitMs <= 0)
      .toSorted((one, other) => one.waitMs - other.waitMs);
    const waits = partitions.map(({ waitMs }) => waitMs).filter((ms) => ms > 0);
    const open = new Set(ready.map(({ key }) => key));
    const claims: Claim[] = [];
    let isCapped = false;
    while (claims.length < limit && open.size > 0) {
      const taken: Claim[] = [];
      const grants = this.#schedule.grant(limit - claims.length, open);
      for (const [key, granted] of grants) {
        const free = await this.#countFree(tx, key, request);
        const count = Math.min(granted, free);
        const found = await this.#find(tx, key, count, request.token);
        taken.push(...found);
        isCapped ||= count < granted;
        if (found.length < granted) open.delete(key);
      }
      await this.table.lock(tx, this.kind, taken, request);
      claims.push(...taken);
    }
    const isMore = claims.length === limit || isCapped;
    return { claims, nextPollMs: isMore ? 0 : Math.min(Infinity, ...waits) };
  }

  async #countFree(
    tx: EntityManager,
    key: string,
    { maxPerPartition, leaseMs }: ClaimRequest,
  ): Promise<number> {
    if (maxPerPartition === Infinity) return Infinity;
    const { table, kind } = this;
    return maxPerPartition - (await table.countRunning(tx, kind, key, leaseMs));
  }

  async #find(
    tx: EntityManager,
    partitionKey: string,
    limit: number,
    token: string,
  ): Promise<Claim[]> {
    const { table, kind } = this;
    const found = await table.findReady(tx, kind, partitionKey, limit);
    return found.map(({ rowId, attempts }) => ({
      kind,
      rowId,
      partitionKey,
      attempt: attempts + 1,
      token,
    }));
  }
}

/** A partition with jobs of one kind. */
interface Partition {
  key: string;
  /** Milliseconds until its first job may start; zero or negative when it may start now. */
  waitMs: number;
}

/** MySQL needs one statement for each partition, so one scan reads fewer. */
const partitionsPerScan = { sqlite: 1000, mysql: 200 };

/**
 * Finds the partitions that have jobs of a kind, each with its first job, by jumping from partition to partition in the
 * index (kind, share, ready_at), however many jobs each has. When there are very many, a scan reads some of them and the
 * next one continues.
 */
class PartitionScanner {
  /** The last partition of the previous scan. */
  #after: string | null = null;
  readonly #max: number;

  constructor(
    private readonly table: JobTable,
    private readonly kind: string,
  ) {
    this.#max = partitionsPerScan[table.isSqlite ? "sqlite" : "mysql"];
  }

  async read(reader: EntityManager): Promise<Partition[]> {
    const after = this.#after;
    const found = this.table.isSqlite
      ? await this.#readInOneStatement(reader, after)
      : await this.#readOneByOne(reader, after);
    this.#after =
      found.length === this.#max ? (found.at(-1)?.key ?? null) : null;
    return found.length === 0 && after !== null ? this.read(reader) : found;
  }

  #readInOneStatement(
    reader: EntityManager,
    after: string | null,
  ): Promise<Partition[]> {
    const { kind } = this;
    const start = after === null ? "" : "AND share > ?";
    return reader.query<Partition[]>(
      `WITH RECURSIVE line (share) AS (
        SELECT (SELECT share FROM job WHERE kind = ? ${start} ORDER BY share LIMIT 1)
        UNION ALL
        SELECT (SELECT job.share FROM job WHERE job.kind = ? AND job.share > line.share
          ORDER BY job.share LIMIT 1)
        FROM line WHERE line.share IS NOT NULL
      )
      SELECT share AS "key", (SELECT ${this.table.clock.until("ready_at")} FROM job
        WHERE job.kind = ? AND job.share = line.share ORDER BY job.ready_at LIMIT 1) AS waitMs
      FROM line WHERE share IS NOT NULL LIMIT ${this.#max}`,
      [kind, ...(after === null ? [] : [after]), kind, kind],
    );
  }

  /** In one statement, MySQL and MariaDB would read all jobs of the kind when their statistics are outdated. */
  async #readOneByOne(
    reader: EntityManager,
    from: string | null,
  ): Promise<Partition[]> {
    const found: Partition[] = [];
    for (let last = from; found.length < this.#max;) {
      const after = last === null ? "" : "AND share > ?";
      const [row] = await reader.query<{ share: string; waitMs: unknown }[]>(
        `SELECT share, ${this.table.clock.until("ready_at")} AS waitMs
         FROM job FORCE INDEX (ix_job_ready)
         WHERE kind = ? ${after} ORDER BY share, ready_at LIMIT 1`,
        [this.kind, ...(last === null ? [] : [last])],
      );
      if (!row) break;
      found.push({ key: row.share, waitMs: Number(row.waitMs) });
      last = row.share;
    }
    return found;
  }
}

/**
 * Start-time fair queueing between partitions: each job served moves its partition one turn on, and the partition with
 * the lowest turn comes next. A partition that was idle starts at the present turn, so that it neither gains nor loses
 * by it. Nodes need not agree: as each is fair, so are all together.
 */
class FairSchedule {
  #now = 0;
  readonly #next = new Map<string, number>();

  /** Gives out `count` jobs, one after the other, to the partition whose turn it is. */
  grant(count: number, keys: Iterable<string>): Map<string, number> {
    const all = [...keys];
    const grants = new Map<string, number>();
    for (let given = 0; given < count; given += 1) {
      const key = this.#choose(all);
      this.#serve(key);
      grants.set(key, (grants.get(key) ?? 0) + 1);
    }
    return grants;
  }

  /** The first of those with the lowest turn. */
  #choose(keys: readonly string[]): string {
    return keys.reduce((chosen, key) =>
      this.#getTurn(key) < this.#getTurn(chosen) ? key : chosen,
    );
  }

  #serve(key: string): void {
    const turn = this.#getTurn(key);
    this.#next.set(key, turn + 1);
    this.#now = Math.max(this.#now, turn);
    // Turns before the present one mean the same as none.
    if (this.#next.size > 1000)
      for (const [other, next] of this.#next)
        if (next <= this.#now) this.#next.delete(other);
  }

  #getTurn(key: string): number {
    return Math.max(this.#now, this.#next.get(key) ?? 0);
  }
}

interface Held {
  claim: Claim;
  abort: AbortController;
  /** By this process's monotonic clock. */
  endsAt: number;
}

/** The jobs that this node holds. Renews their leases, and aborts the run of a job whose lease was lost. */
export class Leases {
  readonly #held = new Map<Claim, Held>();
  readonly #timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
  ) {}

  /** Starts to renew the leases of a kind, every third of their length. */
  startRenewing(kind: string, leaseMs: number): void {
    const renew = () => void this.#renew(kind, leaseMs);
    this.#timers.push(setInterval(renew, leaseMs / 3));
  }

  /** @param since when the claim was started, by `performance.now()`. */
  hold(claims: readonly Claim[], leaseMs: number, since: number): void {
    for (const claim of claims)
      this.#held.set(claim, {
        claim,
        abort: new AbortController(),
        endsAt: since + leaseMs,
      });
  }

  drop(claim: Claim): void {
    this.#held.delete(claim);
  }

  count(kind: string): number {
    return this.#find(kind).length;
  }

  /** Fires when the lease is lost or all runs are aborted. */
  getSignal(claim: Claim): AbortSignal {
    return (
      this.#held.get(claim)?.abort.signal ?? AbortSignal.abort(leaseLost())
    );
  }

  isHeld(claim: Claim): boolean {
    return this.#held.has(claim);
  }

  abortAll(reason: Error): void {
    for (const { abort } of this.#held.values()) abort.abort(reason);
  }

  /** Stops renewing and releases the jobs still held. One that cannot be released is free when its lease ends. */
  async release(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const kinds = new Set([...this.#held.keys()].map(({ kind }) => kind));
    try {
      for (const kind of kinds) {
        const claims = this.#find(kind).map(({ claim }) => claim);
        await this.ports.unitOfWork.run((tx) =>
          this.table.release(tx, kind, claims),
        );
      }
    } catch (error) {
      this.ports.log.warn({ err: error }, "could not release jobs");
    }
    this.#held.clear();
  }

  #find(kind: string): Held[] {
    return [...this.#held.values()].filter(({ claim }) => claim.kind === kind);
  }

  async #renew(kind: string, leaseMs: number): Promise<void> {
    const held = this.#find(kind);
    if (held.length === 0) return;
    const since = performance.now();
    try {
      const claims = held.map(({ claim }) => claim);
      const lost = await this.ports.unitOfWork.run((tx) =>
        this.table.renew(tx, kind, claims, leaseMs),
      );
      for (const job of held) job.endsAt = since + leaseMs;
      for (const claim of lost) this.#lose(claim);
    } catch (error) {
      this.ports.log.warn({ kind, err: error }, "could not renew leases");
      const now = performance.now();
      for (const { claim, endsAt } of held) if (endsAt < now) this.#lose(claim);
    }
  }

  /** A job that ended meanwhile is not held any more, and so not lost. */
  #lose(claim: Claim): void {
    const held = this.#held.get(claim);
    if (!held) return;
    this.#held.delete(claim);
    const { kind, rowId } = claim;
    this.ports.log.warn({ kind, rowId }, "lease lost");
    held.abort.abort(leaseLost());
  }
}

function leaseLost(): PlatenError {
  return new PlatenError(
    "conflict",
    "The lease of this job was lost: another node may be running it. Discard the results of this run.",
  );
}
