import { LRUCache } from "lru-cache";
import { compact } from "../source.js";

// Colors for mail programs that respect `prefers-color-scheme` (Apple Mail, Thunderbird and others). Those that ignore it
// (Gmail, Outlook) change colors in their own way. Styles are inline, so rules select them by the text of the attribute.

const STYLE = /\sstyle="[^"]*"/g;
const DECLARATION =
  /^(color|background|background-color|border(?:-(?:top|right|bottom|left))?(?:-color)?):(.*)$/;
const COLOR =
  /#(?:[0-9a-f]{6}|[0-9a-f]{3})\b|\brgb\(\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\)|\b(?:white|black)\b/gi;

/** What could end a selector or a rule: values may come from data. */
const UNSAFE = /[^\w\s#(),.%:-]|[\n\r]/;

/**
 * Rules that turn light backgrounds dark and dark texts light; empty when nothing has to change. Colors of medium
 * lightness, such as those of buttons, stay. Texts over a picture stay too.
 * @param body html with inline styles, without spaces between their declarations
 */
export function darkRules(body: string): string {
  const selectors = new Map<string, Set<string>>();
  for (const attribute of new Set(body.match(STYLE)))
    for (const { declaration, selector } of findDeclarations(attribute)) {
      const list = selectors.get(declaration);
      if (list) list.add(selector);
      else selectors.set(declaration, new Set([selector]));
    }
  const hasPicture = / background="[^"]/.test(body);
  const rules = [...selectors].flatMap(([declaration, selectorSet]) => {
    const dark = darkened.memo(declaration).text;
    if (dark === null) return [];
    const list = [...selectorSet];
    const isText = declaration.startsWith("color:");
    return [
      `${list.join()}{${dark}!important}`,
      ...(isText && hasPicture
        ? [
            `${list.map((selector) => `[background] ${selector}`).join()}{${declaration}!important}`,
          ]
        : []),
    ];
  });
  return rules.length === 0
    ? ""
    : `@media (prefers-color-scheme:dark){\n${rules.join("\n")}\n}\n`;
}

// The styles of a template occur in each of its emails, so what they become is computed once. Values may come from data,
// so the length of all that is kept is bounded.

const declarationCache = new LRUCache<string, readonly ColorDeclaration[]>({
  max: 2048,
  maxSize: 500_000,
  sizeCalculation: (_found, attribute) => attribute.length,
});
const darkened = new LRUCache<string, { text: string | null }>({
  max: 1024,
  maxSize: 100_000,
  sizeCalculation: (_dark, declaration) => declaration.length,
  memoMethod: (declaration) => ({ text: darken(declaration) }),
});

interface ColorDeclaration {
  declaration: string;
  selector: string;
}

function findDeclarations(attribute: string): readonly ColorDeclaration[] {
  const cached = declarationCache.get(attribute);
  if (cached) return cached;
  const copy = compact(attribute); // A part of the body would keep all of it in memory.
  const declarations = listDeclarations(copy);
  declarationCache.set(copy, declarations);
  return declarations;
}

/** The declarations of colors with the selector of this attribute's form: a color may begin another one. */
function listDeclarations(attribute: string): ColorDeclaration[] {
  const style = attribute.slice(attribute.indexOf('"') + 1, -1);
  const all = style.split(";");
  const last = all.length - 1;
  return all.flatMap((declaration, index) => {
    if (!DECLARATION.test(declaration) || UNSAFE.test(declaration)) return [];
    const selector =
      index === 0
        ? last === 0
          ? `[style="${declaration}"]`
          : `[style^="${declaration};"]`
        : index === last
          ? `[style$=";${declaration}"]`
          : `[style*=";${declaration};"]`;
    return [{ declaration, selector }];
  });
}

type Adapt = (lightness: number) => number | null;

/** Null for a lightness that stays. */
const adaptations: Record<"text" | "background" | "border", Adapt> = {
  text: (lightness) => (lightness > 0.62 ? null : 0.93 - 0.3 * lightness),
  background(lightness) {
    if (lightness >= 0.6) return Math.min(0.34, 0.21 + 0.8 * (1 - lightness));
    // Buttons in the color of the dark page would be invisible.
    return lightness < 0.34 ? 0.38 - 0.1 * lightness : null;
  },
  border(lightness) {
    if (lightness >= 0.6) return 0.36 + 0.3 * (1 - lightness);
    return lightness < 0.34 ? 0.48 : null;
  },
};

/** The declaration with its colors for dark grounds; null when none of them changes. */
function darken(declaration: string): string | null {
  const [, property = "", value = ""] = DECLARATION.exec(declaration) ?? [];
  const kind =
    property === "color"
      ? "text"
      : property.startsWith("background")
        ? "background"
        : "border";
  let isChanged = false;
  const changed = value.replace(COLOR, (color) => {
    const [lightness, a, b] = toOklab(parseColor(color));
    const next = adaptations[kind](lightness);
    if (next === null) return color;
    isChanged = true;
    return toHex([next, 0.7 * a, 0.7 * b]);
  });
  return isChanged ? `${property}:${changed}` : null;
}

type Triple = readonly [number, number, number];

/** Red, green and blue from 0 to 1. */
function parseColor(color: string): Triple {
  const text = color.toLowerCase();
  if (text === "white") return [1, 1, 1];
  if (text === "black") return [0, 0, 0];
  if (text.startsWith("rgb")) {
    const [red = 0, green = 0, blue = 0] = (text.match(/\d+/g) ?? []).map(
      (part) => Math.min(255, Number(part)) / 255,
    );
    return [red, green, blue];
  }
  const digits = text.slice(1);
  const hex = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}

// Oklab (https://bottosson.github.io/posts/oklab): its first value is the lightness that people see, from 0 to 1.

function toOklab(color: Triple): Triple {
  const [red = 0, green = 0, blue = 0] = color.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  const l = Math.cbrt(
    0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue,
  );
  const m = Math.cbrt(
    0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue,
  );
  const s = Math.cbrt(
    0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue,
  );
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([lightness, a, b]: Triple): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const digits = linear.map((value) => {
    const clamped = Math.min(1, Math.max(0, value));
    const encoded =
      clamped <= 0.0031308
        ? 12.92 * clamped
        : 1.055 * clamped ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${digits.join("")}`;
}
