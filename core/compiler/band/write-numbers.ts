import { PAGE_MARK, PAGES_MARK } from "../components/numbers.js";

/** Markup with its marks replaced by numbers. */
export function writeNumbers(
  html: string,
  page: number,
  pages: number,
): string {
  if (!html.includes(PAGE_MARK) && !html.includes(PAGES_MARK)) return html;
  return html
    .replaceAll(PAGE_MARK, String(page))
    .replaceAll(PAGES_MARK, String(pages));
}
