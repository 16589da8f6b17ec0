import { syntaxError } from "./problem.js";

type TokenKind = "name" | "number" | "string" | "operator" | "end";

/** `text` is the value of the token: for a string, the text between its quotes. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /\s*/y;
const NAME = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy;
/** A key after a dot may start with a digit: `root.lines.0.name`. */
const KEY = /[\p{L}\p{M}\p{N}_$]+/uy;
const NUMBER = /\d+(?:\.\d+)?/y;
const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/y;
const OPERATOR = /==|!=|<=|>=|[-+*/%~<>=|(),.[\]]/y;

/** @throws PlatenError `invalid_definition` at the first character that starts no token. */
function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let at = skipSpace(source, 0);
  while (at < source.length) {
    const token = readToken(source, at, tokens.at(-1));
    tokens.push(token);
    at = skipSpace(source, token.end);
  }
  return tokens;
}

function readToken(source: string, at: number, before?: Token): Token {
  const afterDot = before?.kind === "operator" && before.text === ".";
  return (
    match(afterDot ? KEY : NAME, "name", source, at) ??
    match(NUMBER, "number", source, at) ??
    readString(source, at) ??
    match(OPERATOR, "operator", source, at) ??
    unexpected(source, at)
  );
}

function match(
  pattern: RegExp,
  kind: TokenKind,
  source: string,
  at: number,
): Token | null {
  pattern.lastIndex = at;
  const text = pattern.exec(source)?.[0];
  return text ? { kind, text, start: at, end: at + text.length } : null;
}

function readString(source: string, at: number): Token | null {
  const token = match(STRING, "string", source, at);
  return token && { ...token, text: unescape(token.text.slice(1, -1)) };
}

function unescape(text: string): string {
  return text.replace(/\\([^])/g, (_, char: string) =>
    char === "n" ? "\n" : char === "t" ? "\t" : char,
  );
}

function skipSpace(source: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(source)?.[0].length ?? 0);
}

function unexpected(source: string, at: number): never {
  const char = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (char === '"' || char === "'") {
    throw syntaxError(
      source,
      at,
      `The string that starts here is not closed.`,
      `Close it with ${char}.`,
    );
  }
  throw syntaxError(source, at, `Unexpected character "${char}".`);
}

const MAX_LENGTH = 4_000;
const MAX_NODES = 500;
const MAX_NESTING = 64;

/**
 * Reads an expression token by token. Its limits on length, nodes and nesting keep all later recursive passes (check,
 * compile, evaluate) from overflowing the stack.
 */
export class TokenReader {
  private readonly tokens: readonly Token[];
  private readonly end: Token;
  private position = 0;
  private nodes = 0;
  private nesting = 0;

  constructor(readonly source: string) {
    if (source.length > MAX_LENGTH) {
      throw bindingTooLarge(source, `longer than ${MAX_LENGTH} characters`);
    }
    this.tokens = tokenize(source);
    const { length } = source;
    this.end = { kind: "end", text: "", start: length, end: length };
  }

  /** The current token, or the end token. */
  get token(): Token {
    return this.tokens[this.position] ?? this.end;
  }

  get lastEnd(): number {
    return this.tokens[this.position - 1]?.end ?? 0;
  }

  take(): Token {
    const token = this.token;
    if (token.kind !== "end") this.position++;
    return token;
  }

  /** Whether the current token is this operator or word. */
  sees(text: string): boolean {
    const { kind, text: tokenText } = this.token;
    return tokenText === text && (kind === "operator" || kind === "name");
  }

  accept(text: string): boolean {
    const isMatch = this.sees(text);
    if (isMatch) this.position++;
    return isMatch;
  }

  /** Takes `name =` before the value of an argument; null when there is none. */
  acceptName(): string | null {
    const { kind, text } = this.token;
    const next = this.tokens[this.position + 1];
    if (kind !== "name" || next?.kind !== "operator" || next.text !== "=")
      return null;
    this.position += 2;
    return text;
  }

  expect(text: string, purpose: string): void {
    if (!this.accept(text)) this.fail(`"${text}" is missing ${purpose}.`);
  }

  /** Counts a node of the tree towards the limit. */
  place<T>(node: T): T {
    if (++this.nodes > MAX_NODES) {
      throw bindingTooLarge(
        this.source,
        `made of more than ${MAX_NODES} parts`,
      );
    }
    return node;
  }

  /** Runs a part of the parser one level deeper. */
  nested<T>(parse: () => T): T {
    if (++this.nesting > MAX_NESTING) {
      throw bindingTooLarge(
        this.source,
        `nested more than ${MAX_NESTING} levels deep`,
      );
    }
    const result = parse();
    this.nesting--;
    return result;
  }

  fail(message: string, hint?: string): never {
    return this.failAt(this.token.start, message, hint);
  }

  /** @param at 0-based position in the source */
  failAt(at: number, message: string, hint?: string): never {
    throw syntaxError(this.source, at, message, hint);
  }
}

function bindingTooLarge(source: string, how: string): Error {
  return syntaxError(
    `${source.slice(0, 80)}…`,
    0,
    `The expression is ${how}.`,
    "Split it into several expressions.",
  );
}
