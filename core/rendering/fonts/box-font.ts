import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CharacterSet } from "./character-set.js";
import { writeCharacterMap, writeTables } from "./open-type.js";

// Chromium draws a whole word as boxes when no font has one of its characters. So there is a font for all characters
// that no other font has: each is a box of its own, from which the character can be copied.

const CODE_POINTS = 0x110000;
/** A font has at most 65,535. */
const MAX_GLYPHS = 60_000;
/** A browser draws these as boxes of their own. */
const UNDEFINED = /[\p{Cs}\p{Cn}\p{Co}]/u;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Yi}\p{Script=Tangut}\p{Script=Nushu}\p{Script=Khitan_Small_Script}\p{Extended_Pictographic}]/u;

const EM = 1000;
const ASCENT = 800;
const DESCENT = 200;
const NARROW = 600;
const MARGIN = 60;
const LINE = 40;

/** The first two glyphs: all others are one of them. */
const [NARROW_BOX, WIDE_BOX] = [0, 1];

/** Writes fonts into a folder that have every character outside of the set, as boxes. */
export async function writeBoxFonts(
  folder: string,
  printable: CharacterSet,
): Promise<void> {
  const missing: number[] = [];
  for (let codePoint = 0; codePoint < CODE_POINTS; codePoint += 1)
    if (
      !printable.has(codePoint) &&
      !UNDEFINED.test(String.fromCodePoint(codePoint))
    )
      missing.push(codePoint);
  for (let from = 0; from < missing.length; from += MAX_GLYPHS) {
    const font = createBoxFont(
      missing.slice(from, from + MAX_GLYPHS),
      from / MAX_GLYPHS + 1,
    );
    await writeFile(join(folder, `boxes-${from / MAX_GLYPHS + 1}.ttf`), font);
  }
}

function createBoxFont(codePoints: readonly number[], index: number): Buffer {
  const widths = [
    NARROW,
    EM,
    ...codePoints.map((codePoint) =>
      WIDE.test(String.fromCodePoint(codePoint)) ? EM : NARROW,
    ),
  ];
  const glyphs = widths.map((width, glyph) =>
    glyph <= WIDE_BOX
      ? drawBox(width)
      : drawCopy(width === EM ? WIDE_BOX : NARROW_BOX, width),
  );
  const offsets: number[] = [0];
  for (const { length } of glyphs) offsets.push((offsets.at(-1) ?? 0) + length);
  const map = new Map(
    codePoints.map((codePoint, at) => [codePoint, WIDE_BOX + 1 + at]),
  );
  const tables = new Map([
    ["OS/2", createOs2()],
    ["cmap", writeCharacterMap(map)],
    ["glyf", Buffer.concat(glyphs)],
    ["head", createHead()],
    ["hhea", createHhea(glyphs.length)],
    ["hmtx", toWords(widths.flatMap((width) => [width, MARGIN]))],
    ["loca", toLongs(offsets)],
    ["maxp", createMaxp(glyphs.length)],
    ["name", createName(`Platen Boxes ${index}`)],
    ["post", toLongs([0x00030000, 0, 0, 0, 0, 0, 0, 0])],
  ]);
  return writeTables(createHeader(tables.size), tables);
}

/** Of a TrueType file. */
function createHeader(tables: number): Buffer {
  const power = Math.floor(Math.log2(tables));
  const range = 16 * 2 ** power;
  return toWords([0x0001, 0, tables, range, power, tables * 16 - range]);
}

