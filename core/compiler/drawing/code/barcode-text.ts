import { escapeXml } from "../../../lib/escape-xml.js";
import { oneLine } from "../../../definition/barcodes/one-line.js";

// The digits and letters below a barcode, as text in the document's font. Sizes are in modules.

/** Width of a common text font's glyph, the mean of a line of capitals and digits, in font sizes. */
const GLYPH = 0.65;

/** What is printed of a value. */
export function printedLine(value: string): string {
  return oneLine(value, 80);
}

/** About how wide a line is at a font size. */
export function lineWidth(line: string, size: number): number {
  return Array.from(line).length * size * GLYPH;
}

/**
 * Text centred at `x`, or each of its characters at a place of its own. The style undoes what a container may have
 * set for its own text.
 */
export function barcodeText(
  text: string,
  x: number | readonly number[],
  baseline: number,
  size: number,
): string {
  const places = typeof x === "number" ? String(x) : x.join(" ");
  return (
    `<text x="${places}" y="${baseline}" text-anchor="middle" fill="#000"` +
    ` style="font-size:${size}px;font-style:normal;font-weight:400;letter-spacing:0;word-spacing:0;text-transform:none;direction:ltr">` +
    `${escapeXml(text)}</text>`
  );
}
