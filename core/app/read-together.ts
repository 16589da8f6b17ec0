/** All metrics of one scrape are read at once: those that are told by one look share it. */
export function readTogether<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () =>
    (running ??= read().finally(() => {
      running = null;
    }));
}
