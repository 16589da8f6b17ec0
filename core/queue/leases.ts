import { PlatenError } from "../plugin-api/index.js";
import type { QueuePorts } from "./queue.js";
import {
  type Claim,
  releaseJobs,
  type JobTable,
  renewClaims,
} from "./job-table.js";

interface Held {
  claim: Claim;
  abort: AbortController;
  /** By this process's own steady clock. */
  endsAt: number;
}

interface Renewal {
  leaseMs: number;
  timer: NodeJS.Timeout;
}

/** The jobs that this node holds. Prolongs their leases, and tells the run of one that was lost. */
export class Leases {
  readonly #held = new Map<Claim, Held>();
  readonly #renewals = new Map<string, Renewal>();

  constructor(
    private readonly ports: QueuePorts,
    private readonly table: JobTable,
  ) {}

  /** Begins to prolong the leases of a kind, every third of their length. */
  renew(kind: string, leaseMs: number): void {
    const timer = setInterval(() => void this.#beat(kind), leaseMs / 3);
    this.#renewals.set(kind, { leaseMs, timer });
  }

  /** @param since when the claim was begun, by `performance.now()`. */
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
    return this.#of(kind).length;
  }

  /** Fires when the lease is lost or all runs are told to end. */
  signalOf(claim: Claim): AbortSignal {
    return this.#held.get(claim)?.abort.signal ?? AbortSignal.abort(lost());
  }

  isHeld(claim: Claim): boolean {
    return this.#held.has(claim);
  }

  abortAll(reason: Error): void {
    for (const { abort } of this.#held.values()) abort.abort(reason);
  }

  /** Gives back what is still held, and ends the renewals. What cannot be given back is free when its lease ends. */
  async release(): Promise<void> {
    for (const { timer } of this.#renewals.values()) clearInterval(timer);
    const kinds = new Set([...this.#held.keys()].map(({ kind }) => kind));
    try {
      for (const kind of kinds) await this.#releaseKind(kind);
    } catch (error) {
      this.ports.log.warn({ err: error }, "jobs not given back");
    }
    this.#held.clear();
  }

  async #releaseKind(kind: string): Promise<void> {
    const claims = this.#of(kind).map(({ claim }) => claim);
    await this.ports.write((tx) => releaseJobs(tx, this.table, kind, claims));
  }

  #of(kind: string): Held[] {
    return [...this.#held.values()].filter(({ claim }) => claim.kind === kind);
  }

  async #beat(kind: string): Promise<void> {
    const held = this.#of(kind);
    const leaseMs = this.#renewals.get(kind)?.leaseMs ?? 0;
    if (held.length === 0) return;
    const since = performance.now();
    try {
      const claims = held.map(({ claim }) => claim);
      const gone = await this.ports.write((tx) =>
        renewClaims(tx, this.table, kind, claims, leaseMs),
      );
      for (const job of held) job.endsAt = since + leaseMs;
      for (const claim of gone) this.#lose(claim);
    } catch (error) {
      this.ports.log.warn({ kind, err: error }, "leases not renewed");
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
    held.abort.abort(lost());
  }
}

function lost(): PlatenError {
  return new PlatenError(
    "conflict",
    "The lease of this job was lost: another node may be running it. What this run would still write must not be kept.",
  );
}
