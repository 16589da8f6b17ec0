import { copyFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { packageInfo } from "../../lib/package-info.js";
import { FONT_FAMILIES, type FontFamily } from "../fonts.js";
import { readableFace } from "./face/readable-face.js";

/** Increment when the same font files produce a different folder. */
const LAYOUT_VERSION = 3;

/** Identifies this selection of font files, so that a folder made from another selection is never reused. */
export async function fontsVersion(): Promise<string> {
  const selection = JSON.stringify([LAYOUT_VERSION, FONT_FAMILIES]);
  const hash = createHash("sha256").update(selection);
  for (const font of FONT_FAMILIES)
    for (const face of font.faces) {
      const { size } = await stat(faceFile(font, face));
      hash.update(`${font.folder}/${face} ${size}\n`);
    }
  return hash.digest("hex").slice(0, 12);
}

/** Copies every face of every family into one folder. */
export async function copyFonts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const font of FONT_FAMILIES)
    for (const face of font.faces) {
      const source = faceFile(font, face);
      const target = join(folder, `${font.folder}-${face}.ttf`);
      if (font.isMadeReadable)
        await writeFile(target, readableFace(await readFile(source)));
      else await copyFile(source, target);
    }
}

/** The TTF file of one face, in the package's own `fonts` folder. */
export function faceFile(font: FontFamily, face: string): string {
  return join(packageInfo().folder, "fonts", font.folder, `${face}.ttf`);
}
