import { readFile } from "node:fs/promises";
import { PlatenError } from "../../plugin-api/index.js";
import { CSS_GENERICS, FONT_FAMILIES, type FontFamily } from "../fonts.js";
import { faceFile } from "./font-files.js";
import { readableFace } from "./face/readable-face.js";

/** One face of a family that every document may name. */
export interface ShippedFace {
  family: string;
  weight: string;
  style: "normal" | "italic";
  /** What `readFace` knows it by. */
  file: string;
}

interface Face extends ShippedFace {
  font: FontFamily;
  face: string;
}

const faces: readonly Face[] = FONT_FAMILIES.flatMap((font) =>
  font.faces.map((face) => ({
    font,
    face,
    family: font.family,
    weight: /^\d+/.exec(face)?.[0] ?? "400",
    style: face.endsWith("_Italic") ? "italic" : "normal",
    file: `${font.folder}-${face}.ttf`,
  })),
);

/** All of them, in the order of the families. */
export function shippedFaces(): ShippedFace[] {
  return faces.map(({ family, weight, style, file }) => ({
    family,
    weight,
    style,
    file,
  }));
}

/** Which shipped family is printed for another name: of CSS's generic ones, and of fonts that many name. */
export function familyAliases(): Record<string, string> {
  const aliases = FONT_FAMILIES.flatMap(({ family, aliases: names = [] }) =>
    names.map((name) => [name, family] as const),
  );
  return { ...CSS_GENERICS, ...Object.fromEntries(aliases) };
}

/** A face as documents are printed with it, TTF. @throws PlatenError `not_found` for a file that is none of them. */
export async function readFace(file: string): Promise<Buffer> {
  const face = faces.find((one) => one.file === file);
  if (!face) throw noFace();
  const bytes = await readFile(faceFile(face.font, face.face));
  return face.font.isMadeReadable ? readableFace(bytes) : bytes;
}

function noFace(): PlatenError {
  return new PlatenError("not_found", "There is no such font.");
}
