import type { AttemptOutcome } from "../storage/database/index.js";

/** Attempts of this process, by how they ended. */
export class AttemptCounts {
  readonly #counts = { delivered: 0, refused: 0, unreachable: 0 };

  add(outcome: AttemptOutcome): void {
    this.#counts[outcome] += 1;
  }

  read(): Record<AttemptOutcome, number> {
    return { ...this.#counts };
  }
}
