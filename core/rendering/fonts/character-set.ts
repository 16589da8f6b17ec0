import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readCharacterMap, readTables } from "./open-type.js";

const CODE_POINTS = 0x110000;
/** Most documents consist of these alone, and regular expressions pass over them much faster than a loop does. */
const OTHERS_THAN_LATIN = /[^\0-\u024f]+/g;

/** A set of Unicode characters, one bit for each. */
export class CharacterSet {
  /** @param bits of a former set. */
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

  /** Whether it holds every character of a text; Latin letters, signs and controls are taken to be in the set. */
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
/** They leave no mark on the paper, so that no font needs them; except for the Ogham space, which is a line. */
const INVISIBLE =
  /(?!\u1680)[\p{Default_Ignorable_Code_Point}\p{Z}\p{Cc}\p{Cf}\p{Cs}]/u;
/** Nothing says what they mean, hence a browser asks no other font for them. */
const PRIVATE_USE = /\p{Co}/u;

/** Notes in a folder of fonts which characters can be printed with them. */
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

/** What can be printed with the fonts of a folder, as `writeCoverage` noted it. */
export async function readCoverage(folder: string): Promise<CharacterSet> {
  return new CharacterSet(await readFile(join(folder, FILE)));
}

async function addFace(printable: CharacterSet, path: string): Promise<void> {
  const cmap = readTables(await readFile(path)).get("cmap");
  if (!cmap) return;
  for (const [codePoint, glyph] of readCharacterMap(cmap))
    if (glyph !== 0) printable.add(codePoint);
}
