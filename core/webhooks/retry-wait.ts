const dayMs = 24 * 60 * 60_000;

/**
 * How long to wait after `failures` failed attempts, in milliseconds: the schedule's wait, up to a fifth more or less
 * so that what failed together does not come back together; longer when the receiver asked for it. Null: give up.
 */
export function retryWait(
  schedule: readonly number[],
  failures: number,
  retryAfterMs: number | null,
): number | null {
  const planned = schedule[failures - 1];
  if (planned === undefined) return null;
  const jittered = planned * (0.8 + Math.random() * 0.4);
  return Math.round(Math.max(jittered, retryAfterMs ?? 0));
}

/** Milliseconds that a `Retry-After` header asks for, a day at most; null for none or one that says nothing. */
export function parseRetryAfter(
  header: string | undefined,
  now: Date,
): number | null {
  const text = header?.trim();
  if (!text) return null;
  const wait = /^\d+$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), dayMs);
}
