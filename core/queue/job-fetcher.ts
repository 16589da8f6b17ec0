import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { EntityManager } from "typeorm";
import { clock, type Timer } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  type Claim,
  createTokenInTurn,
  type JobTable,
  type Lock,
  parsePartition,
  type PartitionName,
} from "./job-table.js";
import type { PartitionLimit, QueuePorts, WorkOptions } from "./queue.js";

interface FetcherOptions extends ClaimerOptions {
  node: string;
  leaseMs: number;
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
  #dueTimer: Timer | undefined;

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
    private readonly leases: Leases,
    private readonly options: FetcherOptions,
  ) {
    this.#claimer = new JobClaimer(table, leases, options);
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

  /** Takes more ready jobs of the partition of a held one, for its slot; see `Queue.takeMore`. */
  async takeMore(
    { partition }: Claim,
    limit: number,
    inTurn: boolean,
  ): Promise<Claim[]> {
    const { kind, leaseMs, node } = this.options;
    const { read, unitOfWork } = this.ports;
    // A read without a write, since often there are none.
    if (!(await this.table.hasReady(read, kind, partition))) return [];
    const since = performance.now();
    const token = inTurn ? createTokenInTurn() : randomUUID();
    const request = { limit, leaseMs, node, token };
    const claims = await unitOfWork.run((tx) =>
      this.#claimer.claimMore(tx, partition, request, inTurn),
    );
    this.leases.hold(claims, leaseMs, since, true);
    return claims;
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
    this.#dueTimer?.cancel();
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
    const partitions = await this.#claimer.read(this.ports.read);
    const waits = partitions.map((partition) => partition.waitMs);
    const waitMs = Math.min(Infinity, ...waits);
    if (waitMs > 0) this.#pollAgainIn(waitMs);
    // Or the claim would continue behind the partitions that have ready jobs.
    else this.#claimer.rewind();
    return waitMs <= 0;
  }

  async #claim(limit: number): Promise<ClaimResult> {
    const { leaseMs, node } = this.options;
    const since = performance.now();
    const result = await this.ports.unitOfWork.run((tx) => {
      const token = randomUUID();
      const request = { limit, leaseMs, node, token };
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
    this.#dueTimer?.cancel();
    if (ms >= pollMs) return;
    this.#dueTimer = clock.limit(ms, () => {
      // Timers count whole milliseconds, so this may still be a part of one before it.
      this.#nextPollAt = 0;
      onDue();
    });
  }
}

interface ClaimRequest extends Lock {
  /** The most jobs to take. */
  limit: number;
}

interface ClaimResult {
  claims: Claim[];
  /** Milliseconds until the next poll is worthwhile; 0 when jobs that may start are left. */
  nextPollMs: number;
}

interface ClaimerOptions extends Pick<
  WorkOptions,
  "concurrency" | "leavesSlotsFree" | "getLimit"
> {
  kind: string;
  /** Jobs of one partition that may run at once, on all nodes together. */
  maxPerPartition: number;
}

/**
 * Claims jobs of one kind fairly between organizations, and between the partitions of each, and remembers between claims
 * whose turn it is.
 */
class JobClaimer {
  readonly #scanner: PartitionScanner;
  readonly #schedule = new FairSchedule();
  /** For each organization, whose turn it is among its partitions. */
  readonly #schedules = new LRUCache<string, FairSchedule>({ max: 1000 });

  constructor(
    private readonly table: JobTable,
    private readonly leases: Leases,
    private readonly options: ClaimerOptions,
  ) {
    this.#scanner = new PartitionScanner(table, options.kind);
  }

  /** The partitions with jobs, each with the time until its first one may start. */
  async read(reader: EntityManager): Promise<Partition[]> {
    const { getLimit } = this.options;
    const scanned = await this.#scanner.read(reader);
    return scanned.map(({ share, waitMs }) => {
      const name = parsePartition(share);
      const limit = getLimit?.(name);
      const [organization = ""] = name.key.split("/");
      const wait = Math.max(waitMs, limit?.waitMs ?? -Infinity);
      return { share, name, organization, limit, waitMs: wait };
    });
  }

