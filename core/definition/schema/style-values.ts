import { createRequire } from "node:module";
import type * as CssTree from "css-tree";
import { LRUCache } from "lru-cache";
import type { StyleProperty } from "./known-values.js";

const require = createRequire(import.meta.url); // bundled

let csstree: typeof CssTree | undefined;

/** The grammar of CSS, loaded on first use because it takes 40 ms and 10 MB. */
function grammar(): CssTree.Lexer {
  if (csstree === undefined) {
    const loaded: typeof CssTree = require("css-tree/dist/csstree.esm");
    csstree = loaded;
  }
  return csstree.lexer;
}

/** Why the browser would ignore a declaration. */
interface StyleValueFault {
  /** The part of the value that is not valid. */
  part: string;
}

/** Null stands for a valid value. The same declarations are checked again whenever a definition is saved. */
const checked = new LRUCache<string, { fault: StyleValueFault | null }>({
  max: 5000,
});

/** Checks a constant value of a style property as the browser does. Null when the browser accepts it. */
export function checkStyleValue(
  property: StyleProperty,
  value: string,
): StyleValueFault | null {
  const key = `${property}:${value}`;
  const cached = checked.get(key);
  if (cached) return cached.fault;
  const fault = findFault(property, value);
  checked.set(key, { fault });
  return fault;
}

/** Whether the browser accepts a text as a color. */
export function isColor(value: string): boolean {
  return checkStyleValue("color", value) === null && !GLOBAL.test(value);
}

const GLOBAL = /^\s*(?:inherit|initial|unset|revert|revert-layer)\s*$/i;
/** Keywords of other browsers. */
const OTHER_BROWSERS =
  /(?<![\w-])-(?:(?:moz|ms|o|apple|khtml|epub)-[\w-]+|webkit-(?:focus-ring-color|text)(?![\w-]))/i;
/** Properties in which any word may be a name, such as that of a font. */
const NAMED: readonly StyleProperty[] = [
  "font",
  "font-family",
  "grid-column",
  "grid-row",
  "list-style-type",
];
const COLORED = /color|background|border|outline|shadow|rule|^text-decoration$/;

function findFault(
  property: StyleProperty,
  value: string,
): StyleValueFault | null {
  // An empty declaration has no effect anywhere.
  if (value.trim() === "" || GLOBAL.test(value)) return null;
  const foreign = NAMED.includes(property)
    ? undefined
    : OTHER_BROWSERS.exec(
        property === "outline"
          ? value.replaceAll("-webkit-focus-ring-color", "")
          : value,
      )?.[0];
  const refused = foreign ?? findRefusedWord(property, value);
  if (refused !== undefined) return { part: refused };
  const lexer = grammar();
  const words = withoutNewWords(property, value);
  if (words === "") return null;
  const text = COLORED.test(property) ? withKnownColors(words) : words;
  const syntax = SYNTAXES[property];
  const { error } =
    syntax === undefined
      ? lexer.matchProperty(property, text)
      : lexer.match(syntax, text);
  if (!error) return null;
  return { part: findMismatch(error, text) ?? value };
}

