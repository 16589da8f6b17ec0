import type { MissingGlyph } from "../jobs.js";
import type { CharacterSet } from "../fonts/character-set.js";

const MAX_GLYPHS = 20;

/**
 * The characters of a document that no font has: the page shows an empty box for each. The most frequent first,
 * at most 20.
 * @param htmls the document, and whatever is laid over it
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

/** Headers and footers stand in more than one place: a character counts in the first place that has it. */
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
/** Comments, elements that are not drawn, and tags with all their attributes. */
const MARKUP =
  /<!--[^]*?-->|<(style|title|script|template)\b[^]*?<\/\1\s*>|<[^>]*>/gi;

/** What a reader of the html may see, and its style sheets: the headers and footers of pages stand in those. */
function extractVisibleText(html: string): { body: string; styles: string } {
  const sheets = Array.from(html.matchAll(STYLES), ([, sheet = ""]) => sheet);
  return { body: html.replace(MARKUP, ""), styles: sheets.join("\n") };
}
