// Gives the process that imports it the fast clock: the root hooks of mocha do, and Node for programs that tests start.
// It imports nothing of the product, so that it can come before everything.

/**
 * The system's time, with pauses that take a twenty-fifth of it. Limits of work stay as long as they are. Pauses of a few
 * milliseconds stay, or a poll would fill the processor.
 */
export const fastClock = {
  pause: (milliseconds: number): number =>
    Math.max(Math.min(milliseconds, 10), milliseconds / 25),
};

Reflect.set(globalThis, Symbol.for("platen.clock"), fastClock);

/** Does the same in a page, before its own scripts. */
export const fastClockProgram = `globalThis[Symbol.for("platen.clock")] = { pause: ${String(fastClock.pause)} };`;
