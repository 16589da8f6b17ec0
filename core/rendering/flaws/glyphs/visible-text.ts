const STYLES = /<style\b[^>]*>([^]*?)<\/style\s*>/gi;
/** Comments, elements that are not drawn, and tags with all their attributes. */
const MARKUP =
  /<!--[^]*?-->|<(style|title|script|template)\b[^]*?<\/\1\s*>|<[^>]*>/gi;

/** What a reader of the html may see, and its style sheets: the headers and footers of pages stand in those. */
export function visibleText(html: string): { body: string; styles: string } {
  const sheets = Array.from(html.matchAll(STYLES), ([, sheet = ""]) => sheet);
  return { body: html.replace(MARKUP, ""), styles: sheets.join("\n") };
}
