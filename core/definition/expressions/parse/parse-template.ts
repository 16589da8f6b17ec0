import type { Expression } from "./ast.js";
import { parseExpression } from "./parse-expression.js";
import { syntaxError } from "../problem.js";

/** The literal texts of a template and the expressions between them; there is always one more literal. */
export interface ParsedTemplate {
  readonly literals: readonly string[];
  readonly expressions: readonly Expression[];
}

/** Whether a text contains `{{`, escaped or not; other texts are literal. */
export function hasBraces(source: string): boolean {
  return source.includes("{{");
}

/** @throws PlatenError `invalid_definition` at the first expression that does not parse. */
export function parseTemplate(source: string): ParsedTemplate {
  const expressions: Expression[] = [];
  const { literals, inner } = splitTemplate(source);
  for (const text of inner) expressions.push(parseExpression(text));
  return { literals, expressions };
}

/**
 * Splits a template into its literal texts and the texts inside braces; `starts` contains the positions of the latter.
 * @throws when `{{` is not closed.
 */
export function splitTemplate(source: string): {
  literals: string[];
  inner: string[];
  starts: number[];
} {
  const literals: string[] = [];
  const inner: string[] = [];
  const starts: number[] = [];
  let literal = "";
  let at = 0;
  for (let open = source.indexOf("{{"); open >= 0;) {
    if (source[open - 1] === "\\") {
      literal += `${source.slice(at, open - 1)}{{`;
      at = open + 2;
    } else {
      literals.push(literal + source.slice(at, open));
      literal = "";
      at = closingBraces(source, open + 2) + 2;
      inner.push(source.slice(open + 2, at - 2));
      starts.push(open + 2);
    }
    open = source.indexOf("{{", at);
  }
  literals.push(literal + source.slice(at));
  return { literals, inner, starts };
}

/** Finds the `}}` that ends an expression, skipping those inside strings. */
function closingBraces(source: string, from: number): number {
  let quote = "";
  for (let at = from; at < source.length; at++) {
    const char = source.charAt(at);
    if (quote && char === "\\") at++;
    else if (quote) quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "}" && source[at + 1] === "}") return at;
  }
  return closeWithinString(source, from);
}

/** An unclosed string extends to the end. Parsing it later gives a better error. */
function closeWithinString(source: string, from: number): number {
  const close = source.indexOf("}}", from);
  if (close >= 0) return close;
  throw syntaxError(
    source.slice(from - 2, from + 80),
    0,
    'The closing "}}" of the expression is missing.',
    "Add }}, or write \\{{ for two literal braces.",
  );
}
