import { LRUCache } from "lru-cache";
import type { Caller } from "./caller.js";

export interface KnownCaller extends Caller {
  keyId: string;
  /** When the key ends; null for never. */
  expiresAt: Date | null;
}

const maximum = 5000;
const milliseconds = 2000;

/**
 * Spares the look-up of a key that was good a moment ago. A key revoked by this process is gone at once; one revoked
 * by another works on for two seconds at most.
 */
export class CallerCache {
  readonly #callers = new LRUCache<string, KnownCaller>({
    max: maximum,
    ttl: milliseconds,
  });
  #revocations = 0;

  get(hash: string): KnownCaller | undefined {
    return this.#callers.get(hash);
  }

  /** Looks a caller up and keeps it, unless a key was revoked meanwhile: it may have been this one. */
  async fill(
    hash: string,
    lookUp: () => Promise<KnownCaller>,
  ): Promise<KnownCaller> {
    const before = this.#revocations;
    const caller = await lookUp();
    if (before === this.#revocations) this.#callers.set(hash, caller);
    return caller;
  }

  /** To be called when a revocation is committed. */
  forget(hash: string): void {
    this.#revocations += 1;
    this.#callers.delete(hash);
  }
}
