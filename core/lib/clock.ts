// The one clock of the product: what asks for the time, waits, polls, retries or measures a window does it here. The file
// imports nothing and runs in Node and in browsers.
//
// The clock is injected into the whole process, not into single objects, because half of those who ask for the time are
// plain functions, and the studio's pages have no container. Whoever puts another `Clock`, or a part of one, at
// `globalThis[clockKey]` decides what time it is for all code of the product from then on, also for a bundle that has
// been loaded already; libraries and tests keep the system's time. Leases and due times of jobs are on the database's
// clock.

/** Ends a timer, or lets the process end in spite of it. */
export interface Timer {
  cancel(): void;
  /** Does nothing in a browser. @returns the timer. */
  unref(): Timer;
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /**
   * The length of a pause of `milliseconds`, for a job that becomes due after it on the database's clock: the same
   * length on the system's clock, a shorter one on a test's.
   */
  pause(milliseconds: number): number;
  /** Calls back once, after a pause. */
  after(milliseconds: number, callback: () => void): Timer;
  /** Calls back after each pause, until it is cancelled. */
  every(milliseconds: number, callback: () => void): Timer;
  /**
   * Calls back when work has taken as long as it may, or after a wait whose length `pause` returned. A test's clock
   * shortens pauses, not the time for work.
   */
  limit(milliseconds: number, callback: () => void): Timer;
}

/** Where another clock is put. What it lacks is the system's, with its pauses. */
export const clockKey = Symbol.for("platen.clock");

const scope: typeof globalThis & { [clockKey]?: Partial<Clock> } = globalThis;

/** The clock that is in place at each call. */
export const clock: Clock & {
  date(): Date;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  watch(milliseconds: number, callback: () => void): Timer;
} = {
  now: () => scope[clockKey]?.now?.() ?? Date.now(),

  pause: (milliseconds) =>
    scope[clockKey]?.pause?.(milliseconds) ?? milliseconds,

  after: (milliseconds, callback) =>
    scope[clockKey]?.after?.(milliseconds, callback) ??
    startTimeout(clock.pause(milliseconds), callback),

  every: (milliseconds, callback) =>
    scope[clockKey]?.every?.(milliseconds, callback) ??
    startInterval(clock.pause(milliseconds), callback),

  limit: (milliseconds, callback) =>
    scope[clockKey]?.limit?.(milliseconds, callback) ??
    startTimeout(milliseconds, callback),

  date: () => new Date(clock.now()),

  /** Resolves after a pause. Rejects with the signal's reason when it is aborted before. */
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = () => {
        timer.cancel();
        reject(signal?.reason);
      };
      const timer = clock.after(milliseconds, () => {
        signal?.removeEventListener("abort", end);
        resolve();
      });
      signal?.addEventListener("abort", end, { once: true });
    }),

  /**
   * Calls back each time the system's time has moved on that far, whatever the clock is: to look in the database for work
   * of other processes and to renew leases on its clock, or to look at a process's memory or event loop.
   */
  watch: startInterval,
};

function startTimeout(milliseconds: number, callback: () => void): Timer {
  // What has passed already is due now; Node warns of negative times.
  const timer = setTimeout(callback, Math.max(0, milliseconds));
  return toTimer(timer, () => clearTimeout(timer));
}

function startInterval(milliseconds: number, callback: () => void): Timer {
  const timer = setInterval(callback, milliseconds);
  return toTimer(timer, () => clearInterval(timer));
}

function toTimer(handle: unknown, cancel: () => void): Timer {
  const timer: Timer = {
    cancel,
    unref: () => {
      if (isUnrefable(handle)) handle.unref();
      return timer;
    },
  };
  return timer;
}

function isUnrefable(handle: unknown): handle is { unref(): void } {
  return typeof handle === "object" && handle !== null && "unref" in handle;
}
