import type { Font } from "fontkit";
import { PlatenError } from "../plugin-api/index.js";

/** The CSS values with which a style selects a font. */
interface FontFace {
  family: string;
  /** `400`, or `100 900` for a variable font. */
  weight: string;
  style: "normal" | "italic";
}

export interface OpenedFont {
  face: FontFace;
  /** The code points that it has glyphs for. */
  characters: number[];
}

/** A few kilobytes may claim to unpack to gigabytes; the largest existing fonts have about 40 MB. */
const maxUnpackedBytes = 128 * 1024 * 1024;

/** @throws PlatenError `invalid_request` for a damaged font and for one without a name. */
export async function openFont(bytes: Uint8Array): Promise<OpenedFont> {
  // Loaded on first use: few installations have fonts of their own.
  const { create } = await import("fontkit");
  // As it arrives in a thread, it is no `Buffer`.
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (!isComplete(file)) throw new Error("incomplete file");
    if ((readUnpackedSize(file) ?? 0) > maxUnpackedBytes)
      throw new Error(`unpacks to more than ${maxUnpackedBytes} bytes`);
    const font = create(file);
    if (!("familyName" in font)) throw new Error("a collection of fonts");
    assertDrawable(font);
    return { face: readFontFace(font), characters: font.characterSet };
  } catch (cause) {
    throw new PlatenError(
      "invalid_request",
      "The font is damaged or has no name. Use one ttf, otf, woff or woff2 file for each style.",
      { cause },
    );
  }
}

/** Enough to find a letter among spaces and marks. */
const maxTriedGlyphs = 50;

/** The tables of glyphs in color, which need no outlines. */
const pictureTables = ["CBDT", "COLR", "SVG ", "sbix"];

/** Reads the character map and outlines. @throws Error when there is nothing to draw. */
function assertDrawable(font: Font): void {
  const { characterSet, numGlyphs, unitsPerEm } = font;
  if (unitsPerEm < 16 || unitsPerEm > 16_384) throw new Error("no scale");
  if (numGlyphs === 0 || characterSet.length === 0)
    throw new Error("no characters");
  if (pictureTables.some((table) => hasTable(font, table))) return;
  const step = Math.ceil(characterSet.length / maxTriedGlyphs);
  const tried = characterSet.filter((_point, at) => at % step === 0);
  if (!tried.some((point) => hasOutline(font, point)))
    throw new Error("no outlines");
}

function hasTable(font: Font, table: string): boolean {
  const { tables } = Object(Reflect.get(font, "directory"));
  return Object.hasOwn(Object(tables), table);
}

function hasOutline(font: Font, codePoint: number): boolean {
  try {
    return font.glyphForCodePoint(codePoint).path.commands.length > 0;
  } catch {
    return false;
  }
}

/** Prefers the family name that all weights share (OpenType, name 16) to that of the four basic styles. */
function readFontFace(font: Font): FontFace {
  const family = (
    font.getName("preferredFamily", "en") ?? font.familyName
  ).trim();
  if (family === "" || family.length > 100) throw new Error("no family name");
  const { wght } = font.variationAxes;
  const os2 = font["OS/2"];
  const isItalic = os2.fsSelection.italic || font.italicAngle !== 0;
  return {
    family,
    weight: wght ? `${wght.min} ${wght.max}` : String(os2.usWeightClass),
    style: isItalic ? "italic" : "normal",
  };
}

/** Whether the file is as long as its table directory (OpenType) or its header (WOFF and WOFF2) says. */
function isComplete(bytes: Buffer): boolean {
  if (bytes.length < 48) return false;
  const mark = bytes.toString("latin1", 0, 4);
  if (mark.startsWith("wOF")) return bytes.readUInt32BE(8) <= bytes.length;
  const tables = bytes.readUInt16BE(4);
  const list = 12 + tables * 16;
  if (bytes.length < list) return false;
  for (let at = 12; at < list; at += 16) {
    const end = bytes.readUInt32BE(at + 8) + bytes.readUInt32BE(at + 12);
    if (end > bytes.length) return false;
  }
  return true;
}

/** The unpacked size that a compressed font declares; null for other fonts and for a damaged table directory. */
function readUnpackedSize(bytes: Buffer): number | null {
  const mark = bytes.toString("latin1", 0, 4);
  if (mark === "wOFF") return readWoffSize(bytes);
  return mark === "wOF2" ? readWoff2Size(bytes) : null;
}

/** WOFF 1.0, section 4: 44 bytes, then 20 for each table. */
function readWoffSize(bytes: Buffer): number | null {
  const end = 44 + bytes.readUInt16BE(12) * 20;
  if (end > bytes.length) return null;
  let size = 0;
  for (let at = 44; at < end; at += 20) size += bytes.readUInt32BE(at + 12);
  return size;
}

const customTag = 63;
const glyfTag = 10;
const locaTag = 11;

/** WOFF 2.0, section 4.1: the lengths of tables are encoded with variable length. */
function readWoff2Size(bytes: Buffer): number | null {
  let at = 48;
  let size = 0;
  const readLength = (): number => {
    let value = 0;
    for (let digits = 0; digits < 5; digits += 1) {
      const byte = bytes[at++] ?? 0;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    return Number.POSITIVE_INFINITY;
  };
  for (let table = bytes.readUInt16BE(12); table > 0; table -= 1) {
    const flags = bytes[at++] ?? 0;
    const tag = flags & 63;
    if (tag === customTag) at += 4;
    const length = readLength();
    const isGlyphTable = tag === glyfTag || tag === locaTag;
    const isTransformed = isGlyphTable ? flags >> 6 !== 3 : flags >> 6 !== 0;
    size += isTransformed ? Math.max(length, readLength()) : length;
    if (at > bytes.length) return null;
  }
  return size;
}
