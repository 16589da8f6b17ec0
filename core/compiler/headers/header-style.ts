import { escapeHtml } from "../../definition/expressions/index.js";
import { px } from "../../definition/page/paper.js";
import { percentEncoded } from "../escape.js";
import { languageAttributes } from "../locale.js";
import { FONT_STACK, PAGE_STYLE } from "../page/page-style.js";
import type { Declarations } from "../styles.js";

/** Styles and language of the document that headers and footers share. */
export interface HeaderText {
  /** Rules of the named styles. */
  styles: string;
  /** BCP 47. */
  language: string;
}

/** The default text style of headers and footers, in markup and margin boxes. */
export const HEADER_TEXT: Declarations = {
  color: "#5b6575",
  "font-family": FONT_STACK,
  "font-size": "8.5pt",
  "font-weight": "400",
  "line-height": "1.4",
};

/** The style of a divider in a header or footer; `locateNumbers` relies on these lengths. */
export const DIVIDER_STYLE: Declarations = {
  margin: "6px 0",
  "border-top": "0.75pt",
};

/** The style differences of headers and footers, which are centered in their margin. */
export const HEADER_STYLE = `
.band{display:flex;flex-direction:column;justify-content:center;${declarations(HEADER_TEXT)}}
.band>*{flex:none}
.band p{margin:0}
.band hr{margin:6px 0;border:0;border-top:.75pt solid #dfe3e9}
.band .columns{align-items:center}
`.trim();

export function declarations(style: Declarations): string {
  return Object.entries(style)
    .map(([property, value]) => `${property}:${value}`)
    .join(";");
}

export interface ImageSize {
  width: number;
  height: number;
}

/**
 * Wraps markup in an SVG image in a CSS `url()`, the only way to show markup in a page margin box. The image loads
 * nothing, so it contains all styles. Returns the parts before and after the percent-encoded markup.
 */
export function headerImage(
  styles: string,
  language: string,
  { width, height }: ImageSize,
): { before: string; after: string } {
  const css = escapeHtml(`${PAGE_STYLE}\n${HEADER_STYLE}\n${styles}`);
  const before =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}"><foreignObject width="100%" height="100%">` +
    `<body xmlns="http://www.w3.org/1999/xhtml" ${languageAttributes(language)}><style>${css}</style><div class="band" style="height:${px(height)}">`;
  const after = "</div></body></foreignObject></svg>";
  return {
    before: `url("data:image/svg+xml;charset=utf-8,${percentEncoded(before)}`,
    after: `${percentEncoded(after)}")`,
  };
}
