import type { Expression, Node, PathNode, UnaryOperator } from "./ast.js";
import { parseKeys } from "./parse-keys.js";
import {
  bindingOf,
  COMPARISON_POWER,
  NOT_POWER,
  SIGN_POWER,
  type Binding,
} from "./precedence.js";
import { TokenReader } from "./token-reader.js";

// A Pratt parser. From loose to tight: | (filters), if-else, or, and, not, comparison, ~, + -, * / %, sign.

const CONSTANTS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Words that no path and no collection may begin with. */
export const RESERVED_WORDS: readonly string[] = [
  "and",
  "or",
  "not",
  "if",
  "else",
  "true",
  "false",
  "null",
];

/** @throws PlatenError `invalid_definition`, with the column, when the whole of `source` is not one expression. */
export function parseExpression(source: string): Expression {
  const text = source.trim();
  const reader = new TokenReader(text);
  if (reader.token.kind === "end") reader.fail("The expression is empty.");
  const node = parsePiped(reader);
  if (reader.token.kind !== "end") failAtRest(reader, node);
  return { source: text, node };
}

/** @throws PlatenError `invalid_definition` when `source` is anything but one path. */
export function parsePath(source: string): Expression & { node: PathNode } {
  const { source: text, node } = parseExpression(source);
  if (node.kind === "path") return { source: text, node };
  return new TokenReader(text).fail(
    "Only a path can stand here.",
    "Write a path such as root.lines.",
  );
}

function failAtRest(reader: TokenReader, before: Node): never {
  const { text } = reader.token;
  if (text === "else") reader.fail('"else" has no "if" before it.');
  return reader.fail(
    `The expression ends before "${text}".`,
    before.kind === "filter"
      ? "Filters stand at the end and take all before them. Put what a filter shall take, or a part with its filter, in parentheses."
      : "Put an operator between two values, or quotes around a text.",
  );
}

function parsePiped(reader: TokenReader): Node {
  let input = parseConditional(reader);
  while (reader.accept("|")) input = parseFilter(reader, input);
  return input;
}

function parseFilter(reader: TokenReader, input: Node): Node {
  const name = reader.token;
  if (name.kind !== "name")
    reader.fail('A filter\'s name is missing after "|".');
  reader.take();
  const args = reader.accept("(") ? parseArguments(reader) : [];
  return reader.place({
    kind: "filter",
    name: name.text,
    nameStart: name.start,
    input,
    args,
    start: input.start,
    end: reader.lastEnd,
  });
}

function parseConditional(reader: TokenReader): Node {
  const value = parseBinary(reader, 0);
  if (!reader.accept("if")) return value;
  const test = parseBinary(reader, 0);
  const otherwise: Node = reader.accept("else")
    ? reader.nested(() => parseConditional(reader))
    : { kind: "literal", value: null, start: test.end, end: test.end };
  const { start } = value;
  const end = reader.lastEnd;
  return reader.place({
    kind: "conditional",
    test,
    value,
    otherwise,
    start,
    end,
  });
}

function parseBinary(reader: TokenReader, power: number): Node {
  let left = parseUnary(reader);
  for (let next = nextBinding(reader); next && next.power > power;) {
    reader.take();
    const { operator } = next;
    const right = parseBinary(reader, next.power);
    const { start } = left;
    const { end } = right;
    left = reader.place({ kind: "binary", operator, left, right, start, end });
    const { power: done } = next;
    next = nextBinding(reader);
    if (next?.power === COMPARISON_POWER && done === COMPARISON_POWER) {
      reader.fail("Comparisons do not chain.", "Join them with and.");
    }
  }
  return left;
}

function nextBinding(reader: TokenReader): Binding | null {
  const { kind, text } = reader.token;
  return kind === "operator" || kind === "name" ? bindingOf(text) : null;
}

function parseUnary(reader: TokenReader): Node {
  for (const operator of ["not", "-", "+"] as const) {
    const { start } = reader.token;
    if (reader.accept(operator)) return parseOperand(reader, operator, start);
  }
  return parsePrimary(reader);
}

function parseOperand(
  reader: TokenReader,
  operator: UnaryOperator,
  start: number,
): Node {
  const power = operator === "not" ? NOT_POWER : SIGN_POWER;
  const operand = reader.nested(() => parseBinary(reader, power));
  return reader.place({
    kind: "unary",
    operator,
    operand,
    start,
    end: operand.end,
  });
}

function parsePrimary(reader: TokenReader): Node {
  const { kind, text, start, end } = reader.token;
  if (kind === "string" || kind === "number") {
    reader.take();
    const value = kind === "number" ? Number(text) : text;
    return reader.place({ kind: "literal", value, start, end });
  }
  if (kind === "name") return parseName(reader);
  if (!reader.accept("(")) return failAtValue(reader);
  const inner = reader.nested(() => parsePiped(reader));
  reader.expect(")", "to close the parenthesis");
  return { ...inner, start, end: reader.lastEnd };
}

function failAtValue(reader: TokenReader): never {
  const { kind, text } = reader.token;
  if (kind === "end") return reader.fail("A value is missing at the end.");
  return reader.fail(`A value is missing before "${text}".`);
}

function parseName(reader: TokenReader): Node {
  const name = reader.token;
  const { text, start, end } = name;
  const constant = CONSTANTS.get(text);
  if (constant === undefined && RESERVED_WORDS.includes(text)) {
    return failAtValue(reader);
  }
  reader.take();
  if (constant !== undefined) {
    return reader.place({ kind: "literal", value: constant, start, end });
  }
  if (!reader.accept("(")) return parseKeys(reader, name);
  const args = parseArguments(reader);
  const { lastEnd } = reader;
  return reader.place({ kind: "call", name: text, args, start, end: lastEnd });
}

function parseArguments(reader: TokenReader): Node[] {
  const args: Node[] = [];
  if (reader.accept(")")) return args;
  do args.push(reader.nested(() => parsePiped(reader)));
  while (reader.accept(","));
  reader.expect(")", "after the arguments");
  return args;
}
