import { PlatenError } from "../../plugin-api/index.js";
import type { MergeContext, Scope } from "./types.js";

/**
 * The scope of one document. Keys such as `__proto__` are harmless because no expression can name them.
 * @throws PlatenError `merge_failed` when the record is not a JSON object.
 */
export function rootScope(data: unknown, context: MergeContext): Scope {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw new PlatenError(
      "merge_failed",
      "The data of a document must be a JSON object: one record becomes one document.",
    );
  }
  return {
    id: "root",
    parent: null,
    item: data,
    index: 0,
    first: true,
    last: true,
    group: null,
    context,
  };
}

/** The nearest enclosing scope with this id; null only when scopes are nested differently than they were checked. */
export function findScope(scope: Scope, id: string): Scope | null {
  let found: Scope | null = scope;
  while (found && found.id !== id) found = found.parent;
  return found;
}

/** The scope of one of `count` elements, at the 0-based `index`. */
export function itemScope(
  id: string,
  parent: Scope,
  item: unknown,
  index: number,
  count: number,
  group: Scope["group"] = null,
): Scope {
  return {
    id,
    parent,
    item,
    index,
    first: index === 0,
    last: index === count - 1,
    group,
    context: parent.context,
  };
}
