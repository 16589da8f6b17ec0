import { HEADER_IMAGES } from "./inline-assets.js";
import { percentEncoded } from "./markup.js";

/** What the names in a text mean. */
export interface FontNames {
  /** The family for each name, in lower case, that a document can use: `arial`, `serif`, `inter`. */
  families: ReadonlyMap<string, string>;
  /** Families to try after those that the text names. */
  fallbacks: readonly string[];
}

/**
 * Rewrites each list of font families in html, so that another machine uses the families that the document was printed
 * with: aliases and generic names become families, unknown ones are left out, and fallbacks are added.
 * @returns also the families that the html names
 */
export function nameFontFamilies(
  html: string,
  names: FontNames,
): { html: string; named: ReadonlySet<string> } {
  const named = new Set<string>();
  return { html: nameIn(html, { ...names, named }), named };
}

interface Naming extends FontNames {
  named: Set<string>;
}

function nameIn(html: string, names: Naming): string {
  return html
    .replace(STYLE_SHEET, (sheet) => nameInSheet(sheet, names))
    .replace(
      STYLE_ATTRIBUTE,
      (_all, start: string, style: string) =>
        start + nameInDeclarations(style, ATTRIBUTE_DECLARATION, names),
    )
    .replace(
      FONT_ATTRIBUTE,
      (_all, start: string, list: string) => start + nameInList(list, names),
    );
}

const STYLE_SHEET = /<style\b[^>]*>[^]*?<\/style>/gi;
const STYLE_ATTRIBUTE = /(<[a-z][^<>]*?\sstyle=")([^"]*)/gi;
const FONT_ATTRIBUTE = /(<[a-z][^<>]*?\sfont-family=")([^"]*)/gi;
const SHEET_DECLARATION = /(\bfont(?:-family)?\s*:)([^;{}]*)/gi;
/** Quotes are written as `&quot;` there. */
const ATTRIBUTE_DECLARATION =
  /(\bfont(?:-family)?\s*:)((?:&(?:quot|#39|#34|amp);|[^;{}])*)/gi;
/** A font file keeps its name. */
const FONT_FACE = /@font-face\s*\{[^}]*\}/gi;

/** Images of headers are drawings of their own, with a style sheet and styles of their own. */
function nameInSheet(sheet: string, names: Naming): string {
  const keptTexts: string[] = [];
  const keep = (text: string) => `url(kept-${keptTexts.push(text) - 1})`;
  const bare = sheet
    .replace(HEADER_IMAGES, (image) => keep(nameInHeader(image, names)))
    .replace(/url\("[^"]*"\)|url\('[^']*'\)/g, keep)
    .replace(FONT_FACE, keep);
  return restore(nameInDeclarations(bare, SHEET_DECLARATION, names), keptTexts);
}

/** What was kept may contain what was kept before it. */
function restore(text: string, keptTexts: readonly string[]): string {
  return text.replace(/url\(kept-(\d+)\)/g, (_all, index: string) =>
    restore(keptTexts[Number(index)] ?? "", keptTexts),
  );
}

function nameInHeader(image: string, names: Naming): string {
  const start = image.indexOf(",") + 1;
  const end = image.length - '")'.length;
  const svg = decodeURIComponent(image.slice(start, end));
  const named = percentEncoded(nameIn(svg, names));
  return image.slice(0, start) + named + image.slice(end);
}

function nameInDeclarations(
  text: string,
  declaration: RegExp,
  names: Naming,
): string {
  return text.replace(
    declaration,
    (_all, property: string, list: string) =>
      property + nameInList(list, names),
  );
}

/** Quoted in a way that is allowed in sheets and in attributes. */
const quote = (family: string) => `'${family}'`;
const QUOTES = /^(?:&quot;|&#34;|&#39;|["'])|(?:&quot;|&#34;|&#39;|["'])$/g;
const KEYWORD = /^(?:inherit|initial|unset|revert|revert-layer)$/i;
/** Values of `font` before its size, which look like names. */
const BEFORE_SIZE = /^[^,]*\d[\w.%]*(?:\s*\/\s*[\w.%]+)?\s+/;

function nameInList(
  list: string,
  { families: familyNames, fallbacks, named }: Naming,
): string {
  if (KEYWORD.test(list.trim()) || list.trim() === "") return list;
  const [size = ""] = BEFORE_SIZE.exec(list) ?? [];
  const [, families = "", important = ""] =
    /^(.*?)(\s*!\s*important\s*)?$/s.exec(list.slice(size.length)) ?? [];
  const listed = families.split(",").flatMap((item) => {
    const name = item.trim().replace(QUOTES, "").replace(/\s+/g, " ");
    return familyNames.get(name.toLowerCase()) ?? [];
  });
  for (const family of listed) named.add(family);
  const all = new Set([...listed, ...fallbacks]);
  return size + [...all].map(quote).join(",") + important;
}
