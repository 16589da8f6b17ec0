/**
 * Runs work side by side, or alone: work that is alone begins when all before it has ended, and what comes after waits
 * for it. Nobody is overtaken.
 */
export class Solitude {
  /** The end of the last work that was alone. */
  #alone: Promise<void> = Promise.resolve();
  /** The ends of what was begun since, side by side. */
  readonly #beside = new Set<Promise<void>>();

  run<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    const before = isAlone ? [this.#alone, ...this.#beside] : [this.#alone];
    const result = Promise.all(before).then(work);
    const ended = result.then(nothing, nothing);
    if (isAlone) {
      this.#beside.clear();
      this.#alone = ended;
    } else {
      this.#beside.add(ended);
      void ended.then(() => this.#beside.delete(ended));
    }
    return result;
  }
}

function nothing(): void {
  // The caller has the result.
}
