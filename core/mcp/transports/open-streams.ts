import { clock, type Timer } from "../../lib/clock.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";

/** Which of these keys were revoked or have ended. */
export type EndedKeys = (
  keyIds: readonly string[],
) => Promise<ReadonlySet<string>>;

interface OpenStream {
  keyId: string;
  /** Cuts it off, and stops what is done for it. */
  cut(): void;
}

interface Settings {
  log: Log;
  endedKeys: EndedKeys;
  /** Between two looks at the keys. */
  pollMs: number;
}

/**
 * All that is open with someone's key. While there is any, it looks every few seconds whether the keys still are good:
 * what was opened with one that is not, is cut off.
 */
export class OpenStreams {
  readonly #open = new Set<OpenStream>();
  #timer: Timer | null = null;

  constructor(private readonly settings: Settings) {}

  /** @returns to be called when it is closed. */
  add(stream: OpenStream): () => void {
    this.#open.add(stream);
    this.#timer ??= clock
      .every(this.settings.pollMs, () => void this.#look())
      .unref();
    return () => this.#remove(stream);
  }

  #remove(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0 || this.#timer === null) return;
    this.#timer.cancel();
    this.#timer = null;
  }

  async #look(): Promise<void> {
    const keyIds = [...new Set([...this.#open].map(({ keyId }) => keyId))];
    if (keyIds.length === 0) return;
    try {
      const ended = await this.settings.endedKeys(keyIds);
      for (const stream of this.#open)
        if (ended.has(stream.keyId)) stream.cut();
    } catch (error) {
      this.settings.log.warn(
        { err: error },
        "could not look whether keys of open streams were revoked",
      );
    }
  }
}

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
        `This key has ${count} streams open, which is the maximum. Close one that is not needed; each counts until its ` +
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