function drawBox(width: number): Buffer {
  const corners = (inset: number) => {
    const [left, right] = [MARGIN + inset, width - MARGIN - inset];
    const [bottom, top] = [inset - 80, 760 - inset];
    return { left, right, bottom, top };
  };
  const [outer, inner] = [corners(0), corners(LINE)];
  const points = [
    [outer.left, outer.bottom],
    [outer.left, outer.top],
    [outer.right, outer.top],
    [outer.right, outer.bottom],
    [inner.left, inner.bottom],
    [inner.right, inner.bottom],
    [inner.right, inner.top],
    [inner.left, inner.top],
  ] as const;
  const steps = (axis: 0 | 1) =>
    points.map((point, at) => point[axis] - (points[at - 1]?.[axis] ?? 0));
  const flags = Buffer.alloc(points.length, ON_CURVE);
  return padded(
    Buffer.concat([
      toWords([2, outer.left, outer.bottom, outer.right, outer.top, 3, 7, 0]),
      flags,
      toWords(steps(0)),
      toWords(steps(1)),
    ]),
  );
}

const ON_CURVE = 1;

/** A glyph that consists of another one. */
function drawCopy(glyph: number, width: number): Buffer {
  const box = [MARGIN, -80, width - MARGIN, 760];
  return padded(toWords([-1, ...box, ARGUMENTS_ARE_XY, glyph, 0]));
}

const ARGUMENTS_ARE_XY = 2;

function padded(glyph: Buffer): Buffer {
  return Buffer.concat([glyph, Buffer.alloc(-glyph.length & 3)]);
}

function createHead(): Buffer {
  const magic = [0x5f0f, 0x3cf5];
  const dates = [0, 0, 0, 0, 0, 0, 0, 0];
  const box = [MARGIN, -80, EM - MARGIN, 760];
  const end = [0, 8, 2, 1, 0]; // with offsets of four bytes
  return toWords([1, 0, 1, 0, 0, 0, ...magic, 3, EM, ...dates, ...box, ...end]);
}

function createHhea(glyphs: number): Buffer {
  const heights = [ASCENT, -DESCENT, 0];
  const widths = [EM, MARGIN, MARGIN, EM - MARGIN];
  const slope = [1, 0, 0, 0, 0, 0, 0, 0];
  return toWords([1, 0, ...heights, ...widths, ...slope, glyphs]);
}

function createMaxp(glyphs: number): Buffer {
  return toWords([1, 0, glyphs, 8, 2, 8, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
}

function createOs2(): Buffer {
  const table = Buffer.alloc(96);
  const set = (at: number, value: number) => table.writeUInt16BE(value, at);
  set(0, 4); // version
  set(2, NARROW); // average width
  set(4, 400); // weight
  set(6, 5); // width
  table.write("NONE", 58, "latin1");
  set(62, 0x40); // regular
  set(66, 0xffff); // last character
  set(68, ASCENT);
  table.writeInt16BE(-DESCENT, 70);
  set(74, ASCENT);
  set(76, DESCENT);
  return table;
}

const FAMILY = 1;
const STYLE = 2;
const FULL = 4;
const POSTSCRIPT = 6;

function createName(family: string): Buffer {
  const texts: [number, string][] = [
    [FAMILY, family],
    [STYLE, "Regular"],
    [FULL, family],
    [POSTSCRIPT, family.replaceAll(" ", "")],
  ];
  const bodies = texts.map(([, text]) => Buffer.from(text, "utf16le").swap16());
  let offset = 0;
  const records = texts.flatMap(([id], at) => {
    const { length = 0 } = bodies[at] ?? {};
    const record = [3, 1, 0x409, id, length, offset];
    offset += length;
    return record;
  });
  const start = 6 + 12 * texts.length;
  return Buffer.concat([
    toWords([0, texts.length, start, ...records]),
    ...bodies,
  ]);
}

/** Numbers of two bytes; negative ones too. */
function toWords(numbers: readonly number[]): Buffer {
  const words = Buffer.alloc(numbers.length * 2);
  for (const [at, number] of numbers.entries())
    words.writeUInt16BE(number & 0xffff, at * 2);
  return words;
}

function toLongs(numbers: readonly number[]): Buffer {
  const longs = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries())
    longs.writeUInt32BE(number, at * 4);
  return longs;
}
