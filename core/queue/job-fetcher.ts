import { randomUUID } from "node:crypto";
import type { QueuePorts } from "./queue.js";
import type { Claim, JobTable } from "./job-table.js";
import {
  ShareLook,
  claimJobs,
  type Harvest,
  type LineState,
  Turns,
} from "./claim-jobs.js";
import type { Leases } from "./leases.js";

export interface LineOptions {
  kind: string;
  node: string;
  concurrency: number;
  leaseMs: number;
  perShare: number;
  /** Whether to fill all free places at once, or only as many as are asked for. */
  fillsUp: boolean;
  pollMs: number;
  /** Called when a delayed job has become due before the next poll. */
  onDue: () => void;
}

/** While most places are taken, those that become free within such a time are filled in one transaction. */
const gatherMs = 25;

/**
 * This node's end of the line of one kind. Takes no more jobs than may start at once, so that none waits here while
 * another node is free; and does not ask the database again before there can be another answer.
 */
export class KindLine {
  readonly #state: LineState;
  readonly #taken: Claim[] = [];
  #round: Promise<void> | undefined;
  #asking = 0;
  #isClosed = false;
  /** Rises whenever something may have become ready. */
  #nudges = 1;
  #nudgesSeen = 0;
  #lookAt = 0;
  #claimedAt = -Infinity;
  #dueTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
    private readonly leases: Leases,
    private readonly options: LineOptions,
  ) {
    const look = new ShareLook(table, options.kind);
    this.#state = { look, turns: new Turns() };
  }

  /** The next job of this node, held from now on; none when nothing is ready or all places are taken. */
  async next(): Promise<Claim | undefined> {
    this.#asking += 1;
    try {
      // A round that is under way does not count on this call.
      if (this.#taken.length === 0) await this.#round;
      if (this.#taken.length === 0) await this.#takeMore();
    } finally {
      this.#asking -= 1;
    }
    return this.#isClosed ? undefined : this.#taken.shift();
  }

  nudge(): void {
    this.#nudges += 1;
  }

  /** A job that was handed out cannot start yet. */
  putBack(claim: Claim): void {
    this.#taken.unshift(claim);
  }

  /** Hands out no more; resolves when nothing is on its way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#dueTimer);
    await this.#round?.catch(() => undefined);
  }

  async #takeMore(): Promise<void> {
    this.#round ??= this.#ask().finally(() => (this.#round = undefined));
    await this.#round;
  }

  async #ask(): Promise<void> {
    const { kind, concurrency, fillsUp } = this.options;
    const places = concurrency - this.leases.count(kind);
    const free = fillsUp ? places : Math.min(places, this.#asking);
    const isNudged = this.#nudgesSeen !== this.#nudges;
    if (
      this.#isClosed ||
      free <= 0 ||
      (!isNudged && performance.now() < this.#lookAt)
    )
      return;
    const early = this.#claimedAt + gatherMs - performance.now();
    if (fillsUp && free < concurrency / 2 && early > 0)
      return this.#lookAgainIn(early);
    this.#nudgesSeen = this.#nudges;
    if (!isNudged && !(await this.#hasReady())) return;
    const { claims, nextLookMs } = await this.#claim(free);
    this.#taken.push(...claims);
    if (nextLookMs > 0) this.#lookAgainIn(nextLookMs);
    else this.#nudges += 1;
  }

  /** A look without a write, since most looks find nothing. */
  async #hasReady(): Promise<boolean> {
    const lines = await this.#state.look.read(this.ports.read);
    const waitMs = Math.min(Infinity, ...lines.map((line) => line.waitMs));
    if (waitMs > 0) this.#lookAgainIn(waitMs);
    return waitMs <= 0;
  }

  async #claim(free: number): Promise<Harvest> {
    const { kind, leaseMs, perShare, node } = this.options;
    const since = performance.now();
    const harvest = await this.ports.write((tx) =>
      claimJobs(tx, this.table, this.#state, {
        kind,
        free,
        leaseMs,
        perShare,
        node,
        token: randomUUID(),
      }),
    );
    this.#claimedAt = performance.now();
    this.leases.hold(harvest.claims, leaseMs, since);
    return harvest;
  }

  /** At each poll, and when the next job is due. */
  #lookAgainIn(ms: number): void {
    const { pollMs, onDue } = this.options;
    this.#lookAt = performance.now() + Math.min(ms, pollMs / 2);
    clearTimeout(this.#dueTimer);
    if (ms < pollMs) this.#dueTimer = setTimeout(onDue, ms + 1);
  }
}
