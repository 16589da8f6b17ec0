import { escapeHtml } from "../../definition/expressions/index.js";
import { percentEncoded } from "../output/escape.js";
import { px } from "../../definition/page/lengths.js";
import { languageAttributes } from "../page/text-direction.js";
import { PAGE_STYLE } from "../page/page-style.js";
import { BAND_STYLE } from "./band-style.js";

export interface ImageSize {
  width: number;
  height: number;
}

/**
 * Markup as an SVG image in a CSS `url()`: the only way in which a page margin box shows any. The image loads
 * nothing, so all that it needs is in it. Given in two halves, between which the percent-encoded markup belongs.
 */
export function bandImage(
  styles: string,
  language: string,
  { width, height }: ImageSize,
): { before: string; after: string } {
  const css = escapeHtml(`${PAGE_STYLE}\n${BAND_STYLE}\n${styles}`);
  const before =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}"><foreignObject width="100%" height="100%">` +
    `<body xmlns="http://www.w3.org/1999/xhtml" ${languageAttributes(language)}><style>${css}</style><div class="band" style="height:${px(height)}">`;
  const after = "</div></body></foreignObject></svg>";
  return {
    before: `url("data:image/svg+xml;charset=utf-8,${percentEncoded(before)}`,
    after: `${percentEncoded(after)}")`,
  };
}
