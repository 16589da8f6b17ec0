import type {
  Expression,
  Node,
  PathNode,
  UnaryOperator,
  BinaryOperator,
} from "./ast.js";
import { TokenReader, type Token } from "./tokens.js";

// A Pratt parser. Operators from lowest to highest precedence: | (filters), if-else, or, and, not, comparison, ~, + -,
// * / %, sign.

const CONSTANTS = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Words that cannot start a path or name a collection. */
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

/** @throws PlatenError `invalid_definition`, with the column, when `source` is not exactly one expression. */
export function parseExpression(source: string): Expression {
  const text = source.trim();
  const reader = new TokenReader(text);
  if (reader.token.kind === "end") reader.fail("The expression is empty.");
  const node = parsePiped(reader);
  if (reader.token.kind !== "end") failAtRest(reader, node);
  return { source: text, node };
}

/** @throws PlatenError `invalid_definition` when `source` is not a path. */
export function parsePath(source: string): Expression & { node: PathNode } {
  const { source: text, node } = parseExpression(source);
  if (node.kind === "path") return { source: text, node };
  return new TokenReader(text).fail(
    "Expected a path.",
    "Write a path such as root.lines.",
  );
}

function failAtRest(reader: TokenReader, before: Node): never {
  const { text } = reader.token;
  if (text === "else") reader.fail('"else" has no "if" before it.');
  return reader.fail(
    `The expression ends before "${text}".`,
    before.kind === "filter"
      ? "A filter applies to the whole expression before it. To filter only a part, put that part and its filter in parentheses."
      : "Put an operator between two values, or quotes around text.",
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
    reader.fail('The name of a filter is missing after "|".');
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
      reader.fail(
        "Comparisons cannot be chained.",
        "Join them with and, such as a < b and b < c.",
      );
    }
  }
  return left;
}

function nextBinding(reader: TokenReader): Binding | null {
  const { kind, text } = reader.token;
  return kind === "operator" || kind === "name" ? findBinding(text) : null;
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

/** Keys that would reach a prototype; rejected wherever a key can be written. */
export const FORBIDDEN_KEYS: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
];

/** Parses the rest of a path: `.name`, `.0`, or `["Unit price"]` for a key that is not a word. */
function parseKeys(reader: TokenReader, first: Token): PathNode {
  const { start } = first;
  assertAllowedKey(reader, first);
  const keys: [string, ...string[]] = [first.text];
  const starts = [start];
  for (;;) {
    const isBracket = reader.accept("[");
    if (!isBracket && !reader.accept(".")) break;
    const key = takeKey(reader, isBracket);
    keys.push(key.text);
    starts.push(key.start);
  }
  const end = reader.lastEnd;
  return reader.place({ kind: "path", keys, starts, start, end });
}

function takeKey(reader: TokenReader, isBracket: boolean): Token {
  const key = reader.token;
  const kinds = isBracket ? ["string", "number"] : ["name"];
  if (!kinds.includes(key.kind)) {
    reader.fail("Expected the name of a field.");
  }
  assertAllowedKey(reader, key);
  reader.take();
  if (isBracket) reader.expect("]", "after the name of the field");
  return key;
}

function assertAllowedKey(reader: TokenReader, { text, start }: Token): void {
  if (!FORBIDDEN_KEYS.includes(text)) return;
  reader.failAt(start, `"${text}" is not allowed as the name of a field.`);
}

/** The precedence of an operator: the greater, the tighter it binds. */
interface Binding {
  readonly operator: BinaryOperator;
  readonly power: number;
}

const NOT_POWER = 3;
const COMPARISON_POWER = 4;
const SIGN_POWER = 8;

const bindings = new Map<string, Binding>([
  ["or", { operator: "or", power: 1 }],
  ["and", { operator: "and", power: 2 }],
  ["=", { operator: "=", power: COMPARISON_POWER }],
  ["==", { operator: "=", power: COMPARISON_POWER }],
  ["!=", { operator: "!=", power: COMPARISON_POWER }],
  ["<", { operator: "<", power: COMPARISON_POWER }],
  ["<=", { operator: "<=", power: COMPARISON_POWER }],
  [">", { operator: ">", power: COMPARISON_POWER }],
  [">=", { operator: ">=", power: COMPARISON_POWER }],
  ["~", { operator: "~", power: 5 }],
  ["+", { operator: "+", power: 6 }],
  ["-", { operator: "-", power: 6 }],
  ["*", { operator: "*", power: 7 }],
  ["/", { operator: "/", power: 7 }],
  ["%", { operator: "%", power: 7 }],
]);

function findBinding(operator: string): Binding | null {
  return bindings.get(operator) ?? null;
}

const NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;
const KEY = /^[\p{L}\p{M}\p{N}_$]+$/u;
/** A key after a dot may start with a digit, as in the tokenizer. */
const WRITTEN =
  /^(?:[\p{L}\p{M}\p{N}_$]+|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')/u;

/**
 * Replaces the key at `at` of an expression, using brackets when the new key is not a word.
 * @param scope put before a first key that is not a word; empty when there is none
 * @returns null when the key cannot be written there.
 */
export function writeKey(
  text: string,
  at: number,
  to: string,
  scope: string,
): string | null {
  const before = text.slice(0, at);
  const written = WRITTEN.exec(text.slice(at))?.[0] ?? "";
  const after = text.slice(at + written.length);
  const quoted = JSON.stringify(to);
  const isQuoted = /["']/.test(text.charAt(at));
  if (isQuoted) return before + quoted + after;
  const isLater = /\.\s*$/.test(before);
  if (isLater && KEY.test(to)) return before + to + after;
  if (isLater) return `${before.replace(/\.\s*$/, "")}[${quoted}]${after}`;
  if (NAME.test(to) && !RESERVED_WORDS.includes(to)) return before + to + after;
  return scope === "" ? null : `${before}${scope}[${quoted}]${after}`;
}
