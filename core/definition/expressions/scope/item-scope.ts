import type { Scope } from "../types.js";

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
