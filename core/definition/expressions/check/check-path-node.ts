import type { PathNode } from "../parse/ast.js";
import type { Shape } from "../schema/record-type.js";
import { ANY } from "../schema/record-type.js";
import { resolvePath } from "../schema/resolve-path.js";
import { scopesOutward, type ScopeTypes } from "../schema/scope-types.js";
import { didYouMean } from "../schema/suggestion.js";
import { unknownScope } from "../schema/unknown-scope.js";
import { walkShape, type Walk } from "../schema/walk-shape.js";
import type { BindingProblem } from "../types.js";
import type { Checking } from "./checking.js";
import { pathRead } from "./path-read.js";

/** Reports what is wrong with a path, and gives the shape of its value. */
export function checkPathNode(node: PathNode, checking: Checking): Shape {
  const { source, types, reach, report, takesLists } = checking;
  const path = resolvePath(node, types, reach);
  if (!path) {
    report.error(unknownScope(node, source, types));
    return ANY;
  }
  if (path.isUndeclaredName) report.warning(undeclaredName(node, checking));
  const walk = walkShape(path);
  report.read?.(pathRead(node, path, walk, checking));
  const used = node.keys.length - path.keys.length;
  if (walk.crossing >= 0 && !takesLists) {
    report.error(outOfScope(node, walk, walk.crossing + used, checking));
  }
  if (walk.undeclared >= 0) {
    report.warning(undeclaredField(node, walk, walk.undeclared + used, source));
  }
  return walk.shape;
}

function undeclaredName(node: PathNode, { source, types }: Checking) {
  const name = node.keys[0];
  const known = Array.from(scopesOutward(types), ({ id, record }) => [
    id,
    ...record.fieldNames,
  ]).flat();
  return {
    code: "undeclared_name",
    message: `No collection around this place declares "${name}".`,
    ...placed(node, 0, source),
    ...didYouMean(name, known),
  };
}

function undeclaredField(
  node: PathNode,
  walk: Walk,
  at: number,
  source: string,
): BindingProblem {
  const key = node.keys[at] ?? "";
  const owner = at > 0 ? ` of ${node.keys.slice(0, at).join(".")}` : "";
  return {
    code: "undeclared_field",
    message: `No declared field${owner} is named "${key}".`,
    ...placed(node, at, source),
    ...didYouMean(key, walk.known),
  };
}

function outOfScope(
  node: PathNode,
  { crossed }: Walk,
  at: number,
  { source, types }: Checking,
): BindingProblem {
  const list = node.keys.slice(0, at).join(".");
  const field = node.keys.slice(at).join(".");
  const inside = scopeOf(crossed, types);
  return {
    code: "collection_out_of_scope",
    message: `${list} is a collection: "${field}" is in each of its records.`,
    hint: inside
      ? `Write ${inside.id}.${field}.`
      : `Repeat an element over ${list}, or take ${list}.0.${field} or SUM(${list}, ${field}).`,
    ...placed(node, at, source),
  };
}

function scopeOf(record: Walk["crossed"], types: ScopeTypes) {
  return [...scopesOutward(types)].find((scope) => scope.record === record);
}

function placed(node: PathNode, at: number, expression: string) {
  return { expression, column: (node.starts[at] ?? node.start) + 1 };
}