  /** Has the next claim read the same partitions again. */
  rewind(): void {
    this.#scanner.rewind();
  }

  /** Takes up to `limit` jobs, each from the partition whose turn it is, oldest first within a partition. */
  async claim(tx: EntityManager, request: ClaimRequest): Promise<ClaimResult> {
    const { kind, maxPerPartition } = this.options;
    const { limit } = request;
    if (maxPerPartition < Infinity) await this.table.lockLimit(tx, kind);
    const partitions = await this.read(tx);
    const ready = partitions
      .filter(({ waitMs }) => waitMs <= 0)
      .toSorted((partition, other) => partition.waitMs - other.waitMs);
    const waits = partitions.map(({ waitMs }) => waitMs).filter((ms) => ms > 0);
    const open = new Set(ready);
    const slots = new Slots(this.leases.list(kind), this.options);
    const claims: Claim[] = [];
    let isCapped = false;
    while (claims.length < limit) {
      const taken: Claim[] = [];
      const grants = this.#grant(limit - claims.length, open, slots);
      if (grants.size === 0) break;
      for (const [partition, granted] of grants) {
        const { name } = partition;
        const free = await this.#countFree(tx, name, request);
        const count = Math.min(granted, free);
        const nextClaims = await this.#find(tx, name, count, request.token);
        taken.push(...nextClaims);
        isCapped ||= count < granted;
        slots.change(partition, nextClaims.length - granted);
        if (nextClaims.length < granted) open.delete(partition);
      }
      await this.table.lock(tx, kind, taken, request);
      claims.push(...taken);
    }
    // Those that are left may start when a running job has ended.
    isCapped ||= open.size > 0;
    return { claims, nextPollMs: isCapped ? 0 : Math.min(Infinity, ...waits) };
  }

  /**
   * Takes up to `limit` jobs of one partition, oldest first, without those whose earlier runs were interrupted.
   * @param inTurn whether they do not count for the limit of the partition
   */
  async claimMore(
    tx: EntityManager,
    name: PartitionName,
    request: ClaimRequest,
    inTurn: boolean,
  ): Promise<Claim[]> {
    const { kind, maxPerPartition } = this.options;
    const isLimited = maxPerPartition < Infinity && !inTurn;
    if (isLimited) await this.table.lockLimit(tx, kind);
    const free = isLimited
      ? await this.#countFree(tx, name, request)
      : Infinity;
    const count = Math.min(request.limit, free);
    const taken = await this.#find(tx, name, count, request.token, true);
    await this.table.lock(tx, kind, taken, request);
    return taken;
  }

  /** Gives out up to `count` jobs, one after the other, to the partition whose turn it is. */
  #grant(
    count: number,
    open: ReadonlySet<Partition>,
    slots: Slots,
  ): Map<Partition, number> {
    const grants = new Map<Partition, number>();
    const candidates = new Map<string, Partition[]>();
    for (const partition of open) {
      const { organization } = partition;
      const partitions = candidates.get(organization) ?? [];
      partitions.push(partition);
      candidates.set(organization, partitions);
    }
    for (let given = 0; given < count && candidates.size > 0;) {
      const organization = this.#schedule.choose([...candidates.keys()]);
      const all = candidates.get(organization) ?? [];
      const free = all.filter((partition) => slots.isFree(partition));
      const urgent = free.filter(({ name }) => name.isUrgent);
      const next = urgent.length > 0 ? urgent : free;
      const [first] = next;
      if (first === undefined) {
        candidates.delete(organization);
        continue;
      }
      const schedule = this.#getSchedule(organization);
      const share = schedule.choose(next.map((candidate) => candidate.share));
      const partition =
        next.find((candidate) => candidate.share === share) ?? first;
      this.#schedule.serve(organization);
      schedule.serve(share);
      slots.change(partition, 1);
      grants.set(partition, (grants.get(partition) ?? 0) + 1);
      given += 1;
    }
    return grants;
  }

  #getSchedule(organization: string): FairSchedule {
    const schedule = this.#schedules.get(organization) ?? new FairSchedule();
    this.#schedules.set(organization, schedule);
    return schedule;
  }

  async #countFree(
    tx: EntityManager,
    name: PartitionName,
    { leaseMs }: ClaimRequest,
  ): Promise<number> {
    const { kind, maxPerPartition } = this.options;
    if (maxPerPartition === Infinity) return Infinity;
    const running = await this.table.countRunning(tx, kind, name, leaseMs);
    return maxPerPartition - running;
  }

  async #find(
    tx: EntityManager,
    name: PartitionName,
    limit: number,
    token: string,
    isFresh = false,
  ): Promise<Claim[]> {
    const { kind } = this.options;
    const readyJobs = await this.table.findReady(
      tx,
      kind,
      name,
      limit,
      isFresh,
    );
    return readyJobs.map(({ rowId, attempts }) => ({
      kind,
      rowId,
      partition: name,
      attempt: attempts + 1,
      token,
    }));
  }
}

