/** Does one thing after another: each begins when those before it have ended, however they did. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does. */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
