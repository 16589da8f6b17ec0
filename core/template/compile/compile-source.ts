import nunjucks from "nunjucks";
import { PlatenError } from "../../contract/index.js";
import type { Scope } from "../binding/index.js";
import type { Run } from "../merge/run.js";
import { fuseValues } from "./fuse-values.js";
import { scopeName, type Source } from "./pen.js";

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
  return Object.assign(environment, { globals: {}, filters: {}, tests: {} });
}

function callsOf({ draws, tests, loops }: Source, root: Scope, run: Run) {
  return {
    [scopeName(0)]: root,
    brace: "{",
    hash: "#",
    x: (id: number, scope: Scope) => run.write(draws[id]!(scope, run)),
    t: (id: number, scope: Scope) => tests[id]!(scope, run),
    each: (id: number, scope: Scope) => {
      const { scopes, weight } = loops[id]!;
      const rounds = scopes(scope);
      run.reserve(rounds.length * weight);
      return rounds;
    },
  };
}

/** nunjucks wraps what its calls throw; ours comes out as itself. */
function unwrapped(error: unknown): unknown {
  let at = error;
  while (at instanceof Error && !(at instanceof PlatenError)) at = at.cause;
  return at ?? error;
}
