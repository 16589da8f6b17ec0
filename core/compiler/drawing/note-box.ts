import { escapeXml } from "../../lib/escape-xml.js";
import { wrapText } from "./wrap-text.js";

const FONT_SIZE = 11;
const LINE = 15;
const PADDING = 10;

/** A quiet box with a short text in its middle, as SVG; sizes in CSS pixels, `attributes` the root's own, as markup. */
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

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
