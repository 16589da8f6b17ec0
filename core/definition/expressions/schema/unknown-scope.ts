import type { PathNode } from "../parse/ast.js";
import type { BindingProblem } from "../types.js";
import { scopesOutward, type ScopeTypes } from "./scope-types.js";
import { didYouMean } from "./suggestion.js";

/** The problem of a dotted path whose first word is no scope at this place. */
export function unknownScope(
  node: PathNode,
  source: string,
  types: ScopeTypes,
): BindingProblem {
  const first = node.keys[0];
  const scopes = namesAround(types);
  const text = source.slice(node.start, node.end);
  const owner = [...scopesOutward(types)].find(({ record }) =>
    record.shapeOf(first),
  );
  return {
    code: "unknown_scope",
    message:
      `"${first}" is no collection around this place. A dotted path begins ` +
      `with ${scopes.toReversed().join(", ")}.`,
    expression: source,
    column: node.start + 1,
    hint: owner
      ? `Did you mean ${owner.id}.${text}?`
      : (didYouMean(first, scopes).hint ??
        `Begin it with root, or put it where a collection has the collectionId "${first}".`),
  };
}

/** What a dotted path may begin with, the innermost first. */
function namesAround(types: ScopeTypes): string[] {
  const scopes = [...scopesOutward(types)];
  const names = scopes.map(({ id }) => id);
  const isGrouped = scopes.some((scope) => scope.isGrouped);
  return [...new Set(isGrouped ? ["group", ...names] : names)];
}
