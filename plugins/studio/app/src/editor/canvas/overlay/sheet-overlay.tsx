import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Box, boxOf, elementOf } from "../box.js";
import { useCanvas } from "../canvas-state.js";
import { useAfterDrawing } from "../use-after-drawing.js";
import { type DropMark, dropMarkOf } from "./drop-mark.js";
import { HoverBox } from "./hover-box.js";
import { styleOf, within } from "./overlay-box.js";
import { SelectionBox } from "./selection-box.js";

interface Marked {
  selected: Box | null;
  hovered: Box | null;
  drop: DropMark | null;
}

const nothing: Marked = { selected: null, hovered: null, drop: null };

/** What lies over the sheet: around what is selected, what is pointed at, and where something would be dropped. */
export function SheetOverlay() {
  const { editor, hovered } = useCanvas();
  const overlay = useRef<HTMLDivElement>(null);
  const { selected, hovered: under, drop } = useMarked(overlay).value;
  const isOther = hovered.value !== editor.selected.value;
  return (
    <div class="sheet-overlay" ref={overlay}>
      {under && isOther && <HoverBox box={under} />}
      {selected && <SelectionBox box={selected} />}
      {drop && (
        <div class={`drop-mark is-${drop.kind}`} style={styleOf(drop.box)} />
      )}
    </div>
  );
}

/** Measured once the page is drawn, after whatever may move something on it. */
function useMarked(overlay: { current: HTMLElement | null }) {
  const canvas = useCanvas();
  const { editor, hovered, zoom } = canvas;
  const marked = useSignal(nothing);
  const laidOut = useLayoutTicks(overlay);
  useAfterDrawing(
    () => {
      void editor.definition.value;
      void editor.selected.value;
      void editor.drag.dropSpot.value;
      void editor.facts.value;
      void canvas.opened.value;
      void canvas.page.value;
      void hovered.value;
      void zoom.scale.value;
      void laidOut.value;
    },
    () => {
      const place = overlay.current?.parentElement;
      if (place)
        marked.value = {
          selected: boxIn(place, editor.selected.peek()),
          hovered: boxIn(place, hovered.peek()),
          drop: dropMarkOf(editor, place),
        };
      return undefined;
    },
  );
  return marked;
}

/** Counts on whenever the sheet's size changes: by a picture that arrived, or another width. */
function useLayoutTicks(overlay: { current: HTMLElement | null }) {
  const ticks = useSignal(0);
  useEffect(() => {
    const sheet = overlay.current?.parentElement?.querySelector(".sheet");
    if (!sheet) return undefined;
    const follow = new ResizeObserver(() => {
      ticks.value = ticks.peek() + 1;
    });
    follow.observe(sheet);
    return () => follow.disconnect();
  }, []);
  return ticks;
}

/** In px from the corner of the place, as the screen has them. */
function boxIn(place: Element, id: string | null): Box | null {
  const element = id === null ? null : elementOf(place, id);
  return element ? within(place, boxOf(element)) : null;
}
