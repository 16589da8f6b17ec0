import type {
  BinaryOperator,
  Expression,
  Node,
  PathNode,
  UnaryOperator,
} from "./ast.js";
import { TokenReader } from "./token-reader.js";

// A Pratt parser. From loose to tight: | (filters), if-else, or, and, not, comparison, ~, + -, * / %, sign.

const BINDING: Record<string, { operator: BinaryOperator; power: number }> = {
  or: { operator: "or", power: 1 },
  and: { operator: "and", power: 2 },
  "=": { operator: "=", power: 4 },
  "==": { operator: "=", power: 4 },
  "!=": { operator: "!=", power: 4 },
  "<": { operator: "<", power: 4 },
  "<=": { operator: "<=", power: 4 },
  ">": { operator: ">", power: 4 },
  ">=": { operator: ">=", power: 4 },
  "~": { operator: "~", power: 5 },
  "+": { operator: "+", power: 6 },
  "-": { operator: "-", power: 6 },
  "*": { operator: "*", power: 7 },
  "/": { operator: "/", power: 7 },
  "%": { operator: "%", power: 7 },
};
const NOT_POWER = 3;
const COMPARISON_POWER = 4;
const SIGN_POWER = 8;

const CONSTANTS: Record<string, boolean | null> = {
  true: true,
  false: false,
  null: null,
};

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

/** Names that would lead out of the data: refused wherever a key can be written. */
const FORBIDDEN_KEYS = ["__proto__", "constructor", "prototype"];

/** @throws PlatenError `invalid_definition`, with the column, when the whole of `source` is not one expression. */
export function parseExpression(source: string): Expression {
  const text = source.trim();
  const reader = new TokenReader(text);
  if (reader.token.kind === "end") reader.fail("The expression is empty.");
  const node = parsePiped(reader);
  if (reader.token.kind !== "end") failAtRest(reader);
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

function failAtRest(reader: TokenReader): never {
  const { text } = reader.token;
  if (text === "else") reader.fail('"else" has no "if" before it.');
  return reader.fail(
    `The expression ends before "${text}".`,
    "Put an operator between two values, or quotes around a text.",
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
  const then = parseBinary(reader, 0);
  if (!reader.accept("if")) return then;
  const test = parseBinary(reader, 0);
  const otherwise: Node = reader.accept("else")
    ? reader.nested(() => parseConditional(reader))
    : { kind: "literal", value: null, start: test.end, end: test.end };
  const { start } = then;
  const end = reader.lastEnd;
  return reader.place({
    kind: "conditional",
    test,
    then,
    otherwise,
    start,
    end,
  });
}

function parseBinary(reader: TokenReader, power: number): Node {
  let left = parseUnary(reader);
  for (let next = bindingOf(reader); next && next.power > power;) {
    reader.take();
    const { operator } = next;
    const right = parseBinary(reader, next.power);
    const { start } = left;
    const { end } = right;
    left = reader.place({ kind: "binary", operator, left, right, start, end });
    const { power: done } = next;
    next = bindingOf(reader);
    if (next?.power === COMPARISON_POWER && done === COMPARISON_POWER) {
      reader.fail("Comparisons do not chain.", "Join them with and.");
    }
  }
  return left;
}

function bindingOf(reader: TokenReader) {
  const { kind, text } = reader.token;
  if (kind !== "operator" && kind !== "name") return undefined;
  return Object.hasOwn(BINDING, text) ? BINDING[text] : undefined;
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
  const { text, start, end } = reader.token;
  if (Object.hasOwn(CONSTANTS, text)) {
    reader.take();
    return reader.place({
      kind: "literal",
      value: CONSTANTS[text] ?? null,
      start,
      end,
    });
  }
  if (RESERVED_WORDS.includes(text)) return failAtValue(reader);
  refuseForbidden(reader);
  reader.take();
  if (reader.accept("(")) {
    const args = parseArguments(reader);
    return reader.place({
      kind: "call",
      name: text,
      args,
      start,
      end: reader.lastEnd,
    });
  }
  return parseKeys(reader, text, start);
}

function parseArguments(reader: TokenReader): Node[] {
  const args: Node[] = [];
  if (reader.accept(")")) return args;
  do args.push(reader.nested(() => parsePiped(reader)));
  while (reader.accept(","));
  reader.expect(")", "after the arguments");
  return args;
}

/** The rest of a path: `.name`, `.0`, or `["Unit price"]` for a key that is no word. */
function parseKeys(
  reader: TokenReader,
  first: string,
  start: number,
): PathNode {
  const keys = [first];
  const starts = [start];
  for (;;) {
    const bracket = reader.accept("[");
    if (!bracket && !reader.accept(".")) break;
    const key = reader.token;
    const kinds = bracket ? ["string", "number"] : ["name"];
    if (!kinds.includes(key.kind))
      reader.fail("A field's name is missing here.");
    refuseForbidden(reader);
    keys.push(reader.take().text);
    starts.push(key.start);
    if (bracket) reader.expect("]", "after the field's name");
  }
  return reader.place({
    kind: "path",
    keys,
    starts,
    start,
    end: reader.lastEnd,
  });
}

function refuseForbidden(reader: TokenReader): void {
  const { text } = reader.token;
  if (FORBIDDEN_KEYS.includes(text)) reader.fail(`"${text}" is never data.`);
}
