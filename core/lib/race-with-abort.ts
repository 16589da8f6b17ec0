import type { Deadline } from "../plugin-api/index.js";

/**
 * Runs `work` and stops waiting for it as soon as `signal` aborts; the work itself goes on for others who share it.
 * @throws what `createError` returns when the signal aborts first; `work` is not started when it has aborted before
 */
export async function raceWithAbort<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  createError: () => Error,
): Promise<T> {
  if (signal.aborted) throw createError();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(createError());
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    if (onAbort) signal.removeEventListener("abort", onAbort);
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
