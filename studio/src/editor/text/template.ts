import type {
  Inline,
  Style,
  Text,
} from "../../../../core/plugin-api/definition.js";
import { t } from "../../messages/index.js";

// Texts of the definition, as pages show them without ProseMirror, which is loaded once a text is edited.

export function toInlines(text: Text): readonly Inline[] {
  return typeof text === "string" ? [text] : text;
}

/** The properties of a style that are the same for every record. */
export function getConstantStyle(style: Style): Record<string, string> {
  const entries = Object.entries(style).filter(
    ([, value]) => !value.includes("{{"),
  );
  return Object.fromEntries(entries);
}

export const PAGE_NUMBER_LABELS = {
  page: t("components.pageNumber"),
  pages: t("text.numberOfPages"),
} as const;

// Parses a Template into parts and serializes the parts. Serializing parsed parts returns the original string.

/** `source` is the part as it is written in the Template; a text is unescaped. */
export type TemplatePart =
  | { kind: "text"; text: string }
  /** `{{ expression }}` */
  | { kind: "chip"; source: string }
  /** Two literal braces: `\{{`, or an unclosed `{{`, which the service rejects. */
  | { kind: "braces"; source: string }
  /** A line end. */
  | { kind: "break"; source: string };

const SPECIAL = /\\?\{\{|\r\n|\n|\r/g;

export function parseTemplate(source: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (let match = findSpecial(source, 0); match;) {
    const { index } = match;
    if (index > at) parts.push({ kind: "text", text: source.slice(at, index) });
    const part = readSpecial(source, index, match[0]);
    parts.push(part);
    at = index + part.source.length;
    match = findSpecial(source, at);
  }
  if (at < source.length) parts.push({ kind: "text", text: source.slice(at) });
  return parts;
}

function findSpecial(source: string, from: number): RegExpExecArray | null {
  // A copy, because a global pattern keeps its position between calls.
  const pattern = new RegExp(SPECIAL);
  pattern.lastIndex = from;
  return pattern.exec(source);
}

function readSpecial(
  source: string,
  at: number,
  token: string,
): Exclude<TemplatePart, { kind: "text" }> {
  if (token === "{{") {
    const end = findExpressionEnd(source, at + 2);
    if (end !== null) return { kind: "chip", source: source.slice(at, end) };
  }
  return { kind: token.endsWith("{{") ? "braces" : "break", source: token };
}

/** The position after the closing braces. Braces within a string literal do not count, unless the literal is unclosed. */
function findExpressionEnd(source: string, from: number): number | null {
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

/** Neighboring texts must have been joined. */
export function serializeTemplate(parts: readonly TemplatePart[]): string {
  return parts.reduceRight((rest, part) => prependPart(part, rest), "");
}

function prependPart(part: TemplatePart, rest: string): string {
  if (part.kind === "text") return prependText(part.text, rest);
  // An unclosed `{{` needs an escape once something after it would close it.
  const isClosed = part.source === "{{" && rest.includes("}}");
  const source = part.kind === "braces" && isClosed ? "\\{{" : part.source;
  return source + rest;
}

/** A text that ends in a backslash or in an odd number of braces, since pairs of braces are escaped. */
const ENDS_IN_ESCAPE = /\\$|(?<!\{)(?:\{\{)*\{$/;

/** A Template cannot have a backslash or a single brace right before an expression, so these are written as expressions. */
function prependText(text: string, rest: string): string {
  if (!rest.startsWith("{{") || !ENDS_IN_ESCAPE.test(text))
    return text.replaceAll("{{", "\\{{") + rest;
  const last = text.endsWith("{") ? '{{ "{" }}' : String.raw`{{ "\\" }}`;
  return prependText(text.slice(0, -1), last + rest);
}

/** The expression of a chip, without its braces. */
export function getExpression(source: string): string {
  return source.slice(2, -2).trim();
}

/** Whether a string is exactly one expression in its braces. */
export function isChip(source: string): boolean {
  const [part, ...rest] = parseTemplate(source);
  return rest.length === 0 && part?.kind === "chip";
}
