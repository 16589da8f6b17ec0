import type { Signal } from "@preact/signals";
import { Resizer } from "./resizer.js";

const least = 260;
const step = 32;

/** As wide as there is room for, so that the page beside it can still be worked on. */
function most(): number {
  return Math.max(least, innerWidth * 0.55);
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(most(), Math.max(least, width)));
}

/** The edge of the pane: dragged, or moved by the arrow keys. */
export function PaneEdge({ width }: { width: Signal<number> }) {
  return (
    <Resizer
      label="Width of the preview"
      value={width.value}
      least={least}
      most={Math.round(most())}
      step={step}
      onChange={(value) => {
        width.value = clampWidth(value);
      }}
    />
  );
}
