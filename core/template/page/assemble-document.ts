import { BAND_STYLE } from "../band/band-style.js";
import type { DrawnBand } from "../band/drawn-band.js";
import type { Edges } from "../band/edges.js";
import { screenBands, screenBandStyle } from "../band/screen-bands.js";
import { escapeMarkup } from "../output/escape.js";
import { PAGE_STYLE } from "./page-style.js";
import { pageRule } from "./page-rule.js";
import type { Paper } from "./paper.js";
import { screenStyle } from "./screen-style.js";
import { textDirection } from "./text-direction.js";

interface DocumentParts {
  title: string;
  language: string;
  paper: Paper;
  /** Rules of the named styles. */
  styles: string;
  body: string;
  bands: Edges<DrawnBand>;
  /** Rules that print headers and footers. */
  pageRules: string;
}

/** The complete html: one file, in standards mode, that prints as a document and reads well in a browser. */
export function assembleDocument(parts: DocumentParts): string {
  const { title, language, body } = parts;
  const { header, footer } = screenBands(parts.bands);
  return (
    `<!doctype html>\n<html lang="${language}" dir="${textDirection(language)}">\n<head>\n` +
    '<meta charset="utf-8"/>\n<meta name="viewport" content="width=device-width, initial-scale=1"/>\n' +
    `<title>${escapeMarkup(title)}</title>\n` +
    `<style>\n${styleSheet(parts)}</style>\n</head>\n` +
    `<body>\n<div class="sheet">\n${header}<main>${body}</main>\n${footer}</div>\n</body>\n</html>\n`
  );
}

function styleSheet({ paper, styles, pageRules }: DocumentParts): string {
  return [
    pageRule(paper),
    PAGE_STYLE,
    BAND_STYLE,
    screenStyle(paper),
    screenBandStyle(paper),
    pageRules,
    styles,
  ]
    .filter((rules) => rules !== "")
    .join("\n");
}
