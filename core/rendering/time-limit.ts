import { PlatenError, type Deadline } from "../plugin-api/index.js";

/** @throws PlatenError `unavailable` when the browser takes longer than `milliseconds` over its own affairs. */
export async function withinTime<T>(
  promise: Promise<T>,
  milliseconds: number,
  doing: string,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(stuckError(doing, milliseconds)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A timer of its own watches the time beside the signal: Node 20 may collect a signal that was joined from others
 * while somebody listens to it, and it would never fire.
 * @throws PlatenError `timeout` as soon as the deadline passes or its client hangs up.
 */
export async function withinDeadline<T>(
  promise: Promise<T>,
  deadline: Deadline,
  doing: string,
): Promise<T> {
  const { signal } = deadline;
  let stop: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    stop = () => reject(deadline.error(doing));
    if (isOver(deadline)) return stop();
    timer = setTimeout(stop, deadline.remainingMs);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener("abort", stop);
  }
}

export function isOver(deadline: Deadline): boolean {
  return deadline.signal.aborted || deadline.remainingMs === 0;
}

function stuckError(doing: string, milliseconds: number): PlatenError {
  return new PlatenError(
    "unavailable",
    "The browser that prints documents does not answer. Try again in a moment.",
    { cause: `${doing} took more than ${milliseconds} ms` },
  );
}
