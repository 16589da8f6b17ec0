import { escapeHtml } from "../../definition/expressions/index.js";
import { cssString, percentEncoded } from "../escape.js";

/** One font file, embedded in documents that use its family. */
export interface FontFace {
  family: string;
  /** In CSS syntax: `400`, or `100 900` for a variable font. */
  weight: string;
  style: "normal" | "italic";
  /** A base64 data URL. */
  dataUrl: string;
}

/** Returns the families that a document uses, compared case-insensitively as in CSS. */
export function findFontFamilies(
  html: string,
  families: readonly string[],
): Set<string> {
  const text = html.toLowerCase();
  return new Set(
    families.filter((family) => text.includes(family.toLowerCase())),
  );
}

/**
 * Headers and footers are separate images (see `headerImage`) that load nothing, so each one embeds the fonts that it
 * uses.
 */
const HEADER_IMAGES =
  /url\("data:image\/svg\+xml;charset=utf-8,%3Csvg[^"]*"\)/g;
const HEADER_STYLE_TAG = "%3Cstyle%3E";

/** Embeds fonts in the html. */
export function inlineFonts(html: string, faces: readonly FontFace[]): string {
  if (faces.length === 0) return html;
  const withHeaders = html.replace(HEADER_IMAGES, (header) =>
    embedInHeader(header, faces),
  );
  const rules = faces.map(rule).join("\n");
  return withHeaders.replace(
    "</head>",
    () => `<style>${rules}</style>\n</head>`,
  );
}

function embedInHeader(header: string, faces: readonly FontFace[]): string {
  const named = findFontFamilies(
    header,
    faces.map(({ family }) => family),
  );
  if (named.size === 0) return header;
  const own = faces.filter(({ family }) => named.has(family));
  const rules = percentEncoded(escapeHtml(own.map(rule).join("")));
  return header.replace(HEADER_STYLE_TAG, () => HEADER_STYLE_TAG + rules);
}

function rule({ family, weight, style, dataUrl }: FontFace): string {
  return (
    `@font-face{font-family:${cssString(family)};font-weight:${weight};` +
    `font-style:${style};src:url("${dataUrl}")}`
  );
}
