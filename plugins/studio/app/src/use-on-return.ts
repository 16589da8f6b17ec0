import { useEffect } from "preact/hooks";

/** Does this whenever somebody comes back to the tab or its window. */
export function useOnReturn(look: () => void): void {
  useEffect(() => {
    const ends = new AbortController();
    const options = { signal: ends.signal };
    const onReturn = () => {
      if (!document.hidden) look();
    };
    document.addEventListener("visibilitychange", onReturn, options);
    addEventListener("focus", onReturn, options);
    return () => ends.abort();
  });
}
