import type { CharacterSet } from "../../fonts/characters/character-set.js";
import type { MissingGlyph } from "../print-flaws.js";
import { visibleText } from "./visible-text.js";

const MOST = 20;

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
    .slice(0, MOST)
    .map(([character, times]) => ({
      character,
      codePoint: codePointName(character),
      count: times,
    }));
}

/** Headers and footers stand in more than one place: a character counts in the first place that has it. */
function count(
  html: string,
  printable: CharacterSet,
  counts: Map<string, number>,
): void {
  const { body, styles } = visibleText(html);
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

function codePointName(character: string): string {
  const digits = character.codePointAt(0)!.toString(16).toUpperCase();
  return `U+${digits.padStart(4, "0")}`;
}