/** Which partitions may start jobs on this node, by the jobs that it holds. */
class Slots {
  #used = 0;
  /** By organization, by partition, and by the key of a limit. */
  readonly #usedBy = new Map<unknown, number>();

  constructor(
    held: readonly Claim[],
    private readonly options: ClaimerOptions,
  ) {
    for (const { partition: name } of held) {
      const [organization = ""] = name.key.split("/");
      const limit = options.getLimit?.(name);
      this.change({ name, organization, limit }, 1);
    }
  }

  /** Counts jobs of a partition that are taken, or given back. */
  change(
    { name, organization, limit }: Omit<Partition, "share" | "waitMs">,
    by: number,
  ): void {
    this.#used += by;
    const keys = [`/${organization}`, name.key, limit?.key];
    // A partition without a limit has no key to count by.
    for (const key of keys.slice(0, limit ? 3 : 2))
      this.#usedBy.set(key, this.#count(key) + by);
  }

  isFree({ name, organization, limit }: Partition): boolean {
    const { concurrency, leavesSlotsFree = false } = this.options;
    if (limit && this.#count(limit.key) >= limit.maxRunning) return false;
    if (!leavesSlotsFree) return true;
    const ofOrganization = this.#count(`/${organization}`);
    if (ofOrganization >= concurrency - this.#used) return false;
    if (name.isUrgent) return true;
    const left = Math.floor(concurrency / 2) - ofOrganization;
    const ofPartition = this.#count(name.key);
    return ofPartition === 0 || ofPartition < left;
  }

  #count(key: unknown): number {
    return this.#usedBy.get(key) ?? 0;
  }
}

/** A partition with jobs of one kind. */
interface Partition {
  share: string;
  name: PartitionName;
  organization: string;
  limit: PartitionLimit | undefined;
  /** Milliseconds until its first job may start; zero or negative when it may start now. */
  waitMs: number;
}

type FoundPartition = Pick<Partition, "share" | "waitMs">;

/** MySQL needs one statement for each partition, so one scan reads fewer. */
const partitionsPerScan = { sqlite: 1000, mysql: 200 };

/**
 * Finds the partitions that have jobs of a kind, each with its first job, by jumping from partition to partition in the
 * index (kind, share, ready_at), however many jobs each has. When there are very many, a scan reads some of them and the
 * next one continues.
 */
class PartitionScanner {
  /** The last partition of the previous scan, and of the one before it. */
  #after: string | null = null;
  #before: string | null = null;
  readonly #max: number;

  constructor(
    private readonly table: JobTable,
    private readonly kind: string,
  ) {
    this.#max = partitionsPerScan[table.isSqlite ? "sqlite" : "mysql"];
  }

