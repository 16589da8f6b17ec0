import type { MissingGlyph } from "../jobs.js";
import type { CharacterSet } from "../fonts/character-set.js";

const MAX_GLYPHS = 20;

/**
 * The characters of a document that no font has and that are printed as empty boxes, most frequent first, at most 20.
 * @param htmls the document and its overlay
 */
export function missingGlyphs(
  htmls: readonly string[],
  printable: CharacterSet,
): MissingGlyph[] {
  const counts = new Map<string, number>();
  for (const html of htmls)
    if (!printable.hasAllOf(html)) count(html, printable, counts);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_GLYPHS)
    .map(([character, times]) => ({
      character,
      codePoint: formatCodePoint(character),
      count: times,
    }));
}

/** Headers and footers appear in the body or in style sheets: a character counts only in the first. */
function count(
  html: string,
  printable: CharacterSet,
  counts: Map<string, number>,
): void {
  const { body, styles } = extractVisibleText(html);
  for (const place of [body, styles])
    for (const [character, times] of countMissing(place, printable))
      if (!counts.has(character)) counts.set(character, times);
}

function countMissing(
  text: string,
  printable: CharacterSet,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const character of text)
    if (!printable.has(character.codePointAt(0)!))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

function formatCodePoint(character: string): string {
  const digits = character.codePointAt(0)!.toString(16).toUpperCase();
  return `U+${digits.padStart(4, "0")}`;
}

const STYLES = /<style\b[^>]*>([^]*?)<\/style\s*>/gi;
/** Comments, invisible elements, and tags with their attributes. */
const MARKUP =
  /<!--[^]*?-->|<(style|title|script|template)\b[^]*?<\/\1\s*>|<[^>]*>/gi;

/** The visible text, and the style sheets, which contain the headers and footers of pages. */
function extractVisibleText(html: string): { body: string; styles: string } {
  const sheets = Array.from(html.matchAll(STYLES), ([, sheet = ""]) => sheet);
  return { body: html.replace(MARKUP, ""), styles: sheets.join("\n") };
}
