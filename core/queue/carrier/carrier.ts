import type { Claim } from "../table/claim.js";

/** What is done when a wake-up of the kind arrives. */
export interface Station {
  kind: string;
  concurrency: number;
  /** Something may have become ready. */
  nudge(): void;
  /** The next job of this node; held from now on. */
  next(): Promise<Claim | undefined>;
  /** A job that was handed out and cannot start yet. */
  putBack(claim: Claim): void;
  run(claim: Claim): Promise<void>;
}

/** How many jobs of a kind may start now, on any node; counted no further than `limit`. */
export type CountReady = (kind: string, limit: number) => Promise<number>;

/** Brings wake-ups to the workers: Agenda, on the service's own database or on a server of its own. */
export interface Carrier {
  /** @throws PlatenError `unavailable` when its server cannot be reached. */
  start(stations: readonly Station[]): Promise<void>;
  /** Something of this kind may be ready. */
  wake(kind: string): void;
  /** Starts no more jobs, and waits for the running ones so long at most. */
  drain(graceMs: number): Promise<void>;
}
