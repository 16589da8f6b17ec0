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
}

/** The complete html: one file, in standards mode, that prints as a document and reads well in a browser. */
export function assembleDocument(parts: DocumentParts): string {
  const { title, language, paper, styles, body } = parts;
  return (
    `<!doctype html>\n<html lang="${language}" dir="${textDirection(language)}">\n<head>\n` +
    '<meta charset="utf-8"/>\n<meta name="viewport" content="width=device-width, initial-scale=1"/>\n' +
    `<title>${escapeMarkup(title)}</title>\n` +
    `<style>\n${pageRule(paper)}\n${PAGE_STYLE}\n${screenStyle(paper)}\n${styles}</style>\n</head>\n` +
    `<body>\n<div class="sheet">\n<main>${body}</main>\n</div>\n</body>\n</html>\n`
  );
}
