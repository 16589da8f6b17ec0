import { toPixels } from "./css-length.js";
import { noteBox } from "./note-box.js";
import { oneLine } from "../../definition/barcodes/one-line.js";

export interface PlaceholderDrawing {
  /** What could not be drawn, or why. */
  label: string;
  /** CSS lengths of what it stands for; 220 and 64 px where they are absent or relative. */
  width?: string | undefined;
  height?: string | undefined;
}

/** Inline SVG of a quiet box in place of what could not be drawn; a CSS width or height overrides its own. */
export function drawPlaceholder(drawing: PlaceholderDrawing): string {
  const width = pixels(drawing.width, 220);
  const height = pixels(drawing.height, 64);
  const attributes = `width="${width}" height="${height}"`;
  return noteBox(oneLine(drawing.label, 200), width, height, attributes);
}

function pixels(length: string | undefined, otherwise: number): number {
  const given = length === undefined ? null : toPixels(length);
  return Math.max(24, Math.round(given ?? otherwise));
}
