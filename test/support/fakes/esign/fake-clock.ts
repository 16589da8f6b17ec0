/** The time at a fake: it runs as ours does, and can be put forward. */
export class FakeClock {
  #aheadMs = 0;

  get now(): Date {
    return new Date(Date.now() + this.#aheadMs);
  }

  advance(milliseconds: number): void {
    this.#aheadMs += milliseconds;
  }
}