function findRefusedWord(
  property: StyleProperty,
  value: string,
): string | undefined {
  if (property === "font-feature-settings")
    return value
      .match(/"[^"]*"|'[^']*'/g)
      ?.find((tag) => !/^.[\x20-\x7e]{4}.$/.test(tag));
  const refused = REFUSED_WORDS[property];
  return value
    .match(/[\w-]+\(?/g)
    ?.find((word) => refused?.includes(word.toLowerCase()));
}

/** Keywords of the browser that the grammar does not know, and what may be written in their place. */
const NEW_WORDS: Partial<
  Record<StyleProperty, readonly [words: RegExp, instead: string]>
> = {
  background: [/(?<![\w-])(?:text|border-area)(?![\w-])/gi, "border-box"],
  display: [/^\s*math\s*$/i, "block"],
  "font-variant": [/(?<![\w-])(?:text|emoji|unicode|sub|super)(?![\w-])/gi, ""],
};

function withoutNewWords(property: StyleProperty, value: string): string {
  const replacement = NEW_WORDS[property];
  return replacement ? value.replace(...replacement).trim() : value;
}

/** The word at which the value stops being valid; not when its end is. */
function findMismatch(error: Error, text: string): string | undefined {
  if (!("mismatchOffset" in error)) return undefined;
  const rest = text.slice(Number(error.mismatchOffset));
  return /^[^\s,()/]+/.exec(rest)?.[0];
}

/** Colors that the browser knows and the grammar does not: deprecated names of the system, and colors made from others. */
function withKnownColors(value: string): string {
  return value
    .replaceAll(OLD_COLORS, "canvas")
    .replaceAll(
      /\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(\s*from\s(?:[^()]|\([^()]*\))*\)/gi,
      "canvas",
    );
}

const OLD_COLORS =
  /(?<![\w-"'])(?:activeborder|activecaption|appworkspace|background|buttonhighlight|buttonshadow|captiontext|inactiveborder|inactivecaption|inactivecaptiontext|infobackground|infotext|menu|menutext|scrollbar|threeddarkshadow|threedface|threedhighlight|threedlightshadow|threedshadow|window|windowframe|windowtext)(?![\w-"'])/gi;

// Where the browser differs from the grammar; a test compares both.

const LINE_WIDTH = "[ <length [0,∞]> | thin | medium | thick ]";
const LINE = `${LINE_WIDTH} || <line-style> || <color>`;
const GAP = "[ normal | <length-percentage [0,∞]> ]";

/** The syntax of properties for which the grammar is laxer or older than the browser. */
const SYNTAXES: Partial<Record<StyleProperty, string>> = {
  border: LINE,
  "border-top": LINE,
  "border-right": LINE,
  "border-bottom": LINE,
  "border-left": LINE,
  "border-width": `${LINE_WIDTH}{1,4}`,
  "border-top-width": LINE_WIDTH,
  "border-right-width": LINE_WIDTH,
  "border-bottom-width": LINE_WIDTH,
  "border-left-width": LINE_WIDTH,
  "border-spacing": "<length [0,∞]>{1,2}",
  outline: `${LINE_WIDTH} || [ auto | none | dotted | dashed | solid | double | groove | ridge | inset | outset ] || <color>`,
  "column-rule": `[ ${LINE} ]#`,
  "column-count": "auto | <integer [1,∞]>",
  gap: `${GAP}{1,2}`,
  "column-gap": GAP,
  "row-gap": GAP,
  "flex-grow": "<number [0,∞]>",
  "flex-shrink": "<number [0,∞]>",
  "flex-wrap": "nowrap | [ wrap | wrap-reverse ] || balance",
  "line-height": "normal | <number [0,∞]> | <length-percentage [0,∞]>",
  orphans: "<integer [1,∞]>",
  widows: "<integer [1,∞]>",
  "text-overflow": "clip | ellipsis",
  "word-spacing": "normal | <length-percentage>",
};

const BREAKS = ["all", "always", "avoid-region", "region"];
const SIZES = ["intrinsic", "min-intrinsic", "fit-content("];

/** Keywords and functions of the grammar that the browser ignores. */
const REFUSED_WORDS: Partial<Record<StyleProperty, readonly string[]>> = {
  "align-content": ["last"],
  "align-items": ["anchor-center"],
  "justify-items": ["anchor-center"],
  "break-after": BREAKS,
  "break-before": BREAKS,
  "break-inside": ["avoid-region"],
  display: [
    "inline-list-item",
    "ruby-base",
    "ruby-base-container",
    "ruby-text-container",
    "run-in",
  ],
  flex: [
    ...SIZES,
    "-webkit-fill-available",
    "-webkit-fit-content",
    "-webkit-min-content",
    "-webkit-max-content",
  ],
  "flex-basis": [
    ...SIZES,
    "-webkit-fill-available",
    "-webkit-fit-content",
    "-webkit-min-content",
    "-webkit-max-content",
  ],
  width: SIZES,
  height: SIZES,
  "min-width": SIZES,
  "min-height": SIZES,
  "max-width": SIZES,
  "max-height": SIZES,
  "text-align": ["match-parent"],
  "text-transform": ["full-width", "full-size-kana"],
  "white-space": ["preserve-spaces"],
};

// Hints.

const BASIC_TYPES: Readonly<Record<string, string>> = {
  length: 'a length such as "12px"',
  "length-percentage": 'a length such as "12px" or "50%"',
  percentage: 'a share such as "50%"',
  number: 'a number such as "1.5"',
  integer: 'a whole number such as "2"',
  "alpha-value": 'a number such as "0.5"',
  angle: 'an angle such as "45deg"',
  flex: 'a fraction such as "1fr"',
  string: "text in quotes",
  color: 'a color such as "#1a2b3c", "rgb(0 0 0 / 50%)" or "navy"',
  image: 'a gradient such as "linear-gradient(white, silver)"',
  "bg-image": 'a gradient such as "linear-gradient(white, silver)"',
  "family-name": 'a font such as "Inter"',
  "transform-function": 'a function such as "rotate(5deg)"',
};
/** Functions, names of the author's own, and what only old browsers know. */
const UNSAID =
  /\(\)$|^(?:custom-ident|dashed-ident|any-value|calc-size-basis|generic-family|-non-standard-.*|-legacy-.*)$/;

interface SyntaxWords {
  words: string[];
  kinds: string[];
  /** The names of colors, which a hint does not list. */
  colors: string[];
}

/** What a property takes, for hints. */
export function describeSyntax(property: StyleProperty): SyntaxWords {
  const lexer = grammar();
  const words = new Set<string>();
  const kinds = new Set<string>();
  const refused = REFUSED_WORDS[property] ?? [];
  const visit = (
    node: CssTree.DSNode | null | undefined,
    depth: number,
  ): void => {
    if (!node || depth > 8) return;
    if (node.type === "Keyword") {
      if (!/^-|\(/.test(node.name) && !refused.includes(node.name))
        words.add(node.name);
    } else if (node.type === "Type") {
      const kind = BASIC_TYPES[node.name];
      if (kind !== undefined) kinds.add(kind);
      else if (!UNSAID.test(node.name))
        visit(lexer.getType(node.name)?.syntax, depth + 1);
    } else if (node.type === "Property")
      visit(lexer.getProperty(node.name)?.syntax, depth + 1);
    else if (node.type === "Group")
      for (const term of node.terms) visit(term, depth);
    else if (node.type === "Multiplier") visit(node.term, depth);
  };
  const syntax = SYNTAXES[property];
  visit(
    syntax === undefined
      ? lexer.getProperty(property)?.syntax
      : csstree?.definitionSyntax.parse(syntax),
    0,
  );
  if (kinds.has(BASIC_TYPES["length-percentage"] ?? ""))
    for (const name of ["length", "percentage"])
      kinds.delete(BASIC_TYPES[name] ?? "");
  const hasColors = kinds.has(BASIC_TYPES["color"] ?? "");
  return {
    words: [...words],
    kinds: [...kinds],
    colors: hasColors ? colorNames() : [],
  };
}

let named: string[] | undefined;

function colorNames(): string[] {
  const names: string[] = [];
  const syntax = grammar().getType("named-color")?.syntax;
  if (syntax && "terms" in syntax)
    for (const term of syntax.terms)
      if (term.type === "Keyword") names.push(term.name);
  return (named ??= names);
}
