/** Letters, digits and what colours, lengths and font names are written with. No quotes, no ends, no comments. */
const REFUSED = /[^\p{L}\p{N}\s#%.,+\-/()_]/gu;
const FUNCTION = /([\p{L}\p{N}_-]*)\s*\(/gu;
/** None of these loads anything. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "rgb rgba hsl hsla calc min max clamp linear-gradient radial-gradient " +
    "repeat minmax rotate scale translate"
  ).split(" "),
);
/** Of one value out of the data, and of a whole declaration. */
const LONGEST = 200;
const LONGEST_WHOLE = 4000;

/** A value out of the data as a part of a CSS declaration's value: what could end it or load something is taken out. */
export function safeCss(text: string): string {
  const clean = text.slice(0, LONGEST).replaceAll(REFUSED, "").trim();
  return isHarmless(clean) ? clean : "";
}

/** Only known functions, and every parenthesis closed. Also asked about the whole value, with its literal parts. */
export function isHarmless(value: string): boolean {
  if (value.length > LONGEST_WHOLE) return false;
  for (const [, name = ""] of value.matchAll(FUNCTION)) {
    if (name !== "" && !FUNCTIONS.has(name.toLowerCase())) return false;
  }
  return areParenthesesClosed(value);
}

function areParenthesesClosed(value: string): boolean {
  let open = 0;
  for (const char of value) {
    if (char === "(") open++;
    if (char === ")" && --open < 0) return false;
  }
  return open === 0;
}
