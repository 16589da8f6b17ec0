import type { QueuePorts } from "../ports.js";
import type { Claim } from "../table/claim.js";
import { forgetJobs } from "../table/end-claims.js";

interface Ending {
  claim: Claim;
  done: () => void;
  fail: (error: unknown) => void;
}

/** Forgets finished jobs: those that end while a transaction is under way share the next one. */
export class Endings {
  #waiting: Ending[] = [];
  #isWriting = false;

  constructor(private readonly ports: QueuePorts) {}

  /** Resolves when the job is deleted, or another node's, for good. */
  forget(claim: Claim): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ claim, done, fail });
      if (!this.#isWriting) setImmediate(() => void this.#write());
    });
  }

  async #write(): Promise<void> {
    if (this.#isWriting || this.#waiting.length === 0) return;
    this.#isWriting = true;
    const endings = this.#waiting.splice(0);
    try {
      await this.#forgetAll(endings.map(({ claim }) => claim));
      for (const { done } of endings) done();
    } catch (error) {
      for (const { fail } of endings) fail(error);
    }
    this.#isWriting = false;
    await this.#write();
  }

  async #forgetAll(claims: readonly Claim[]): Promise<void> {
    const kinds = new Set(claims.map(({ kind }) => kind));
    await this.ports.write(async (tx) => {
      for (const kind of kinds) {
        const ofKind = claims.filter((claim) => claim.kind === kind);
        await forgetJobs(tx, kind, ofKind);
      }
    });
  }
}
