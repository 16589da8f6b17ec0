/**
 * Facts read from a PDF as Chromium writes it, without parsing it: each node of its page tree stands in clear text
 * with the number of pages below it, so the root's is the largest. A line end never stands inside a title.
 */
const PAGE_TREE_NODE = "<</Type /Pages\n/Count ";
const EMBEDDED_FONT = /\/FontFile[23]?\s/;

/** Number of pages; 0 when the bytes are no PDF of Chromium's. */
export function countPages(pdf: Buffer): number {
  let pages = 0;
  let at = pdf.indexOf(PAGE_TREE_NODE);
  while (at >= 0) {
    const start = at + PAGE_TREE_NODE.length;
    const digits = pdf.toString("latin1", start, start + 10);
    pages = Math.max(pages, Number.parseInt(digits, 10));
    at = pdf.indexOf(PAGE_TREE_NODE, start);
  }
  return pages;
}

export function embedsFont(pdf: Buffer): boolean {
  return EMBEDDED_FONT.test(pdf.toString("latin1"));
}
