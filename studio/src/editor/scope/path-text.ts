// Paths in the syntax of templates: `root.customer.name`, `root["Unit price"]`.

const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*/u;
const STEP =
  /^\s*(?:\.\s*([\p{L}\p{M}\p{N}_$]+)|\[\s*(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|(\d+))\s*\])/u;
/** Words of the expression language, which cannot be names. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  "and",
  "or",
  "not",
  "if",
  "else",
  "true",
  "false",
  "null",
]);
const WORD = /^[\p{L}\p{M}\p{N}_$]+$/u;

/** The keys of a plain path; null for any other expression. */
export function keysOf(expression: string): string[] | null {
  const text = expression.trim();
  const [first] = NAME.exec(text) ?? [];
  if (first === undefined || KEYWORDS.has(first)) return null;
  const keys = [first];
  for (let rest = text.slice(first.length); rest !== "";) {
    const step = STEP.exec(rest);
    if (!step) return null;
    keys.push(step[1] ?? step[4] ?? unescape(step[2] ?? step[3] ?? ""));
    rest = rest.slice(step[0].length);
  }
  return keys;
}

/** Appends a key to a path, in brackets when the key is not a word. */
export function appendToPath(path: string, key: string): string {
  if (path === "" && isName(key)) return key;
  return WORD.test(key) && path !== ""
    ? `${path}.${key}`
    : `${path}[${quoted(key)}]`;
}

/** Whether a path can start with it. */
function isName(word: string): boolean {
  return NAME.exec(word)?.[0] === word && !KEYWORDS.has(word);
}

/** A text as a string literal of an expression. */
export function quoted(text: string): string {
  const inner = text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
  return `"${inner}"`;
}

function unescape(text: string): string {
  return text.replace(/\\([^])/g, (_, char: string) =>
    char === "n" ? "\n" : char === "t" ? "\t" : char,
  );
}

/** A field's name as a label: `issuedOn` is "Issued on". */
export function asWords(name: string): string {
  const words = name
    .replaceAll(/[_\-.]+/g, " ")
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .trim()
    .split(/\s+/)
    .map((word) => (/^\p{Lu}+$/u.test(word) ? word : word.toLowerCase()))
    .join(" ");
  const first = String.fromCodePoint(words.codePointAt(0) ?? 0);
  return words === "" ? name : first.toUpperCase() + words.slice(first.length);
}

/** Letters, digits and _ of a text as a camel-case name: "Due date" is `dueDate`, "VAT rate" is `vatRate`. Empty when it contains none. */
export function toCamelCase(text: string): string {
  const [first = "", ...rest] = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  return rest.reduce(
    (name, word) => name + word.charAt(0).toUpperCase() + word.slice(1),
    first === first.toUpperCase()
      ? first.toLowerCase()
      : first.charAt(0).toLowerCase() + first.slice(1),
  );
}
