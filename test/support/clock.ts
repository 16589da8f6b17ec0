import { type Clock, clockKey, type Timer } from "../../core/lib/clock.js";

const scope: typeof globalThis & { [clockKey]?: Partial<Clock> } = globalThis;

/** Puts a clock, or a part of one, in the place of the product's. @returns what puts the earlier one back. */
export function installClock(clock: Partial<Clock>): () => void {
  const earlier = scope[clockKey];
  scope[clockKey] = clock;
  return () => {
    if (earlier) scope[clockKey] = earlier;
    else delete scope[clockKey];
  };
}

interface Due {
  at: number;
  callback: () => void;
  everyMs: number | null;
}

/** Time that stands still until the test moves it: no window ends, and nothing comes due, by itself. */
export class ManualClock implements Clock {
  #now: number;
  readonly #due = new Set<Due>();

  constructor(at: number = Date.now()) {
    this.#now = at;
  }

  now(): number {
    return this.#now;
  }

  pause(milliseconds: number): number {
    return milliseconds;
  }

  after(milliseconds: number, callback: () => void): Timer {
    return this.#add({ at: this.#now + milliseconds, callback, everyMs: null });
  }

  every(milliseconds: number, callback: () => void): Timer {
    const everyMs = Math.max(1, milliseconds);
    return this.#add({ at: this.#now + everyMs, callback, everyMs });
  }

  limit(milliseconds: number, callback: () => void): Timer {
    return this.after(milliseconds, callback);
  }

  #add(due: Due): Timer {
    this.#due.add(due);
    const timer: Timer = {
      cancel: () => void this.#due.delete(due),
      unref: () => timer,
    };
    return timer;
  }

  /** Moves the time on, calls back in order what comes due, and lets what follows from each run. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const [next] = [...this.#due].toSorted((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      this.#now = next.at;
      if (next.everyMs === null) this.#due.delete(next);
      else next.at += next.everyMs;
      next.callback();
    }
    this.#now = end;
  }
}

/** The clock of the product while the suite runs; `{}` is the system's. The earlier one is back at its end. */
export function useClock(clock: Partial<Clock>): void {
  let restore: (() => void) | undefined;
  before(() => {
    restore = installClock(clock);
  });
  after(() => restore?.());
}

/** A clock that the suite moves by hand. */
export function useManualClock(at?: number): ManualClock {
  const clock = new ManualClock(at);
  useClock(clock);
  return clock;
}

/** A time of day that stands still until the suite moves it on. Pauses are as short as in other tests. */
export function useFixedTime(at?: Date): {
  now(): number;
  advance(milliseconds: number): void;
} {
  let now = at?.getTime() ?? Date.now();
  let restore: (() => void) | undefined;
  before(() => {
    restore = installClock({ ...scope[clockKey], now: () => now });
  });
  after(() => restore?.());
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
