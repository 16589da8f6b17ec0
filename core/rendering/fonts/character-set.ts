import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
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

/** Writes into a folder of fonts which characters they can print. */
export async function writeCoverage(folder: string): Promise<void> {
  const printable = new CharacterSet();
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.endsWith(".ttf")))
    await addFace(printable, join(folder, name));
  for (let codePoint = 0; codePoint < 0x110000; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    if (INVISIBLE.test(character)) printable.add(codePoint);
    if (PRIVATE_USE.test(character)) printable.delete(codePoint);
  }
  await writeFile(join(folder, FILE), printable.bits);
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
