import { PlatenError } from "../../plugin-api/index.js";

/** Counts what a key has open; past the most, it gets no more. */
export class StreamCounts {
  readonly #counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** @returns to be called when it is closed. @throws PlatenError `busy` for one too many. */
  take(keyId: string): () => void {
    const count = this.#counts.get(keyId) ?? 0;
    if (count >= this.most)
      throw new PlatenError(
        "busy",
        `This key has ${count} streams open, which is the most. Close one that is not needed; each counts until its ` +
          "connection ends.",
      );
    this.#counts.set(keyId, count + 1);
    return () => this.#give(keyId);
  }

  #give(keyId: string): void {
    const count = (this.#counts.get(keyId) ?? 1) - 1;
    if (count > 0) this.#counts.set(keyId, count);
    else this.#counts.delete(keyId);
  }
}
