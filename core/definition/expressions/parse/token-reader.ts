import { syntaxError } from "./syntax-error.js";
import { tokenize, type Token } from "./tokens.js";

const MAX_LENGTH = 4_000;
const MAX_NODES = 500;
const MAX_NESTING = 64;

/**
 * Reads an expression token by token. Its caps on length, nodes and nesting keep every later pass
 * (check, compile, evaluate), all of which recurse, far from the end of the stack.
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

  /** The token at hand; past the last one, the end. */
  get token(): Token {
    return this.tokens[this.position] ?? this.end;
  }

  /** Where the token before this one ended. */
  get lastEnd(): number {
    return this.tokens[this.position - 1]?.end ?? 0;
  }

  take(): Token {
    const token = this.token;
    if (token.kind !== "end") this.position++;
    return token;
  }

  /** Is the token at hand this operator or this word? */
  sees(text: string): boolean {
    const { kind, text: found } = this.token;
    return found === text && (kind === "operator" || kind === "name");
  }

  accept(text: string): boolean {
    const found = this.sees(text);
    if (found) this.position++;
    return found;
  }

  expect(text: string, purpose: string): void {
    if (!this.accept(text)) this.fail(`"${text}" is missing ${purpose}.`);
  }

  /** Counts a node of the tree. */
  place<T>(node: T): T {
    if (++this.nodes > MAX_NODES) {
      throw bindingTooLarge(this.source, `made of over ${MAX_NODES} parts`);
    }
    return node;
  }

  /** Runs a part of the parser one level deeper. */
  nested<T>(parse: () => T): T {
    if (++this.nesting > MAX_NESTING) {
      throw bindingTooLarge(this.source, `nested over ${MAX_NESTING} deep`);
    }
    const result = parse();
    this.nesting--;
    return result;
  }

  fail(message: string, hint?: string): never {
    return this.failAt(this.token.start, message, hint);
  }

  /** @param at 0-based place in the source */
  failAt(at: number, message: string, hint?: string): never {
    throw syntaxError(this.source, at, message, hint);
  }
}

function bindingTooLarge(source: string, how: string): Error {
  return syntaxError(
    `${source.slice(0, 80)}…`,
    0,
    `The expression is ${how}.`,
    "Split it into several.",
  );
}
