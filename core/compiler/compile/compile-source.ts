import nunjucks from "nunjucks";
import type { Scope } from "../../definition/expressions/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { Run } from "../merge/run.js";
import type { Source, Draw } from "./source-builder.js";

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

/** nunjucks wraps errors of its calls; this returns the original PlatenError. */
function unwrapped(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && !(at instanceof PlatenError)) at = at.cause;
  return at ?? error;
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

/** Renders the body of a tag. */
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
