import { useEffect } from "preact/hooks";

const everyMs = 700;

/** Reads again and again, quickly: somebody is waiting for it. */
export function useWatch(reload: () => Promise<void>, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(() => void reload(), everyMs);
    return () => clearInterval(timer);
  }, [reload, isOpen]);
}
