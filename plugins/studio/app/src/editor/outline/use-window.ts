import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect } from "preact/hooks";

/** In CSS px; the style sheet has the same. */
export const rowHeight = 30;
/** Above the first and below the last line, in CSS px. */
const edge = 8;
const spare = 6;

/** Which of many lines of one height are in sight. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: ReadonlySignal<readonly unknown[]>,
) {
  const top = useSignal(0);
  const height = useSignal(600);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const look = () => {
      top.value = box.scrollTop;
      height.value = box.clientHeight;
    };
    const watcher = new ResizeObserver(look);
    watcher.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    return () => {
      watcher.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, []);
  const from = useComputed(() =>
    Math.max(0, Math.floor(top.value / rowHeight) - spare),
  );
  const to = useComputed(() => {
    const end = Math.ceil((top.value + height.value) / rowHeight) + spare;
    return Math.min(rows.value.length, end);
  });
  /** Scrolls no more than it must. */
  const show = useCallback((index: number) => {
    const box = scroller.current;
    if (!box || index < 0) return;
    const begin = index * rowHeight;
    const end = begin + rowHeight + 2 * edge;
    if (begin < box.scrollTop) box.scrollTop = begin;
    else if (end > box.scrollTop + box.clientHeight)
      box.scrollTop = end - box.clientHeight;
  }, []);
  return { from, to, show };
}
