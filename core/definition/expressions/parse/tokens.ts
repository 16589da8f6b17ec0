import { syntaxError } from "./syntax-error.js";

export type TokenKind = "name" | "number" | "string" | "operator" | "end";

/** `text` is the token's meaning: for a string, what stands between its quotes. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SPACE = /\s*/y;
const NAME = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy;
/** After a dot a key may begin with a digit: `root.lines.0.name`. */
const KEY = /[\p{L}\p{M}\p{N}_$]+/uy;
const NUMBER = /\d+(?:\.\d+)?/y;
const STRING = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'/y;
const OPERATOR = /==|!=|<=|>=|[-+*/%~<>=|(),.[\]]/y;

/** @throws PlatenError `invalid_definition` at the first character that begins no token. */
export function tokenize(source: string): Token[] {
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
      `The string that begins here is not closed.`,
      `Close it with ${char}.`,
    );
  }
  throw syntaxError(source, at, `"${char}" has no meaning here.`);
}
