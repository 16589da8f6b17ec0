import { PlatenError } from "../plugin-api/index.js";
import type { Claim, JobTable } from "./job-table.js";
import type { QueuePorts } from "./queue.js";

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
        await this.ports.write((tx) => this.table.release(tx, kind, claims));
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
      const lost = await this.ports.write((tx) =>
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
