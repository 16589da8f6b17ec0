import { findOwningOrganization } from "./event-loop.js";

/**
 * Runs work one after another: that of one organization in the order of the calls, and organizations in turn, so that
 * none waits for all the work of another one. Work of no organization shares a turn. Between two that waited, the event
 * loop turns once, so that others are answered.
 */
export class FairTurns {
  /** What starts the waiting work. The organization whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #onIdle: (() => void)[] = [];
  #isBusy = false;

  /** The result of `work`, or its error. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#waitForTurn();
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#startNext();
    }
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    if (this.#isBusy)
      await new Promise<void>((resolve) => {
        this.#onIdle.push(resolve);
      });
  }

  #waitForTurn(): Promise<void> {
    const organization = findOwningOrganization() ?? "";
    return new Promise((start) => {
      const waiting = this.#waiting.get(organization);
      if (waiting) waiting.push(start);
      else this.#waiting.set(organization, [start]);
    });
  }

  /** It stays busy until the next one runs, so that no other starts before it. */
  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#isBusy = false;
      for (const resolve of this.#onIdle.splice(0)) resolve();
      return;
    }
    const [organization, starts] = next;
    const start = starts.shift();
    this.#waiting.delete(organization);
    if (starts.length > 0) this.#waiting.set(organization, starts);
    if (start) setImmediate(start);
  }
}
