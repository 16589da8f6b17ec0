// A PDF maps a glyph to a character only if the font's character map contains that glyph. Figures drawn by a feature
// (`tabular-nums`), and contextual alternates between figures or capitals, are lost when text is copied or searched. So
// the tabular figures become the default figures of the face, and both features are disabled.

const TABULAR = "tnum";
const CONTEXTUAL = "calt";
/** A tag that no document uses. */
const UNUSED_TAG = "zzzz";
/** Characters that share their glyph with a much more common one, which would be extracted instead. */
const RARE_TWINS = [[0x02bc, 0x2019]] as const; // modifier apostrophe, closing quote
const FIGURES = Array.from("0123456789", (figure) => figure.charCodeAt(0));

/** The same face with tabular figures, all of whose characters can be extracted from a PDF. */
export function makeReadable(font: Buffer): Buffer {
  const tables = readTables(font);
  const [cmap, gsub] = [tables.get("cmap"), tables.get("GSUB")];
  if (!cmap || !gsub) return font;
  const map = readCharacterMap(cmap);
  const disabledGsub = Buffer.from(gsub);
  for (const feature of readFeatures(gsub)) {
    if (feature.tag === TABULAR)
      useTabularFigures(map, readSingleSubstitutions(gsub, feature));
    if ([TABULAR, CONTEXTUAL].includes(feature.tag))
      disabledGsub.write(UNUSED_TAG, feature.at, "latin1");
  }
  for (const [rare, common] of RARE_TWINS)
    if (map.get(rare) === map.get(common)) map.delete(rare);
  return writeTables(
    font,
    new Map(tables)
      .set("cmap", writeCharacterMap(map))
      .set("GSUB", disabledGsub),
  );
}

function useTabularFigures(
  map: Map<number, number>,
  tabular: ReadonlyMap<number, number>,
): void {
  for (const figure of FIGURES) {
    const glyph = tabular.get(map.get(figure) ?? 0);
    if (glyph !== undefined) map.set(figure, glyph);
  }
}

/** Lam before and after another letter; with alef, it must be one shape. */
const LAM_FORMS = [0xfedf, 0xfee0];
const REQUIRED_LIGATURES = "rlig";
const LIGATURE = 4;

/**
 * The same Arabic face without the joined shapes of two letters that need not be one, such as sheen with reh: readers
 * of a PDF take the letters of one shape in the wrong order, since its text is written from right to left.
 */
export function partLigatures(font: Buffer): Buffer {
  const tables = readTables(font);
  const [cmap, gsub] = [tables.get("cmap"), tables.get("GSUB")];
  if (!cmap || !gsub) return font;
  const map = readCharacterMap(cmap);
  const lams = new Set(LAM_FORMS.map((form) => map.get(form)));
  const parted = Buffer.from(gsub);
  const list = gsub.readUInt16BE(8);
  for (const { tag, lookups } of readFeatures(gsub))
    for (const index of tag === REQUIRED_LIGATURES ? lookups : []) {
      const lookup = list + gsub.readUInt16BE(list + 2 + 2 * index);
      if (gsub.readUInt16BE(lookup) !== LIGATURE) continue;
      for (const offset of readNumbers(gsub, lookup + 4)) {
        const at = lookup + offset;
        const covered = readGlyphCoverage(gsub, at + gsub.readUInt16BE(at + 2));
        for (const [set, glyph] of covered.entries())
          if (!lams.has(glyph))
            parted.writeUInt16BE(0, at + gsub.readUInt16BE(at + 6 + 2 * set));
      }
    }
  return writeTables(font, new Map(tables).set("GSUB", parted));
}

const SINGLE = 1;
const EXTENSION = 7;

interface Feature {
  /** Offset of its tag in the table. */
  at: number;
  tag: string;
  lookups: number[];
}

function readFeatures(gsub: Buffer): Feature[] {
  const list = gsub.readUInt16BE(6);
  return Array.from({ length: gsub.readUInt16BE(list) }, (_, index) => {
    const at = list + 2 + 6 * index;
    const feature = list + gsub.readUInt16BE(at + 4);
    return {
      at,
      tag: gsub.toString("latin1", at, at + 4),
      lookups: readNumbers(gsub, feature + 2),
    };
  });
}

/** Glyph by glyph, what a feature draws in its place; only the plain one-to-one substitutions. */
function readSingleSubstitutions(
  gsub: Buffer,
  { lookups }: Feature,
): Map<number, number> {
  const list = gsub.readUInt16BE(8);
  const pairs = lookups.flatMap((index) => {
    const lookup = list + gsub.readUInt16BE(list + 2 + 2 * index);
    const type = gsub.readUInt16BE(lookup);
    return readNumbers(gsub, lookup + 4).flatMap((offset) =>
      readSubtable(gsub, lookup + offset, type),
    );
  });
  return new Map(pairs);
}

function readSubtable(
  gsub: Buffer,
  at: number,
  type: number,
): [number, number][] {
  if (type === EXTENSION)
    return readSubtable(
      gsub,
      at + gsub.readUInt32BE(at + 4),
      gsub.readUInt16BE(at + 2),
    );
  if (type !== SINGLE) return [];
  const covered = readGlyphCoverage(gsub, at + gsub.readUInt16BE(at + 2));
  const delta = gsub.readUInt16BE(at + 4);
  if (gsub.readUInt16BE(at) === 1)
    return covered.map((glyph) => [glyph, (glyph + delta) & 0xffff]);
  const substitutes = readNumbers(gsub, at + 4);
  return covered.map((glyph, index) => [glyph, substitutes[index] ?? glyph]);
}

