import { clock, type Timer } from "../../core/lib/clock.js";
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
  let timer: Timer | undefined;
  let retryMs = firstRetryMs;
  let isStopped = false;
  const run = async () => {
    removeEventListener("online", runNow);
    if ((await attempt()) || isStopped) return;
    timer = clock.after(retryMs, () => void run());
    addEventListener("online", runNow);
    retryMs = Math.min(2 * retryMs, maxRetryMs);
  };
  const runNow = () => {
    timer?.cancel();
    void run();
  };
  if (delayMs === 0) void run();
  else timer = clock.after(delayMs, () => void run());
  return () => {
    isStopped = true;
    timer?.cancel();
    removeEventListener("online", runNow);
  };
}
