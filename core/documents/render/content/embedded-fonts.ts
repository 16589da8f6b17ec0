import { createToken, provide } from "../../../lib/injection.js";
import type { Deadline } from "../../../plugin-api/index.js";
import {
  type FontFace,
  inlineFonts,
  nameFontFamilies,
} from "../../../compiler/index.js";
import {
  findUsedFaces,
  FONT_FAMILIES,
  FontSubsetter,
  GENERIC_FAMILIES,
  getFamilyAliases,
} from "../../../rendering/index.js";

export const EMBED_FONTS = createToken<EmbedFonts>("EmbedFonts");
provide(EMBED_FONTS, (c) => createFontEmbedding(c.resolve(FontSubsetter)));

/** Returns html with the fonts inside that its print uses. */
export type EmbedFonts = (
  html: string,
  printed: Buffer,
  deadline: Deadline,
) => Promise<string>;

/**
 * Embeds the shipped faces that a document is printed with, each with the characters of the document, and names them
 * wherever the html names fonts. The organization's own fonts are embedded already.
 */
function createFontEmbedding(
  subsetter: Pick<FontSubsetter, "subset">,
): EmbedFonts {
  return async (html, printed, deadline) => {
    const others = collectCharacters(html);
    const used = await findUsedFaces(printed, others);
    const fallbacks = [...new Set(used.map(({ family }) => family))];
    const { html: renamed, named } = nameFontFamilies(html, {
      families: new Map([...shippedNames, ...findEmbeddedNames(html)]),
      fallbacks,
    });
    const faces: FontFace[] = [];
    for (const { file, family, weight, style } of used) {
      const characters = named.has(family) ? WESTERN + others : others;
      const dataUrl = await subsetter.subset(file, characters, deadline);
      faces.push({ family, weight, style, dataUrl });
    }
    return inlineFonts(nameTypewriterFont(renamed, fallbacks), faces);
  };
}

/** Browsers set these elements in a font of their own, which no style of the document names. */
function nameTypewriterFont(
  html: string,
  fallbacks: readonly string[],
): string {
  const families = [GENERIC_FAMILIES.fixed, ...fallbacks];
  const list = families.map((family) => `'${family}'`).join(",");
  const rule = `:where(code,kbd,pre,samp,tt){font-family:${list}}`;
  return html.replace("</head>", () => `<style>${rule}</style>\n</head>`);
}

/** The family by each name of a shipped one, in lower case. */
const shippedNames: ReadonlyMap<string, string> = new Map([
  ...FONT_FAMILIES.map(({ family }) => [family.toLowerCase(), family] as const),
  ...Object.entries(getFamilyAliases()).map(
    ([alias, family]) => [alias.toLowerCase(), family] as const,
  ),
]);

const FONT_FACE = /@font-face\{font-family:"([^"]*)"/g;

function findEmbeddedNames(html: string): [string, string][] {
  return Array.from(html.matchAll(FONT_FACE), ([, family = ""]) => [
    family.toLowerCase(),
    family,
  ]);
}

/** Kept in every face that the document names: documents of the same template then mostly share their subsets. */
const WESTERN =
  characterRange(0x20, 0x7e) +
  characterRange(0xa0, 0xff) +
  "–—‘’‚“”„†‡•…‰‹›€™−";

function characterRange(first: number, last: number): string {
  return String.fromCodePoint(
    ...Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
}

const REFERENCE = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi;
const KEYCAP = "\u20e3";

/** The characters beyond the western ones, in the cases that a style may turn them into; sorted. Base64 is ASCII. */
function collectCharacters(html: string): string {
  const text = html.replace(
    REFERENCE,
    (_all, hex: string | undefined, decimal: string) =>
      toCharacter(hex ? Number.parseInt(hex, 16) : Number(decimal)),
  );
  const written = new Set(text.match(/[^\0-\x7f]/gu));
  const characters = new Set(written);
  for (const character of written)
    for (const cased of character.toUpperCase() + character.toLowerCase())
      characters.add(cased);
  const digits = characters.has(KEYCAP) ? "0123456789#*" : "";
  const western = new Set(WESTERN);
  return (
    digits +
    [...characters]
      .filter((character) => !western.has(character))
      .toSorted()
      .join("")
  );
}

function toCharacter(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "";
}
