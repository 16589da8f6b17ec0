import { useSignal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useCanvas } from "./canvas-state.js";

interface SheetPlaceProps {
  /** The sheet, then what lies over it. */
  children: [sheet: VNode, overlay: ComponentChildren];
}

/**
 * The room that the sheet takes on the screen. The sheet itself is laid out at its true size and scaled as a whole, so
 * that lines break where they do in print at any zoom.
 */
export function SheetPlace({ children: [sheet, overlay] }: SheetPlaceProps) {
  const { zoom } = useCanvas();
  const scaled = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scaled.current;
    if (!element) return undefined;
    const measure = () => {
      const { offsetWidth: width, offsetHeight: height } = element;
      size.value = { width, height };
    };
    measure();
    const follow = new ResizeObserver(measure);
    follow.observe(element);
    return () => follow.disconnect();
  }, []);
  const scale = zoom.scale.value;
  const { width, height } = size.value;
  return (
    <div
      class="sheet-place"
      style={{
        width: `${width * scale}px`,
        height: `${height * scale}px`,
        "--unscaled": `${1 / scale}`,
      }}
    >
      <div class="scaled" ref={scaled} style={{ scale: `${scale}` }}>
        {sheet}
      </div>
      {overlay}
    </div>
  );
}