  async read(reader: EntityManager): Promise<FoundPartition[]> {
    const after = this.#after;
    this.#before = after;
    const partitions = this.table.isSqlite
      ? await this.#readInOneStatement(reader, after)
      : await this.#readOneByOne(reader, after);
    this.#after =
      partitions.length === this.#max
        ? (partitions.at(-1)?.share ?? null)
        : null;
    return partitions.length === 0 && after !== null
      ? this.read(reader)
      : partitions;
  }

  rewind(): void {
    this.#after = this.#before;
  }

  #readInOneStatement(
    reader: EntityManager,
    after: string | null,
  ): Promise<FoundPartition[]> {
    const { kind } = this;
    const start = after === null ? "" : "AND share > ?";
    return reader.query<FoundPartition[]>(
      `WITH RECURSIVE line (share) AS (
        SELECT (SELECT share FROM job WHERE kind = ? ${start} ORDER BY share LIMIT 1)
        UNION ALL
        SELECT (SELECT job.share FROM job WHERE job.kind = ? AND job.share > line.share
          ORDER BY job.share LIMIT 1)
        FROM line WHERE line.share IS NOT NULL
      )
      SELECT share, (SELECT ${this.table.clock.until("ready_at")} FROM job
        WHERE job.kind = ? AND job.share = line.share ORDER BY job.ready_at LIMIT 1) AS waitMs
      FROM line WHERE share IS NOT NULL LIMIT ${this.#max}`,
      [kind, ...(after === null ? [] : [after]), kind, kind],
    );
  }

  /** In one statement, MySQL and MariaDB would read all jobs of the kind when their statistics are outdated. */
  async #readOneByOne(
    reader: EntityManager,
    from: string | null,
  ): Promise<FoundPartition[]> {
    const partitions: FoundPartition[] = [];
    for (let last = from; partitions.length < this.#max;) {
      const after = last === null ? "" : "AND share > ?";
      const [row] = await reader.query<{ share: string; waitMs: unknown }[]>(
        `SELECT share, ${this.table.clock.until("ready_at")} AS waitMs
         FROM job FORCE INDEX (ix_job_ready)
         WHERE kind = ? ${after} ORDER BY share, ready_at LIMIT 1`,
        [this.kind, ...(last === null ? [] : [last])],
      );
      if (!row) break;
      partitions.push({ share: row.share, waitMs: Number(row.waitMs) });
      last = row.share;
    }
    return partitions;
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

  /** The first of those with the lowest turn. */
  choose(keys: readonly string[]): string {
    return keys.reduce((chosen, key) =>
      this.#getTurn(key) < this.#getTurn(chosen) ? key : chosen,
    );
  }

  serve(key: string): void {
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
  /** Whether it runs in the slot of another job. */
  sharesSlot: boolean;
  /** By this process's monotonic clock. */
  endsAt: number;
}

/** The jobs that this node holds. Renews their leases, and aborts the run of a job whose lease was lost. */
export class Leases {
  readonly #held = new Map<Claim, Held>();
  readonly #timers: Timer[] = [];

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
  ) {}

  /** Starts to renew the leases of a kind, every third of their length. */
  startRenewing(kind: string, leaseMs: number): void {
    const renew = () => void this.#renew(kind, leaseMs);
    this.#timers.push(clock.watch(leaseMs / 3, renew));
  }

  /** @param since when the claim was started, by `performance.now()`. */
  hold(
    claims: readonly Claim[],
    leaseMs: number,
    since: number,
    sharesSlot = false,
  ): void {
    for (const claim of claims)
      this.#held.set(claim, {
        claim,
        abort: new AbortController(),
        sharesSlot,
        endsAt: since + leaseMs,
      });
  }

  drop(claim: Claim): void {
    this.#held.delete(claim);
  }

  /** How many slots of the kind are taken. */
  count(kind: string): number {
    return this.list(kind).length;
  }

  /** The jobs that take a slot. */
  list(kind: string): Claim[] {
    return this.#find(kind)
      .filter(({ sharesSlot }) => !sharesSlot)
      .map(({ claim }) => claim);
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
    for (const timer of this.#timers) timer.cancel();
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
