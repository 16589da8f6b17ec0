import { randomUUID } from "node:crypto";
import { type ClaimResult, JobClaimer } from "./claim-jobs.js";
import type { Claim, JobTable } from "./job-table.js";
import type { Leases } from "./leases.js";
import type { QueuePorts } from "./queue.js";

export interface FetcherOptions {
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
    const result = await this.ports.write((tx) => {
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
