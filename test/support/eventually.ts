import { setTimeout as pause } from "node:timers/promises";

type Condition<T> = () =>
  Promise<T | undefined | null | false> | T | undefined | null | false;

/** Longer than the limit of any test. */
const MAX_WAIT_MS = 600_000;
/** Shorter than mocha's limit, so that the error names what did not happen. */
const MAX_NAMED_WAIT_MS = 100_000;

const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 100;

/**
 * Polls until `look` finds something. A wait in vain is ended by mocha's limit; the polling stops later, so that it does
 * not continue during all tests that follow.
 * @param minPauseMs longer than usual where each look is a request, and what is waited for takes longer
 */
export function eventually<T>(
  look: Condition<T>,
  minPauseMs?: number,
): Promise<T> {
  return poll(look, MAX_WAIT_MS, "Nothing was found.", minPauseMs);
}

/** Polls until `look` finds something. @param what names it in the error when it never does. */
export function until<T>(what: string, look: Condition<T>): Promise<T> {
  return poll(look, MAX_NAMED_WAIT_MS, `This did not happen: ${what}`);
}

/** The pauses grow to a tenth of the time that has passed, so that long waits leave the processor to the others. */
async function poll<T>(
  look: Condition<T>,
  maxWaitMs: number,
  failure: string,
  minPauseMs = MIN_PAUSE_MS,
): Promise<T> {
  const started = Date.now();
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== null && found !== false) return found;
    const waited = Date.now() - started;
    if (waited > maxWaitMs) throw new Error(failure);
    await pause(Math.min(MAX_PAUSE_MS, Math.max(minPauseMs, waited / 10)));
  }
}
