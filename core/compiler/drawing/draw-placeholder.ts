import { oneLine } from "../../definition/barcodes.js";
import { escapeXml } from "../../lib/escape-xml.js";
import { toPixels } from "./css-length.js";
import { wrapText } from "./text-width.js";

export interface PlaceholderDrawing {
  /** What could not be drawn, or the reason. */
  label: string;
  /** CSS lengths of the missing drawing; 220 and 64 px when absent or relative. */
  width?: string | undefined;
  height?: string | undefined;
}

/** Draws a box as inline SVG for something that cannot be drawn; CSS overrides its size. */
export function drawPlaceholder(drawing: PlaceholderDrawing): string {
  const width = pixels(drawing.width, 220);
  const height = pixels(drawing.height, 64);
  const attributes = `width="${width}" height="${height}"`;
  return noteBox(oneLine(drawing.label, 200), width, height, attributes);
}

function pixels(length: string | undefined, otherwise: number): number {
  return Math.max(24, Math.round(toPixels(length ?? "") ?? otherwise));
}

const FONT_SIZE = 11;
const LINE = 15;
const PADDING = 10;

/** A box with a short text in the middle, as SVG; sizes in CSS pixels, `attributes` of the root as markup. */
export function noteBox(
  text: string,
  width: number,
  height: number,
  attributes: string,
): string {
  const lines = wrapText(
    text,
    FONT_SIZE,
    width - 2 * PADDING,
    Math.floor((height - PADDING) / LINE),
  );
  const first = height / 2 - ((lines.length - 1) * LINE) / 2 + FONT_SIZE * 0.36;
  const spans = lines.map(
    (line, index) =>
      `<tspan x="${width / 2}" y="${round(first + index * LINE)}">${escapeXml(line)}</tspan>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${attributes} role="img" aria-label="${escapeXml(text)}">` +
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="4" fill="#f5f6f8" stroke="#d5dae1"/>` +
    `<text text-anchor="middle" fill="#667080" style="font-size:${FONT_SIZE}px;font-style:normal;font-weight:400;letter-spacing:0;text-transform:none">` +
    `${spans.join("")}</text></svg>`
  );
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
