import { raceWithAbort } from "../lib/race-with-abort.js";
import { PlatenError, type Deadline } from "../plugin-api/index.js";

/** @throws PlatenError `unavailable` when the browser takes longer than `milliseconds` for its own work. */
export async function withinTime<T>(
  promise: Promise<T>,
  milliseconds: number,
  action: string,
): Promise<T> {
  promise.catch(() => null); // It may fail when no caller waits for it any more.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), milliseconds);
  try {
    return await raceWithAbort(
      () => promise,
      limit.signal,
      () =>
        new PlatenError(
          "unavailable",
          "The browser that prints documents does not respond. Try again in a moment.",
          { cause: `${action} took more than ${milliseconds} ms` },
        ),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** @throws PlatenError `timeout` as soon as the deadline passes or its client disconnects. */
export function withinDeadline<T>(
  promise: Promise<T>,
  deadline: Deadline,
  action: string,
): Promise<T> {
  promise.catch(() => null); // It may fail when no caller waits for it any more.
  return raceWithAbort(
    () => promise,
    deadline.signal,
    () => deadline.error(action),
  );
}

export function hasPassed(deadline: Deadline): boolean {
  return deadline.signal.aborted || deadline.remainingMs === 0;
}
