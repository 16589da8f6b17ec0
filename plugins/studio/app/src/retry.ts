const firstRetryMs = 4000;
const maxRetryMs = 60_000;

/**
 * Runs `attempt` until it returns true: again at growing intervals, and as soon as the network is back.
 * @param delayMs before the first time
 * @returns stops it
 */
export function retryUntilDone(
  attempt: () => Promise<boolean>,
  delayMs = 0,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retryMs = firstRetryMs;
  let isStopped = false;
  const run = async () => {
    removeEventListener("online", runNow);
    if ((await attempt()) || isStopped) return;
    timer = setTimeout(() => void run(), retryMs);
    addEventListener("online", runNow);
    retryMs = Math.min(2 * retryMs, maxRetryMs);
  };
  const runNow = () => {
    clearTimeout(timer);
    void run();
  };
  if (delayMs === 0) void run();
  else timer = setTimeout(() => void run(), delayMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
    removeEventListener("online", runNow);
  };
}
