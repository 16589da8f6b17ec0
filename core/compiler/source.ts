import nunjucks from "nunjucks";
import type { Scope } from "../definition/expressions/index.js";
import { BudgetExceeded } from "../lib/time-budget.js";
import { PlatenError } from "../plugin-api/index.js";
import type { Run } from "./merge-run.js";

// The source of a compiled definition: a nunjucks template whose only expressions are calls by number into tables of
// compiled functions. No name, path or string of a template or of data becomes part of an expression, so nunjucks looks
// up no member and nothing can be injected.

export type Draw = (scope: Scope, run: Run) => string;
export type Test = (scope: Scope, run: Run) => boolean;
type Repeater = (scope: Scope) => readonly Scope[];

interface Loop {
  scopes: Repeater;
  /** Minimum number of characters per iteration, to stop a runaway loop before it runs. */
  weight: number;
}

export interface Source {
  text: string;
  draws: readonly Draw[];
  tests: readonly Test[];
  loops: readonly Loop[];
}

/** Escapes literal text: delimiters in it, or formed with the text that follows, stay text. */
export function escapeSource(text: string): string {
  return text.replace(/\{(?=[{%#]|$)|#(?=\}|$)/g, (delimiter) =>
    delimiter === "{" ? "{{ brace }}" : "{{ hash }}",
  );
}

interface Tables {
  draws: Draw[];
  tests: Test[];
  loops: Loop[];
}

/** Builds the source of a program and collects the functions that it calls. */
export class SourceBuilder {
  readonly #tables: Tables;
  readonly #tag: (tag: string) => string;

  /** @param tag writes block tags, such as `{% if … %}`; MJML needs them inside an element. */
  constructor(
    tag: (tag: string) => string = (plain) => plain,
    tables: Tables = { draws: [], tests: [], loops: [] },
  ) {
    this.#tag = tag;
    this.#tables = tables;
  }

  /** A builder for another part of the same program, with other block tags. */
  tagging(tag: (tag: string) => string): SourceBuilder {
    return new SourceBuilder(tag, this.#tables);
  }

  value(draw: Draw): string {
    const guarded: Draw = (scope, run) => run.guardMarkup(draw(scope, run));
    return `{{ x(${this.#tables.draws.push(guarded) - 1}) }}`;
  }

  when(test: Test, then: string, otherwise: string): string {
    const id = this.#tables.tests.push(test) - 1;
    return (
      this.#tag(`{% if t(${id}) %}`) +
      then +
      (otherwise === "" ? "" : this.#tag("{% else %}") + otherwise) +
      this.#tag("{% endif %}")
    );
  }

  /**
   * @param body rendered in the scope of each element
   * @param empty rendered in the outer scope when there are no elements
   */
  each(scopes: Repeater, body: string, empty: string): string {
    const id = this.#tables.loops.push({ scopes, weight: body.length }) - 1;
    return (
      this.#tag(`{% each ${id} %}`) +
      body +
      (empty === "" ? "" : this.#tag("{% else %}") + empty) +
      this.#tag("{% endeach %}")
    );
  }

  finish(text: string): Source {
    return { text, ...this.#tables };
  }
}

const BYTES_PER_CHARACTER = 4;
const BYTES_PER_CALL = 3500;

/** Estimates the bytes that a compiled source takes; both factors are measured. */
export function estimateWeight({ text, draws, tests, loops }: Source): number {
  const calls = draws.length + tests.length + loops.length;
  return text.length * BYTES_PER_CHARACTER + calls * BYTES_PER_CALL;
}

/** Encodes the output of a program: literal text now, values at merge time. */
export function encodeSource(
  { text, draws, ...tables }: Source,
  encode: (text: string) => string,
): Source {
  const parts = text.split(/(\{\{.*?\}\}|\{%.*?%\})/s);
  return {
    ...tables,
    text: parts
      .map((part, index) => (index % 2 === 1 ? part : encode(part)))
      .join(""),
    draws: draws.map((draw) => (scope, run) => encode(draw(scope, run))),
  };
}

/** Renders a compiled source for one root record. */
export type Render = (root: Scope, run: Run) => string;

/**
 * Compiles a source with nunjucks, without loaders, globals and filters: a template can only reach the three tables of
 * its own source.
 */
export function compileSource(written: Source): Render {
  const source = mergeValues(written);
  const template = new nunjucks.Template(
    source.text,
    bareEnvironment(),
    "",
    true,
  );
  return (root, run) => {
    try {
      return template.render(createCalls(source, root, run));
    } catch (error) {
      throw unwrapped(error);
    }
  };
}

function bareEnvironment(): nunjucks.Environment {
  const environment = new nunjucks.Environment([], {
    autoescape: false,
    dev: true, // keeps the cause of an error, which `unwrapped` reads
  });
  environment.addExtension(EACH, eachTag);
  return Object.assign(environment, { globals: {}, filters: {}, tests: {} });
}

/** The functions that the program calls; `scope` is always the innermost one. */
function createCalls({ draws, tests, loops }: Source, root: Scope, run: Run) {
  let scope = root;
  const each: DrawLoop = (id, body, empty) => {
    const { scopes, weight } = loops[id]!;
    const around = scope;
    const rounds = scopes(around);
    run.reserve(rounds.length * weight);
    if (rounds.length === 0) return empty?.(ignore) ?? "";
    let text = "";
    for (scope of rounds) text += body(ignore);
    scope = around;
    return text;
  };
  return {
    brace: "{",
    hash: "#",
    x: (id: number) => run.write(draws[id]!(scope, run)),
    t: (id: number) => tests[id]!(scope, run),
    [EACH]: each,
  };
}

function ignore(): void {}

/** nunjucks wraps errors of its calls; this returns the original one, if it is ours. */
function unwrapped(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && !isOurs(at)) at = at.cause;
  return at ?? error;
}

function isOurs(error: Error): boolean {
  return error instanceof PlatenError || error instanceof BudgetExceeded;
}

const TAG = /(\{%.*?%\}|\{\{ (?:brace|hash) \}\})/s;
const VALUE = /\{\{ x\((\d+)\) \}\}/;

/**
 * Combines values with only literal text between them into one call, so that a table row takes one call of nunjucks
 * instead of one per cell.
 */
function mergeValues({ text, draws, ...tables }: Source): Source {
  const fused: Draw[] = [];
  const pieces = text.split(TAG).map((piece) => {
    const [before = "", ...rest] = piece.split(VALUE);
    const after = rest.pop();
    if (after === undefined) return before;
    const id = fused.push(drawAll(rest, draws)) - 1;
    return `${before}{{ x(${id}) }}${after}`;
  });
  return { ...tables, text: pieces.join(""), draws: fused };
}

/** @param parts ids of draws, alternating with the literal text between them */
function drawAll(parts: readonly string[], draws: readonly Draw[]): Draw {
  const [first, ...more] = parts
    .filter((_part, index) => index % 2 === 0)
    .map((id) => draws[Number(id)]!);
  const steps = more.map((draw, index) => ({
    literal: compact(parts[index * 2 + 1] ?? ""),
    draw,
  }));
  return steps.length === 0 ? first! : drawInTurn(first!, steps);
}

/** A separate function, so that the closure does not keep the whole program text in memory. */
function drawInTurn(
  first: Draw,
  steps: readonly { literal: string; draw: Draw }[],
): Draw {
  return (scope, run) => {
    let text = first(scope, run);
    for (const { literal, draw } of steps) text += literal + draw(scope, run);
    return text;
  };
}

// The tag `{% each 3 %}…{% else %}…{% endeach %}`. It replaces the `for` of nunjucks, which sets eight variables in
// each iteration that no program reads.

type Body = (done: () => void) => string;
/** Renders a loop by its id, or `empty` when there are no elements. */
type DrawLoop = (id: number, body: Body, empty: Body | null) => string;

const EACH = "each";

interface Context {
  lookup(name: string): DrawLoop;
}

/** The part of the nunjucks parser that is used; it has no published types. */
interface Parser {
  nextToken(): unknown;
  parseSignature(tolerant: null, noParens: true): object;
  parseUntilBlocks(...names: string[]): object;
  skipSymbol(name: string): boolean;
  advanceAfterBlockEnd(name?: string): void;
}

interface Nodes {
  CallExtension: new (
    extension: object,
    method: "draw",
    args: object,
    bodies: (object | null)[],
  ) => object;
}

const eachTag = {
  tags: [EACH],
  parse(parser: Parser, nodes: Nodes): object {
    parser.nextToken();
    const id = parser.parseSignature(null, true);
    parser.advanceAfterBlockEnd(EACH);
    const body = parser.parseUntilBlocks("else", "endeach");
    const empty = parseElse(parser);
    parser.advanceAfterBlockEnd();
    return new nodes.CallExtension(eachTag, "draw", id, [body, empty]);
  },
  draw: (context: Context, ...loop: Parameters<DrawLoop>) =>
    context.lookup(EACH)(...loop),
};

function parseElse(parser: Parser): object | null {
  if (!parser.skipSymbol("else")) return null;
  parser.advanceAfterBlockEnd("else");
  return parser.parseUntilBlocks("endeach");
}

/**
 * Stores a text as one flat string with one byte per character where possible. A merged text takes two bytes per
 * character as soon as one part of it does, and a slice of a longer text may do so needlessly: for texts that are
 * cached and become part of every document.
 */
export function compact(text: string): string {
  const encoding = /[^\0-\xff]/.test(text) ? "utf16le" : "latin1";
  return Buffer.from(text, encoding).toString(encoding);
}
