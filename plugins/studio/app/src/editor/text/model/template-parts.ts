// A Template as a chain of parts. What is written of parts that were read is, letter for letter, what was read.

/** `source` is what stands in the Template; a text stands for itself. */
export type TemplatePart =
  | { kind: "text"; text: string }
  /** `{{ expression }}` */
  | { kind: "chip"; source: string }
  /** Two literal braces: `\{{`, or `{{` that nothing closes, which the service refuses. */
  | { kind: "braces"; source: string }
  /** A line end. */
  | { kind: "break"; source: string };

/** Pairs of braces are escaped, and so take nothing. */
const TAKEN = /\\$|(?<!\{)(?:\{\{)*\{$/;
const SPECIAL = /\\?\{\{|\r\n|\n|\r/g;

export function readTemplate(source: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  const add = (part: TemplatePart, start: number) => {
    if (start > at) parts.push({ kind: "text", text: source.slice(at, start) });
    parts.push(part);
  };
  for (let found = next(source, at); found; found = next(source, at)) {
    const { index } = found;
    const part = partAt(source, index, found[0]);
    add(part, index);
    at = index + lengthOf(part);
  }
  if (at < source.length) parts.push({ kind: "text", text: source.slice(at) });
  return parts;
}

function next(source: string, from: number): RegExpExecArray | null {
  // A copy, since a pattern remembers where it stopped.
  const pattern = new RegExp(SPECIAL);
  pattern.lastIndex = from;
  return pattern.exec(source);
}

function partAt(source: string, at: number, found: string): TemplatePart {
  if (found === "{{") {
    const end = closingBraces(source, at + 2);
    if (end !== null) return { kind: "chip", source: source.slice(at, end) };
  }
  return { kind: found.endsWith("{{") ? "braces" : "break", source: found };
}

function lengthOf(part: TemplatePart): number {
  return (part.kind === "text" ? part.text : part.source).length;
}

/** The end of the expression, its braces included; those in a string close nothing, unless that has no end. */
function closingBraces(source: string, from: number): number | null {
  let quote = "";
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (quote && char === "\\") at++;
    else if (quote) quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "}" && source[at + 1] === "}") return at + 2;
  }
  const close = source.indexOf("}}", from);
  return close < 0 ? null : close + 2;
}

/** The Template of these parts. Neighbouring texts have to be one. */
export function writeTemplate(parts: readonly TemplatePart[]): string {
  let written = "";
  for (const part of parts.toReversed()) written = before(part, written);
  return written;
}

/** A part in front of what is written already. */
function before(part: TemplatePart, rest: string): string {
  if (part.kind === "text") return textBefore(part.text, rest);
  // What would be closed by something that came after it is literal all the same.
  const isClosed = part.source === "{{" && rest.includes("}}");
  const source = part.kind === "braces" && isClosed ? "\\{{" : part.source;
  return source + rest;
}

/** No Template can have a backslash or a single brace right before an expression: there they are expressions too. */
function textBefore(text: string, rest: string): string {
  const isTaken = rest.startsWith("{{") && TAKEN.test(text);
  if (!isTaken) return escaped(text) + rest;
  const own = text.endsWith("{") ? '{{ "{" }}' : String.raw`{{ "\\" }}`;
  return textBefore(text.slice(0, -1), own + rest);
}

function escaped(text: string): string {
  return text.replaceAll("{{", "\\{{");
}

/** What stands within a chip's braces. */
export function expressionOf(source: string): string {
  return source.slice(2, -2).trim();
}

/** Whether a text is one whole expression in its braces. */
export function isChip(source: string): boolean {
  const [part, ...rest] = readTemplate(source);
  return rest.length === 0 && part?.kind === "chip";
}
