import nunjucks from "nunjucks";
import { PlatenError } from "../../plugin-api/index.js";
import type { Scope } from "../../definition/expressions/index.js";
import type { Run } from "../merge/run.js";
import { EACH, eachTag, type DrawLoop } from "./each-tag.js";
import { fuseValues } from "./fuse-values.js";
import type { Source } from "./pen.js";

/** Draws the whole of a compiled source for one root record. */
export type Render = (root: Scope, run: Run) => string;

/**
 * Compiles a source by nunjucks. It gets no loader, no global and no filter: all that a template
 * can reach are the three tables of its own source.
 */
export function compileSource(written: Source): Render {
  const source = fuseValues(written);
  const template = new nunjucks.Template(
    source.text,
    bareEnvironment(),
    "",
    true,
  );
  return (root, run) => {
    try {
      return template.render(callsOf(source, root, run));
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
function callsOf({ draws, tests, loops }: Source, root: Scope, run: Run) {
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
