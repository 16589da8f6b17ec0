import { useEffect } from "preact/hooks";

const refreshMs = 4000;

/**
 * Reads again and again while the page is in sight, as long as something may still change; never while an answer is
 * still awaited.
 * @param everyMs default: every few seconds.
 */
export function useLive(
  reload: () => Promise<void>,
  isOpen = true,
  everyMs = refreshMs,
): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    let isReading = false;
    const read = async () => {
      if (isReading || document.hidden) return;
      isReading = true;
      await reload();
      isReading = false;
    };
    const timer = setInterval(() => void read(), everyMs);
    return () => clearInterval(timer);
  }, [reload, isOpen, everyMs]);
}
