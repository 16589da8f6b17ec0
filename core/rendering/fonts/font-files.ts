import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeXml } from "../../lib/escape-xml.js";
import { getPackageInfo } from "../../lib/package-info.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  FONT_FAMILIES,
  type FontFamily,
  CSS_GENERICS,
} from "./font-families.js";
import { makeReadable, partLigatures } from "./open-type.js";

/** Increment when the same font files produce a different folder. */
const LAYOUT_VERSION = 4;

/** Identifies this selection of font files, so that a folder of another selection is never reused. */
export async function getFontsVersion(): Promise<string> {
  const selection = JSON.stringify([LAYOUT_VERSION, FONT_FAMILIES]);
  const hash = createHash("sha256").update(selection);
  for (const font of FONT_FAMILIES)
    for (const face of font.faces) {
      const { size } = await stat(getFaceFile(font, face));
      hash.update(`${font.folder}/${face} ${size}\n`);
    }
  return hash.digest("hex").slice(0, 12);
}

export async function copyFonts(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const font of FONT_FAMILIES)
    for (const face of font.faces) {
      const source = getFaceFile(font, face);
      const target = join(folder, `${font.folder}-${face}.ttf`);
      if (font.isMadeReadable || font.isParted)
        await writeFile(target, prepare(font, await readFile(source)));
      else await copyFile(source, target);
    }
}

/** The face as documents are printed with it. */
function prepare(font: FontFamily, bytes: Buffer): Buffer {
  const readable = font.isMadeReadable ? makeReadable(bytes) : bytes;
  return font.isParted ? partLigatures(readable) : readable;
}

function getFaceFile(font: FontFamily, face: string): string {
  return join(getPackageInfo().folder, "fonts", font.folder, `${face}.ttf`);
}

/** One face of a family that every document can use. */
export interface ShippedFace {
  family: string;
  weight: string;
  style: "normal" | "italic";
  /** Its name for `readFace`. */
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

/** In the order of the families. */
export function listShippedFaces(): ShippedFace[] {
  return faces.map(({ family, weight, style, file }) => ({
    family,
    weight,
    style,
    file,
  }));
}

/** The shipped family for CSS generic families and for common names of other fonts. */
export function getFamilyAliases(): Record<string, string> {
  const aliases = FONT_FAMILIES.flatMap(({ family, aliases: names = [] }) =>
    names.map((name) => [name, family] as const),
  );
  return { ...CSS_GENERICS, ...Object.fromEntries(aliases) };
}

/** The TTF file of a face, as documents are printed with it. @throws PlatenError `not_found` for an unknown file. */
export async function readFace(file: string): Promise<Buffer> {
  const face = faces.find((candidate) => candidate.file === file);
  if (!face) throw new PlatenError("not_found", "There is no such font.");
  const bytes = await readFile(getFaceFile(face.font, face.face));
  return prepare(face.font, bytes);
}

/**
 * The fontconfig configuration for Chromium: only our fonts, so that a document looks the same on every machine. Families
 * are searched for missing characters in the order of the list.
 */
export function createFontConfiguration(
  fontFolder: string,
  cacheFolder: string,
): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
<dir>${escapeXml(fontFolder)}</dir>
<cachedir>${escapeXml(cacheFolder)}</cachedir>
${renderingRules}
${FONT_FAMILIES.flatMap(({ family, aliases = [] }) =>
  aliases.map((alias) => createAliasRule(alias, [family], "same")),
).join("\n")}
${Object.entries(CSS_GENERICS)
  .map(([generic, first]) =>
    createAliasRule(generic, [first, ...fallbacks], "weak"),
  )
  .join("\n")}
</fontconfig>
`;
}

const fallbacks = FONT_FAMILIES.map(({ family }) => family);

/** No hinting, since a printed page has no pixel grid. */
const renderingRules = `<match target="pattern"><edit name="family" mode="append_last"><string>sans-serif</string></edit></match>
<match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="antialias" mode="assign"><bool>true</bool></edit></match>`;

function createAliasRule(
  name: string,
  families: readonly string[],
  binding: "same" | "weak",
): string {
  const list = families.map(
    (family) => `<family>${escapeXml(family)}</family>`,
  );
  return `<alias binding="${binding}"><family>${escapeXml(name)}</family><prefer>${list.join("")}</prefer></alias>`;
}
