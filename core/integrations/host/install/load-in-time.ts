import { setTimeout as sleep } from "node:timers/promises";

/**
 * What `work` resolves to. A module that waits for ever while it is loaded is given up; it cannot be ended.
 * @throws what `work` rejects with, or an error that says how long it was waited for.
 */
export async function loadInTime<T>(
  work: () => Promise<T>,
  milliseconds: number,
): Promise<T> {
  const timer = new AbortController();
  const late = sleep(milliseconds, null, { signal: timer.signal }).then(() => {
    throw new Error(`it was not loaded within ${milliseconds / 1000} s`);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
}
