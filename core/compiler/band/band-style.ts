import type { Declarations } from "../style/named-styles.js";
import { FONT_STACK } from "../page/page-style.js";

/** What headers and footers have in common with the page. */
export interface BandText {
  /** Rules of the named styles. */
  styles: string;
  /** BCP 47. */
  language: string;
}

/** The text of headers and footers unless a style says otherwise, both as markup and in margin boxes. */
export const BAND_TEXT: Declarations = {
  color: "#5b6575",
  "font-family": FONT_STACK,
  "font-size": "8.5pt",
  "font-weight": "400",
  "line-height": "1.4",
};

/** A rule in a header or footer; `locateNumbers` counts on these lengths. */
export const DIVIDER_STYLE: Declarations = {
  margin: "6px 0",
  "border-top": "0.75pt",
};

/** What differs in headers and footers from the page. They are centered in their margin. */
export const BAND_STYLE = `
.band{display:flex;flex-direction:column;justify-content:center;${declarations(BAND_TEXT)}}
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
