import {
  compileText,
  type Scope,
  type ScopeTypes,
  escapeHtml,
} from "../../definition/expressions/index.js";
import type { Watermark } from "../../definition/schema/output-schema.js";
import type { Run } from "../merge/run.js";
import { escapeXml } from "../../lib/escape-xml.js";
import { cssUrl } from "../escape.js";
import { px, toPx, type Paper } from "../../definition/page/paper.js";
import { FONT_STACK } from "./page-style.js";

/** Above the content of every page: fixed boxes are repeated on each page at no cost. */
export const WATERMARK_STYLE = `
.watermark{position:fixed;inset:0;z-index:9;pointer-events:none;background:center/contain no-repeat}
@media screen{.watermark{position:absolute;background-repeat:repeat-y}}
`.trim();

/** Defaults of a watermark with only a text. */
export const DEFAULT_WATERMARK = {
  color: "#334155",
  opacity: 0.12,
  angle: -35,
};

/** Compiles the watermark of a template; it is empty when there is none or its text is empty. */
export function compileWatermark(
  watermark: Watermark | undefined,
  types: ScopeTypes,
): (root: Scope, run: Run, paper: Paper) => string {
  if (watermark === undefined) return () => "";
  const own = typeof watermark === "string" ? { text: watermark } : watermark;
  const text = compileText(own.text ?? "", "$.page.watermark", types);
  const image = compileText(own.image ?? "", "$.page.watermark.image", types);
  const {
    opacity = DEFAULT_WATERMARK.opacity,
    color = DEFAULT_WATERMARK.color,
    angle = DEFAULT_WATERMARK.angle,
    fontSize,
  } = own;
  return (root, run, paper) => {
    const source = image(root, "plain");
    const address = source && run.assets.address(source, "Watermark");
    const picture = address ? markElement(cssUrl(address), opacity) : "";
    const words = run.guardText(text(root, "plain").trim());
    const size = fontSize === undefined ? undefined : toPx(fontSize);
    const ink = {
      color,
      angle,
      size: size ?? fittingSize(words, angle, paper),
    };
    return (
      picture + (words && markElement(textImage(words, ink, paper), opacity))
    );
  };
}

/** The mark on every page of a test document; the content below stays readable. */
export function testMark(paper: Paper): string {
  const size = Math.min(paper.contentPx * 0.36, paper.heightPx * 0.36);
  const ink = { color: "#dc2626", angle: -35, size };
  return markElement(textImage("TEST", ink, paper), 0.2);
}

interface Ink {
  color: string;
  /** Degrees, clockwise. */
  angle: number;
  /** CSS px. */
  size: number;
}

function markElement(image: string, opacity: number): string {
  const style = `background-image:${image};opacity:${opacity}`;
  return `<div class="watermark" aria-hidden="true" style="${escapeHtml(style)}"></div>\n`;
}

function textImage(words: string, ink: Ink, paper: Paper): string {
  const { width, height } = area(paper);
  const [x, y] = [width / 2, height / 2];
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}">` +
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" transform="rotate(${ink.angle} ${x.toFixed(1)} ${y.toFixed(1)})" ` +
    `text-anchor="middle" dominant-baseline="central" font-family="${escapeHtml(FONT_STACK)}" font-weight="700" ` +
    `font-size="${px(ink.size)}" letter-spacing="0.04em" fill="${ink.color}">${escapeXml(words)}</text></svg>`;
  return cssUrl(`data:image/svg+xml,${encodeURIComponent(svg)}`);
}

/** The largest size that fits: text beyond the margins is cut off. Widths are those of bold capitals. */
function fittingSize(words: string, angle: number, paper: Paper): number {
  const { width, height } = area(paper);
  const turn = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const length = 0.78 * Math.max(3, words.length);
  return Math.min(
    160,
    width / (length * cos + sin),
    height / (length * sin + cos),
  );
}

function area({ contentPx, heightPx, margin }: Paper) {
  return { width: contentPx, height: heightPx - margin.top - margin.bottom };
}
