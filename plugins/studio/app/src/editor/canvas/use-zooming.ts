import { useLayoutEffect } from "preact/hooks";
import type { CanvasState } from "./canvas-state.js";

/** Over the page, what zooms a browser's page (Ctrl with the wheel, plus, minus or 0) zooms the sheet. */
export function useZooming(
  { zoom }: CanvasState,
  scroller: { current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    const onWheel = (event: WheelEvent) => {
      if (!isCommand(event)) return;
      event.preventDefault();
      zoom.step(event.deltaY < 0 ? 1 : -1);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isCommand(event) || !"+=-0".includes(event.key)) return;
      event.preventDefault();
      if (event.key === "0") zoom.toggleFit();
      else zoom.step(event.key === "-" ? -1 : 1);
    };
    element.addEventListener("wheel", onWheel, { signal, passive: false });
    element.addEventListener("keydown", onKeyDown, { signal });
    return () => listening.abort();
  }, [zoom]);
}

function isCommand({ ctrlKey, metaKey }: MouseEvent | KeyboardEvent): boolean {
  return ctrlKey || metaKey;
}
