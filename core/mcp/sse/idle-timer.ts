/** The longest that a timer can wait. */
const longest = 2 ** 31 - 1;

/** Calls back after so long without a `restart`. Keeps no process alive. */
export class IdleTimer {
  #timer: NodeJS.Timeout;

  constructor(milliseconds: number, tell: () => void) {
    this.#timer = setTimeout(tell, Math.min(milliseconds, longest)).unref();
  }

  restart(): void {
    this.#timer.refresh();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
