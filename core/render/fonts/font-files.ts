import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  writeFile,
} from "node:fs/promises";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { FONT_FAMILIES, type FontFamily } from "../fonts.js";
import { readableFace } from "./face/readable-face.js";

const require = createRequire(import.meta.url);

/** Counts up whenever the same fonts make another folder: other faces, or other files beside them. */
const MAKE = 2;

/** Names this selection of fonts at these versions, so that a folder with another selection is never taken for it. */
export async function fontsVersion(): Promise<string> {
  const selection = JSON.stringify([MAKE, FONT_FAMILIES]);
  const hash = createHash("sha256").update(selection);
  for (const font of FONT_FAMILIES)
    hash.update(await readFile(packageFile(font), "utf8"));
  return hash.digest("hex").slice(0, 12);
}

/** Copies every face of every family into one folder. */
export async function copyFonts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const font of FONT_FAMILIES)
    for (const face of font.faces) await copyFace(font, face, folder);
}

async function copyFace(
  font: FontFamily,
  face: string,
  folder: string,
): Promise<void> {
  const from = faceFolder(font, face);
  const files = (await readdir(from)).filter((name) => name.endsWith(".ttf"));
  for (const name of files) {
    const target = join(folder, name);
    if (font.isMadeReadable)
      await writeFile(target, readableFace(await readFile(join(from, name))));
    else await copyFile(join(from, name), target);
  }
}

/** Where a family's package keeps the files of a face. */
export function faceFolder(font: FontFamily, face: string): string {
  return join(dirname(packageFile(font)), face);
}

function packageFile(font: FontFamily): string {
  return require.resolve(`@expo-google-fonts/${font.package}/package.json`);
}
