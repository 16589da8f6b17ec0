import { escapeHtml } from "../../definition/expressions/index.js";
import { cssString, percentEncoded } from "../escape.js";

/** One file of a font, for documents that name its family. */
export interface FontFace {
  family: string;
  /** As CSS says it: `400`, or `100 900` of a variable font. */
  weight: string;
  style: "normal" | "italic";
  /** In base64. */
  dataUrl: string;
}

/** The families, of those given, that a document names. Names are compared as CSS does it, whatever their case. */
export function familiesIn(
  html: string,
  families: readonly string[],
): Set<string> {
  const text = html.toLowerCase();
  return new Set(
    families.filter((family) => text.includes(family.toLowerCase())),
  );
}

/** Headers and footers are images of their own (see `headerImage`), which load nothing: what they name is in each. */
const BANDS = /url\("data:image\/svg\+xml;charset=utf-8,%3Csvg[^"]*"\)/g;
const BAND_STYLES = "%3Cstyle%3E";

/** The html with its fonts inside. */
export function inlineFonts(html: string, faces: readonly FontFace[]): string {
  if (faces.length === 0) return html;
  const inBands = html.replace(BANDS, (band) => isInHeader(band, faces));
  const rules = faces.map(rule).join("\n");
  return inBands.replace("</head>", () => `<style>${rules}</style>\n</head>`);
}

function isInHeader(band: string, faces: readonly FontFace[]): string {
  const named = familiesIn(
    band,
    faces.map(({ family }) => family),
  );
  if (named.size === 0) return band;
  const own = faces.filter(({ family }) => named.has(family));
  const rules = percentEncoded(escapeHtml(own.map(rule).join("")));
  return band.replace(BAND_STYLES, () => BAND_STYLES + rules);
}

function rule({ family, weight, style, dataUrl }: FontFace): string {
  return (
    `@font-face{font-family:${cssString(family)};font-weight:${weight};` +
    `font-style:${style};src:url("${dataUrl}")}`
  );
}
