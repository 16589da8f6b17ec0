import { explainForeignSyntax } from "./foreign-syntax.js";
import { getProblem, syntaxError } from "./problem.js";
import { type Numeric, toNumeric } from "./values.js";
import { type Token, TokenReader } from "./token-reader.js";

/** The position of a node in its expression: 0-based, end exclusive. */
interface Placed {
  readonly start: number;
  readonly end: number;
}

interface LiteralNode extends Placed {
  readonly kind: "literal";
  readonly value: string | Numeric | boolean | null;
}

/** `root.lines.0.name`, or a bare name; `starts` contains the position of each key. */
export interface PathNode extends Placed {
  readonly kind: "path";
  readonly keys: readonly [string, ...string[]];
  readonly starts: readonly number[];
}

/** The list on the right of `in`: `["new", "open"]`. */
interface ListNode extends Placed {
  readonly kind: "list";
  readonly items: readonly Node[];
}

type UnaryOperator = "-" | "+" | "not";
type BinaryOperator =
  | "or"
  | "and"
  | "="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "contains"
  | "in"
  | "~"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

export interface UnaryNode extends Placed {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Node;
}

export interface BinaryNode extends Placed {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
}

/** `value if test else otherwise` */
export interface ConditionalNode extends Placed {
  readonly kind: "conditional";
  readonly test: Node;
  readonly value: Node;
  readonly otherwise: Node;
}

export interface CallNode extends Placed {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Node[];
  /** The names of the arguments of `t`, as in `t("due", days = root.days)`; null for those without. */
  readonly argNames?: readonly (string | null)[];
}

export interface FilterNode extends Placed {
  readonly kind: "filter";
  readonly name: string;
  readonly nameStart: number;
  readonly input: Node;
  readonly args: readonly Node[];
}

export type Node =
  | LiteralNode
  | PathNode
  | ListNode
  | UnaryNode
  | BinaryNode
  | ConditionalNode
  | CallNode
  | FilterNode;

/** One parsed expression; `source` is its text without braces. */
export interface Expression {
  readonly source: string;
  readonly node: Node;
}

export function getSourceText(node: Node, source: string): string {
  return source.slice(node.start, node.end);
}

/** The path that an expression reads first; null when it reads none. */
export function findFirstPath({ node }: Expression): PathNode | null {
  const rest: Node[] = [node];
  for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
    if (next.kind === "path") return next;
    rest.unshift(...listParts(next));
  }
  return null;
}

function listParts(node: Exclude<Node, PathNode>): readonly Node[] {
  switch (node.kind) {
    case "list":
      return node.items;
    case "unary":
      return [node.operand];
    case "binary":
      return [node.left, node.right];
    case "conditional":
      return [node.value, node.otherwise, node.test];
    case "call":
      return node.args;
    case "filter":
      return [node.input];
    default:
      return [];
  }
}

/** The literal texts of a template and the expressions between them; there is always one more literal. */
interface ParsedTemplate {
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

/**
 * @throws PlatenError `invalid_definition`, with the column, when `source` is not exactly one expression. The message
 * explains what is written in another template language.
 */
export function parseExpression(source: string): Expression {
  try {
    return parseWhole(source);
  } catch (error) {
    const problem = getProblem(error);
    const { expression = source.trim(), column = 1 } = problem;
    const isWhole = expression === source.trim();
    const advice =
      isWhole && source.length <= MAX_EXPLAINED
        ? explainForeignSyntax(source, isExpression)
        : null;
    if (advice === null) throw error;
    throw syntaxError(expression, column - 1, advice.message, advice.hint);
  }
}

/** Translating another template language takes time with the square of the length, and has sense for short ones. */
const MAX_EXPLAINED = 300;

/** Whether a text is an expression, with any names of filters and functions. */
export function isExpression(source: string): boolean {
  try {
    parseWhole(source);
    return true;
  } catch {
    return false;
  }
}

function parseWhole(source: string): Expression {
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
  if (text === "else" && before.kind !== "filter")
    reader.fail('"else" has no "if" before it.');
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
    const right =
      operator === "in"
        ? parseListed(reader, next.power)
        : parseBinary(reader, next.power);
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

/** The right of `in`: a list, or the path of one. */
function parseListed(reader: TokenReader, power: number): Node {
  const { start } = reader.token;
  if (!reader.accept("[")) {
    const node = parseBinary(reader, power);
    if (node.kind !== "literal") return node;
    return reader.failAt(
      start,
      "A list is missing after in.",
      'Write it in brackets, as in root.kind in ["a", "b"]. A text has no elements: write root.kind contains "a".',
    );
  }
  const items: Node[] = [];
  do items.push(reader.nested(() => parsePiped(reader)));
  while (reader.accept(","));
  reader.expect("]", "after the list");
  return reader.place({ kind: "list", items, start, end: reader.lastEnd });
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
    const value = kind === "number" ? (toNumeric(text) ?? Number(text)) : text;
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
  const call = { kind: "call", name: text, start } as const;
  if (text !== TRANSLATION) {
    const args = parseArguments(reader);
    return reader.place({ ...call, args, end: reader.lastEnd });
  }
  const argNames: (string | null)[] = [];
  const args = parseArguments(reader, () => {
    argNames.push(reader.acceptName());
    return parsePiped(reader);
  });
  return reader.place({ ...call, args, argNames, end: reader.lastEnd });
}

/** The function that prints a text of the definition's translations. */
export const TRANSLATION = "t";

function parseArguments(
  reader: TokenReader,
  parse: () => Node = () => parsePiped(reader),
): Node[] {
  const args: Node[] = [];
  if (reader.accept(")")) return args;
  do args.push(reader.nested(parse));
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
  ["contains", { operator: "contains", power: COMPARISON_POWER }],
  ["in", { operator: "in", power: COMPARISON_POWER }],
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

const WHOLE_NAME = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*$/u;
const WHOLE_KEY = /^[\p{L}\p{M}\p{N}_$]+$/u;
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
  if (isLater && WHOLE_KEY.test(to)) return before + to + after;
  if (isLater) return `${before.replace(/\.\s*$/, "")}[${quoted}]${after}`;
  if (WHOLE_NAME.test(to) && !RESERVED_WORDS.includes(to))
    return before + to + after;
  return scope === "" ? null : `${before}${scope}[${quoted}]${after}`;
}
