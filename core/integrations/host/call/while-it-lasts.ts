/**
 * Waits for work until `over` is aborted, and then rejects with `late()`; what the work does after that goes unheard.
 */
export async function whileItLasts<T>(
  work: () => Promise<T>,
  over: AbortSignal,
  late: () => Error,
): Promise<T> {
  if (over.aborted) throw late();
  const done = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    const options = { once: true, signal: done.signal };
    over.addEventListener("abort", () => reject(late()), options);
  });
  try {
    return await Promise.race([work(), ended]);
  } finally {
    done.abort();
  }
}
