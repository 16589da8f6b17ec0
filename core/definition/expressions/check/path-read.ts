import type { PathNode } from "../parse/ast.js";
import type { PathStart, ResolvedPath } from "../schema/resolve-path.js";
import type { ScopeTypes } from "../schema/scope-types.js";
import type { Walk } from "../schema/walk-shape.js";
import type { PathRead } from "../types.js";
import type { Checking } from "./checking.js";

/** What a path reads, as it was resolved. */
export function pathRead(
  node: PathNode,
  { start, keys, declaredIn }: ResolvedPath,
  walk: Walk,
  { from, types }: Checking,
): PathRead {
  const before = node.keys.slice(0, node.keys.length - keys.length);
  const owners = declaredIn
    ? [declaredIn.record.name]
    : [
        ...before.map(() => null),
        ...walk.owners.map((owner) => owner?.name ?? null),
      ];
  return { node, from, owners, scope: scopeOf(start, types) };
}

function scopeOf(start: PathStart, types: ScopeTypes): string {
  switch (start.from) {
    case "item":
      return types.id;
    case "name":
      return start.scopes.at(-1) ?? "root";
    case "own":
      return `${start.id}.${start.property}`;
    default:
      return start.id;
  }
}
