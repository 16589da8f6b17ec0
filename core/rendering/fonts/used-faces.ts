import { listShippedFaces, readFace, type ShippedFace } from "./font-files.js";
import { readCharacterMap, readTables } from "./open-type.js";

const EMBEDDED_NAME = /\/BaseFont \/[A-Z]{6}\+([^\s/>]+)/g;
const EMOJI = "Noto Color Emoji";
/** Emoji, and the invisible characters that make others emoji or join them. */
const COLORED = /\p{Emoji_Presentation}|\u200d|\ufe0f|\u20e3/u;
/** Color fonts, and faces that the browser makes bold, are drawn this way; their names are not in the PDF. */
const NAMELESS_FONT = "/Subtype /Type3";

/**
 * The shipped faces that a document is printed with, in the order of the families.
 * @param characters of the document
 */
export async function findUsedFaces(
  pdf: Buffer,
  characters: string,
): Promise<ShippedFace[]> {
  const text = pdf.toString("latin1");
  const matches = text.matchAll(EMBEDDED_NAME);
  const names = new Set(Array.from(matches, ([, name = ""]) => name));
  const nameByFile = await readFaceNames();
  const faces = listShippedFaces();
  const used = new Set(
    faces.filter(({ file }) => names.has(nameByFile.get(file) ?? "")),
  );
  if (text.includes(NAMELESS_FONT))
    for (const face of await findFallbackFaces([...used], characters))
      used.add(face);
  return faces.filter((face) =>
    [...used].some(({ file }) => file === face.file),
  );
}

/** The regular faces from which the browser takes characters that none of the others has. */
async function findFallbackFaces(
  used: readonly ShippedFace[],
  characters: string,
): Promise<ShippedFace[]> {
  const all = [...new Set(characters)];
  let missing = all.filter((character) => !COLORED.test(character));
  const added: ShippedFace[] = [];
  const regular = listShippedFaces().filter(
    ({ weight, style, file }) =>
      weight === "400" &&
      style === "normal" &&
      used.every((face) => face.file !== file),
  );
  const lacks = async ({ file }: ShippedFace) => {
    const cmap = readTables(await readFace(file)).get("cmap");
    const map = cmap ? readCharacterMap(cmap) : new Map<number, number>();
    return missing.filter(
      (character) => !map.get(character.codePointAt(0) ?? 0),
    );
  };
  for (const face of used) missing = await lacks(face);
  for (const face of regular) {
    if (missing.length === 0) break;
    const left = await lacks(face);
    if (left.length < missing.length) added.push(face);
    missing = left;
  }
  const emoji = regular.find(({ family }) => family === EMOJI);
  if (emoji && COLORED.test(characters)) added.push(emoji);
  return added;
}

let faceNames: Promise<ReadonlyMap<string, string>> | undefined;

/** The PostScript name of each face by its file; read once, by the first document that needs it. */
function readFaceNames(): Promise<ReadonlyMap<string, string>> {
  faceNames ??= (async () => {
    const names = new Map<string, string>();
    for (const { family, file } of listShippedFaces())
      if (family !== EMOJI)
        names.set(file, readPostScriptName(await readFace(file)));
    return names;
  })();
  return faceNames;
}

const POSTSCRIPT_NAME = 6;
const WINDOWS = 3;

function readPostScriptName(font: Buffer): string {
  const table = readTables(font).get("name");
  if (!table) return "";
  const texts = table.readUInt16BE(4);
  for (let index = 0; index < table.readUInt16BE(2); index += 1) {
    const at = 6 + 12 * index;
    const isWindows = table.readUInt16BE(at) === WINDOWS;
    if (table.readUInt16BE(at + 6) !== POSTSCRIPT_NAME) continue;
    const start = texts + table.readUInt16BE(at + 10);
    const bytes = table.subarray(start, start + table.readUInt16BE(at + 8));
    return isWindows
      ? Buffer.from(bytes).swap16().toString("utf16le")
      : bytes.toString("latin1");
  }
  return "";
}
