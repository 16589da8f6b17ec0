import nunjucks from "nunjucks";
import type { Scope } from "../../definition/expressions/index.js";
import { PlatenError } from "../../plugin-api/index.js";
import type { Run } from "../merge/run.js";
import type { Source, Draw } from "./source-builder.js";

/** Draws the whole of a compiled source for one root record. */
export type Render = (root: Scope, run: Run) => string;

/**
 * Compiles a source by nunjucks. It gets no loader, no global and no filter: all that a template
 * can reach are the three tables of its own source.
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

/** What the program calls. The scope is the innermost one, wherever the program is. */
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

/** nunjucks wraps what its calls throw; ours comes out as itself. */
function unwrapped(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && !(at instanceof PlatenError)) at = at.cause;
  return at ?? error;
}

const TAG = /(\{%.*?%\}|\{\{ (?:brace|hash) \}\})/s;
const VALUE = /\{\{ x\((\d+)\) \}\}/;

/**
 * The same program with fewer calls: values with nothing but literal text between them become one.
 * A table row is one call of nunjucks then, instead of one for each cell.
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

/** @param parts numbers of draws, and the literal text between them */
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

/** Apart, since what a function is made among is kept with it: here the whole text of the program. */
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

// The tag `{% each 3 %}…{% else %}…{% endeach %}`. The `for` of nunjucks sets eight variables by name in each round;
// no program reads one, since the round's scope is with the functions that it calls.

/** Draws what is between two tags. */
type Body = (done: () => void) => string;
/** Draws a loop by its number; `empty` stands in when there is no round. */
type DrawLoop = (id: number, body: Body, empty: Body | null) => string;

const EACH = "each";

interface Context {
  lookup(name: string): DrawLoop;
}

/** What it needs of the parser of nunjucks, which has no published types. */
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
 * The same text, stored in one piece and in one byte for each character where that is enough. Merged text takes two
 * bytes for each of its characters as soon as one part of it does, and a part cut out of a longer text may do so
 * without need: for texts that are kept and become part of every document.
 */
export function compact(text: string): string {
  const encoding = /[^\0-\xff]/.test(text) ? "utf16le" : "latin1";
  return Buffer.from(text, encoding).toString(encoding);
}
