import { readCharacterMap, writeCharacterMap } from "./character-map.js";
import { readTables, writeTables } from "./font-tables.js";
import { readFeatures, singleSubstitutions } from "./substitutions.js";

// A PDF tells a reader which letter a glyph is only where the font's own character map leads to that glyph. Figures
// drawn by a feature (`tabular-nums`), and signs that a font exchanges by itself between figures or capitals
// (contextual alternates), are lost to whoever copies or searches text. So the tabular figures become the figures
// of the face, and both features vanish: what is seen is what is read.

const TABULAR = "tnum";
const CONTEXTUAL = "calt";
/** A tag that nobody asks for. */
const NOBODY = "zzzz";
/** Characters that share their glyph with a far more common one, which a PDF would then be read as. */
const RARE_TWINS = [[0x02bc, 0x2019]] as const; // modifier apostrophe, closing quote
const FIGURES = Array.from("0123456789", (figure) => figure.charCodeAt(0));

/** The same face with tabular figures of its own, every letter of which is found again in a PDF's text. */
export function readableFace(font: Buffer): Buffer {
  const tables = readTables(font);
  const [cmap, gsub] = [tables.get("cmap"), tables.get("GSUB")];
  if (!cmap || !gsub) return font;
  const map = readCharacterMap(cmap);
  const quiet = Buffer.from(gsub);
  for (const feature of readFeatures(gsub)) {
    if (feature.tag === TABULAR)
      useFigures(map, singleSubstitutions(gsub, feature));
    if ([TABULAR, CONTEXTUAL].includes(feature.tag))
      quiet.write(NOBODY, feature.at, "latin1");
  }
  for (const [rare, common] of RARE_TWINS)
    if (map.get(rare) === map.get(common)) map.delete(rare);
  return writeTables(
    font,
    new Map(tables).set("cmap", writeCharacterMap(map)).set("GSUB", quiet),
  );
}

function useFigures(
  map: Map<number, number>,
  tabular: ReadonlyMap<number, number>,
): void {
  for (const figure of FIGURES) {
    const glyph = tabular.get(map.get(figure) ?? 0);
    if (glyph !== undefined) map.set(figure, glyph);
  }
}