function readGlyphCoverage(gsub: Buffer, at: number): number[] {
  if (gsub.readUInt16BE(at) === 1) return readNumbers(gsub, at + 2);
  const count = gsub.readUInt16BE(at + 2);
  return Array.from(
    { length: count },
    (_, index) => at + 4 + 6 * index,
  ).flatMap((range) => {
    const first = gsub.readUInt16BE(range);
    const last = gsub.readUInt16BE(range + 2);
    return Array.from(
      { length: last - first + 1 },
      (_, glyph) => first + glyph,
    );
  });
}

/** A count, then as many numbers of two bytes. */
function readNumbers(table: Buffer, at: number): number[] {
  const count = table.readUInt16BE(at);
  return Array.from({ length: count }, (_, index) =>
    table.readUInt16BE(at + 2 + 2 * index),
  );
}

/** Which glyph a character is drawn with, by code point. */
type CharacterMap = Map<number, number>;

const UNICODE_FULL = 12;
const UNICODE_BMP = 4;

/** Reads the `cmap` table: its full Unicode part where it has one, else that of the basic plane. */
export function readCharacterMap(cmap: Buffer): CharacterMap {
  const parts = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
    cmap.subarray(cmap.readUInt32BE(4 + 8 * index + 4)),
  );
  const full = parts.find((part) => part.readUInt16BE(0) === UNICODE_FULL);
  if (full) return readGroups(full);
  const basic = parts.find((part) => part.readUInt16BE(0) === UNICODE_BMP);
  return basic ? readSegments(basic) : new Map();
}

function readGroups(part: Buffer): CharacterMap {
  const map: CharacterMap = new Map();
  for (let group = 0; group < part.readUInt32BE(12); group += 1) {
    const at = 16 + 12 * group;
    const first = part.readUInt32BE(at);
    const glyph = part.readUInt32BE(at + 8);
    for (let code = first; code <= part.readUInt32BE(at + 4); code += 1)
      map.set(code, glyph + code - first);
  }
  return map;
}

function readSegments(part: Buffer): CharacterMap {
  const map: CharacterMap = new Map();
  const twice = part.readUInt16BE(6);
  for (let at = 14; at < 14 + twice; at += 2) {
    const last = part.readUInt16BE(at);
    const first = part.readUInt16BE(at + twice + 2);
    const delta = part.readUInt16BE(at + 2 * twice + 2);
    const rangeAt = at + 3 * twice + 2;
    const range = part.readUInt16BE(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const glyph =
        range === 0
          ? code
          : part.readUInt16BE(rangeAt + range + 2 * (code - first));
      if (range === 0 || glyph !== 0) map.set(code, (glyph + delta) & 0xffff);
    }
  }
  return map;
}

/** Writes a `cmap` table of one part, for full Unicode. */
export function writeCharacterMap(map: CharacterMap): Buffer {
  const groups = groupCharacters(map);
  const table = Buffer.alloc(12 + 16 + 12 * groups.length);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4); // Windows
  table.writeUInt16BE(10, 6); // full Unicode
  table.writeUInt32BE(12, 8);
  const part = table.subarray(12);
  part.writeUInt16BE(UNICODE_FULL, 0);
  part.writeUInt32BE(part.length, 4);
  part.writeUInt32BE(groups.length, 12);
  for (const [index, { first, last, glyph }] of groups.entries()) {
    part.writeUInt32BE(first, 16 + 12 * index);
    part.writeUInt32BE(last, 20 + 12 * index);
    part.writeUInt32BE(glyph, 24 + 12 * index);
  }
  return table;
}

interface Group {
  first: number;
  last: number;
  glyph: number;
}

function groupCharacters(map: CharacterMap): Group[] {
  const groups: Group[] = [];
  for (const [code, glyph] of [...map].toSorted(([a], [b]) => a - b)) {
    const open = groups.at(-1);
    const follows =
      open?.last === code - 1 && open.glyph + code - open.first === glyph;
    if (follows) open.last = code;
    else groups.push({ first: code, last: code, glyph });
  }
  return groups;
}

/** The tables of a TrueType file, by their tags. */
type FontTables = Map<string, Buffer>;

const HEADER = 12;
const RECORD = 16;

/** Reads a TrueType file; its tables are views of it. */
export function readTables(font: Buffer): FontTables {
  const tables: FontTables = new Map();
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const at = HEADER + RECORD * index;
    const start = font.readUInt32BE(at + 8);
    const end = start + font.readUInt32BE(at + 12);
    tables.set(font.toString("latin1", at, at + 4), font.subarray(start, end));
  }
  return tables;
}

/** Writes the tables as a TrueType file. @param font the file that they are from, for its header. */
export function writeTables(font: Buffer, tables: FontTables): Buffer {
  const directory = Buffer.alloc(HEADER + RECORD * tables.size);
  font.copy(directory, 0, 0, HEADER);
  let offset = directory.length;
  const bodies = [...tables].map(([tag, table], index) => {
    const body = padded(table);
    const at = HEADER + RECORD * index;
    directory.write(tag, at, "latin1");
    directory.writeUInt32BE(checksum(body), at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(table.length, at + 12);
    offset += body.length;
    return body;
  });
  return Buffer.concat([directory, ...bodies]);
}

/** Tables begin at multiples of four bytes. */
function padded(table: Buffer): Buffer {
  return Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
}

function checksum(body: Buffer): number {
  let sum = 0;
  for (let at = 0; at < body.length; at += 4)
    sum = (sum + body.readUInt32BE(at)) >>> 0;
  return sum;
}
