const SINGLE = 1;
const EXTENSION = 7;

interface Feature {
  /** Where its tag stands in the table. */
  at: number;
  tag: string;
  lookups: number[];
}

/** The features of a `GSUB` table. */
export function readFeatures(gsub: Buffer): Feature[] {
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
export function singleSubstitutions(
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
  const covered = readCoverage(gsub, at + gsub.readUInt16BE(at + 2));
  const delta = gsub.readUInt16BE(at + 4);
  if (gsub.readUInt16BE(at) === 1)
    return covered.map((glyph) => [glyph, (glyph + delta) & 0xffff]);
  const substitutes = readNumbers(gsub, at + 4);
  return covered.map((glyph, index) => [glyph, substitutes[index] ?? glyph]);
}

function readCoverage(gsub: Buffer, at: number): number[] {
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
