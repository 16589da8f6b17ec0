import { posix } from "node:path";

// Templates in files name images, fonts and PDFs by a path relative to their folder. On a service they are assets,
// `asset:<id>`; both are written in the same places.

export interface AssetPath {
  written: string;
  /** The keys of its text in the definition. */
  keys: readonly (string | number)[];
  /** Where it begins in the text. */
  offset: number;
}

const RELATIVE = String.raw`(?:\.{1,2}/|assets/)`;
/** A whole value: `assets/logo.png`. */
const VALUE = new RegExp(`^${RELATIVE}[^\\s{}][^\\n{}]*$`);
/** In HTML, CSS and MJML: in quotes, or unquoted in parentheses and after an equals sign. */
const IN_MARKUP = new RegExp(
  `(?<=(["']))${RELATIVE}[^"'<>{}\\n]+(?=\\1)|(?<=[(=])${RELATIVE}[^\\s"'()<>{}]+`,
  "g",
);
const ASSET_VALUE = /^asset:[\w-]+$/i;
const ASSETS_IN_MARKUP = /(?<=["'(=])asset:[\w-]+/gi;
const MARKUP_KEYS = new Set(["html", "css", "mjml"]);
/** Their CSS may name an asset in quotes. */
const STYLE_KEYS = new Set(["style", "styles"]);

/** The paths in a definition, in its order. */
export function findAssetPaths(definition: unknown): AssetPath[] {
  const paths: AssetPath[] = [];
  mapTexts(definition, [], (text, keys, isMarkup) => {
    if (!isMarkup && VALUE.test(text))
      paths.push({ written: text, keys, offset: 0 });
    if (isMarkup)
      for (const { 0: written, index } of text.matchAll(IN_MARKUP))
        paths.push({ written, keys, offset: index });
    return text;
  });
  return paths;
}

/** A copy in which each path is replaced. @param replace returns null for a path that stays */
export function replaceAssetPaths<T>(
  definition: T,
  replace: (written: string) => string | null,
): T {
  return mapTexts(definition, [], (text, _keys, isMarkup) => {
    if (isMarkup)
      return text.replace(IN_MARKUP, (written) => replace(written) ?? written);
    return VALUE.test(text) ? (replace(text) ?? text) : text;
  });
}

/** A copy in which each `asset:<id>` is replaced. @param replace gets the id, and returns null for one that stays */
export function replaceAssetIds<T>(
  definition: T,
  replace: (id: string) => string | null,
): T {
  const replaceUse = (use: string) =>
    replace(use.slice("asset:".length).toLowerCase()) ?? use;
  return mapTexts(definition, [], (text, _keys, isMarkup) => {
    if (isMarkup) return text.replace(ASSETS_IN_MARKUP, replaceUse);
    return ASSET_VALUE.test(text) ? replaceUse(text) : text;
  });
}

/** The ids of the assets that a definition uses, each once. */
export function findAssetIds(definition: unknown): string[] {
  const ids = new Set<string>();
  replaceAssetIds(definition, (id) => {
    ids.add(id);
    return null;
  });
  return [...ids];
}

/** Where a path leads, below the templates folder; null when it leaves that folder. */
export function resolveAssetPath(
  folder: string,
  written: string,
): string | null {
  const path = posix.normalize(posix.join(folder, written));
  return path.startsWith("../") || path === ".." ? null : path;
}

type Visit = (
  text: string,
  keys: readonly (string | number)[],
  isMarkup: boolean,
) => string;

/** A copy with each text replaced, but for the sample records: those are data. */
function mapTexts<T>(
  value: T,
  keys: readonly (string | number)[],
  visit: Visit,
  isMarkup = false,
): T {
  const copy = mapValue(value, keys, visit, isMarkup);
  // Texts replace texts, so its type is the same.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return copy as T;
}

function mapValue(
  value: unknown,
  keys: readonly (string | number)[],
  visit: Visit,
  isMarkup: boolean,
): unknown {
  if (typeof value === "string") return visit(value, keys, isMarkup);
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      mapTexts(item, [...keys, index], visit, isMarkup),
    );
  if (typeof value !== "object" || value === null) return value;
  const isMarkupComponent = "type" in value && value.type === "markup";
  const entries = Object.entries(value).map(
    ([key, child]: [string, unknown]) => [
      key,
      keys.length === 0 && (key === "sample" || key === "samples")
        ? child
        : mapTexts(
            child,
            [...keys, key],
            visit,
            isMarkup ||
              STYLE_KEYS.has(key) ||
              (isMarkupComponent && MARKUP_KEYS.has(key)),
          ),
    ],
  );
  return Object.fromEntries(entries);
}
