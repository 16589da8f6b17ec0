import type { PathNode } from "../parse/ast.js";
import { ANY, isOpen, type Shape } from "./record-type.js";
import { scopeNamed, scopesOutward, type ScopeTypes } from "./scope-types.js";

// Which value a path means. The checker and the compiler both ask here, so that they never disagree.

/** Where reading begins. */
export type PathStart =
  /** The element of the scope with this id. */
  | { readonly from: "scope"; readonly id: string }
  /** A property of the scope itself: `line.number`. */
  | {
      readonly from: "own";
      readonly id: string;
      readonly property: OwnProperty;
    }
  /** The innermost element, for the fields of sort, filter and groupBy. */
  | { readonly from: "item" }
  /** A bare name that is a scope's id: the element, but of a record rather its field of that name. */
  | {
      readonly from: "itself";
      readonly id: string;
      readonly reach: "scope" | "item";
    }
  /** A bare name: the innermost element of these scopes that has it; the last one is taken in any case. */
  | {
      readonly from: "name";
      readonly name: string;
      readonly scopes: readonly string[];
    };

export interface ResolvedPath {
  readonly start: PathStart;
  /** The declared shape at the start. */
  readonly shape: Shape;
  /** What is read from there. */
  readonly keys: readonly string[];
  /** True when every scope declares fields and none of them is this bare name. */
  readonly isUndeclaredName?: boolean;
  /** Of a bare name, the scope whose record declares it. */
  readonly declaredIn?: ScopeTypes;
}

const OWN_PROPERTIES = ["index", "number", "first", "last"] as const;
export type OwnProperty = (typeof OWN_PROPERTIES)[number];

/**
 * - `reach: "scope"`: a dotted path begins with `root`, a collectionId in scope or `group`; a bare name
 *   is looked for outward.
 * - `reach: "item"`: a path begins at the innermost element, unless its first word is a scope's.
 *
 * `<id>.index`, `.number`, `.first` and `.last` are the scope's own, except where the schema declares a field
 * of that name, and except for the root, which is no element of anything. A bare name never means them.
 * Null when the first word of a dotted path is no scope.
 */
export function resolvePath(
  node: PathNode,
  types: ScopeTypes,
  reach: "scope" | "item",
): ResolvedPath | null {
  const { keys } = node;
  const first = keys[0];
  if (reach === "item" && types.record.shapeOf(first)) {
    return { start: { from: "item" }, shape: one(types), keys };
  }
  const scope = scopeNamed(first, types);
  if (keys.length > 1 && scope) return fromScope(scope, keys);
  if (reach === "item" && scope !== types) {
    return { start: { from: "item" }, shape: one(types), keys };
  }
  if (keys.length > 1) return null;
  return reach === "item"
    ? itself(types, reach)
    : resolveName(first, types, scope);
}

function fromScope(scope: ScopeTypes, keys: readonly string[]): ResolvedPath {
  const property = OWN_PROPERTIES.find((name) => name === keys[1]);
  const isOwn = scope.id !== "root" && property !== undefined;
  if (isOwn && !scope.record.shapeOf(property)) {
    const start = { from: "own", id: scope.id, property } as const;
    return { start, shape: ANY, keys: keys.slice(2) };
  }
  const start = { from: "scope", id: scope.id } as const;
  return { start, shape: one(scope), keys: keys.slice(1) };
}

/**
 * A declared field comes first, then a scope of that name. A scope that declares no fields, on the way there,
 * is asked as the data has it.
 */
function resolveName(
  name: string,
  types: ScopeTypes,
  scope: ScopeTypes | null,
): ResolvedPath {
  const scopes: string[] = [];
  for (const outer of scopesOutward(types)) {
    const declared = outer.record.shapeOf(name);
    if (declared || isOpen(outer.record)) scopes.push(outer.id);
    if (!declared) continue;
    const shape = scopes.length === 1 ? one(outer) : ANY;
    const start = { from: "name", name, scopes } as const;
    return { start, shape, keys: [name], declaredIn: outer };
  }
  if (scope) return itself(scope, "scope");
  const all = Array.from(scopesOutward(types), ({ id }) => id);
  const isUndeclaredName = scopes.length === 0;
  return {
    start: { from: "name", name, scopes: all },
    shape: ANY,
    keys: [name],
    isUndeclaredName,
  };
}

function itself(scope: ScopeTypes, reach: "scope" | "item"): ResolvedPath {
  const start = { from: "itself", id: scope.id, reach } as const;
  return { start, shape: one(scope), keys: [] };
}

function one({ record }: ScopeTypes): Shape {
  return { kind: "one", record };
}
