import { useEffect } from "preact/hooks";

const refreshMs = 4000;

/** Reads again every few seconds while the page is in sight, as long as something may still change. */
export function useLive(reload: () => Promise<void>, isOpen = true): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, refreshMs);
    return () => clearInterval(timer);
  }, [reload, isOpen]);
}
