import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { MissingGlyph } from "../jobs.js";
import { readCharacterMap, readTables } from "./open-type.js";

const CODE_POINTS = 0x110000;
/** Most documents contain only Latin characters, which a regular expression skips much faster than a loop. */
const OTHERS_THAN_LATIN = /[^\0-\u024f]+/g;

/** A set of Unicode characters, one bit for each. */
export class CharacterSet {
  /** @param bits of a stored set */
  constructor(readonly bits: Uint8Array = new Uint8Array(CODE_POINTS / 8)) {}

  add(codePoint: number): void {
    this.bits[codePoint >> 3]! |= 1 << (codePoint & 7);
  }

  delete(codePoint: number): void {
    this.bits[codePoint >> 3]! &= ~(1 << (codePoint & 7));
  }

  has(codePoint: number): boolean {
    return (this.bits[codePoint >> 3]! & (1 << (codePoint & 7))) !== 0;
  }

  /** Whether it contains every character of a text; Latin characters are assumed to be in the set. */
  hasAllOf(text: string): boolean {
    for (const { 0: run } of text.matchAll(OTHERS_THAN_LATIN))
      if (!this.#hasEach(run)) return false;
    return true;
  }

  #hasEach(text: string): boolean {
    for (let at = 0; at < text.length; at += 1) {
      const codePoint = text.codePointAt(at)!;
      if (!this.has(codePoint)) return false;
      if (codePoint > 0xffff) at += 1;
    }
    return true;
  }
}

const FILE = "coverage.bits";
/** Characters that print nothing, so no font needs them; except for the Ogham space, which is a line. */
const INVISIBLE =
  /(?!\u1680)[\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}\p{Cf}\p{Cs}]/u;
/** They have no defined meaning, so a browser does not look for them in other fonts. */
const PRIVATE_USE = /\p{Co}/u;

/** Writes into a folder of fonts which characters they can print. @returns these characters */
export async function writeCoverage(folder: string): Promise<CharacterSet> {
  const printable = new CharacterSet();
  const names = await readdir(folder);
  for (const name of names.filter((fileName) => fileName.endsWith(".ttf")))
    await addFace(printable, join(folder, name));
  for (let codePoint = 0; codePoint < 0x110000; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (INVISIBLE.test(character)) printable.add(codePoint);
    if (PRIVATE_USE.test(character)) printable.delete(codePoint);
  }
  await writeFile(join(folder, FILE), printable.bits);
  return printable;
}

/** The characters that the fonts of a folder can print, written by `writeCoverage`. */
export async function readCoverage(folder: string): Promise<CharacterSet> {
  return new CharacterSet(await readFile(join(folder, FILE)));
}

async function addFace(printable: CharacterSet, path: string): Promise<void> {
  const cmap = readTables(await readFile(path)).get("cmap");
  if (!cmap) return;
  for (const [codePoint, glyph] of readCharacterMap(cmap))
    if (glyph !== 0) printable.add(codePoint);
}

const MAX_GLYPHS = 1000;
/** Letters of Hangul, which a browser joins to the syllables that fonts have. */
const JAMO = /[\u1100-\u11ff]+/g;

/**
 * The characters of a document that no font has and that are printed as empty boxes, most frequent first, at most 1,000.
 * @param htmls the document and its overlay
 */
export function missingGlyphs(
  htmls: readonly string[],
  printable: CharacterSet,
): MissingGlyph[] {
  const counts = new Map<string, number>();
  for (const html of htmls) {
    if (!printable.hasAllOf(html) || ESCAPED.test(html))
      count(html, printable, counts);
    const drawn = readDrawnText(html);
    if (printable.hasAllOf(drawn)) continue;
    for (const [character, times] of countMissing(drawn, printable))
      counts.set(character, (counts.get(character) ?? 0) + times);
  }
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
  const joined = text
    .replace(ESCAPES, readEscape)
    .replace(JAMO, (letters) => letters.normalize("NFC"));
  for (const character of joined)
    if (!printable.has(character.codePointAt(0)!))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

function formatCodePoint(character: string): string {
  const digits = character.codePointAt(0)!.toString(16).toUpperCase();
  return `U+${digits.padStart(4, "0")}`;
}

/** A character that is written by its number, in HTML or in CSS. */
const ESCAPED = /&#|\\[0-9a-f]{3}/i;
const ESCAPES = /&#(\d{3,7}|x[0-9a-f]{3,6});|\\([0-9a-f]{3,6})\s?/gi;

function readEscape(escape: string, html?: string, css?: string): string {
  const digits = html?.replace(/^x/i, "") ?? css ?? "";
  const codePoint = Number.parseInt(digits, /^\d/.test(html ?? "x") ? 10 : 16);
  return codePoint < CODE_POINTS ? String.fromCodePoint(codePoint) : escape;
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

const SVG_IMAGE = "data:image/svg+xml;base64,";
const DRAWN_TEXT = /<(text|foreignObject)\b[^>]*>([^]*?)<\/\1\s*>/g;

/** The text of SVG images, also of those inside of each other, except of drawings that have fonts of their own. */
function readDrawnText(markup: string): string {
  const [, ...images] = markup.split(SVG_IMAGE);
  return images
    .map((image) => {
      const base64 = /^[\w+/=]*/.exec(image)?.[0] ?? "";
      const svg = Buffer.from(base64, "base64").toString();
      const texts = /@font-face/i.test(svg)
        ? []
        : Array.from(svg.matchAll(DRAWN_TEXT), ([, , text = ""]) => text);
      return texts.join("\n").replace(MARKUP, "") + readDrawnText(svg);
    })
    .join("\n");
}
