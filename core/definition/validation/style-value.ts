/** Functions of CSS that only compute or draw: none of them loads anything. */
const FUNCTIONS = new Set([
  "calc",
  "clamp",
  "conic-gradient",
  "fit-content",
  "hsl",
  "hsla",
  "hwb",
  "inset",
  "lab",
  "lch",
  "linear-gradient",
  "max",
  "min",
  "minmax",
  "oklab",
  "oklch",
  "radial-gradient",
  "repeat",
  "repeating-linear-gradient",
  "rgb",
  "rgba",
  "rotate",
  "scale",
  "skew",
  "translate",
  "translatex",
  "translatey",
]);

/**
 * Why the literal part of a style value is refused, or null. A value must not leave its declaration
 * (`;`, braces, comments, an open quote), and must not load anything.
 */
export function styleValueFault(source: string): string | null {
  const literal = source.replace(/\{\{.*?\}\}/gs, "0");
  // Not even between quotes: in a style sheet, HTML reads it first.
  const markup = /[<\p{Cc}]/u.exec(literal)?.[0];
  if (markup !== undefined)
    return `${JSON.stringify(markup)} cannot stand in it`;
  const outside = literal.replace(/"[^"\n\\]*"|'[^'\n\\]*'/g, "");
  const bad = /[;{}<>\\@"'\n\r\f]|\/\*|!/.exec(outside)?.[0];
  if (bad !== undefined) return `${JSON.stringify(bad)} cannot stand in it`;
  for (const [, name = ""] of outside.matchAll(/([\w-]*)\(/g))
    if (name !== "" && !FUNCTIONS.has(name.toLowerCase()))
      return `the function ${name}() is not allowed`;
  return null;
}
