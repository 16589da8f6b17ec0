import type { Repeat } from "../../schema/data-schema.js";
import { compilePathNode } from "../compile/compile-path.js";
import { parsePath } from "../parse/parse-expression.js";
import { elementTypes } from "../schema/element-types.js";
import type { ScopeTypes } from "../schema/scope-types.js";
import { itemScope } from "../scope/item-scope.js";
import type { Scope } from "../types.js";
import { elementsOf } from "../value/own-data.js";
import { filterPass } from "./filter-pass.js";
import { Group, groupPass } from "./group-pass.js";
import type { Pass } from "./pass.js";
import { sortPass } from "./sort-pass.js";

/** The scopes of a collection's elements, or of its groups, in the order in which they are printed. */
export type Repeater = (scope: Scope) => Scope[];

/**
 * Filter, then sort, then groupBy, then offset and limit. A path to one object repeats once, an empty value never;
 * any other value is reported as missing.
 * @throws PlatenError `invalid_definition` for what the checker refuses; when it runs, what `spend` throws
 */
export function compileRepeat(
  repeat: Repeat,
  where: string,
  types: ScopeTypes,
): Repeater {
  const { collectionId: id, groupBy } = repeat;
  const read = compileElements(repeat, where, types);
  const passes = compilePasses(repeat, where, types);
  return (scope) => {
    let elements = read(scope);
    for (const pass of passes) elements = pass(elements, scope);
    const { length } = elements;
    return elements.map((item, index) => {
      const group = groupBy && item instanceof Group ? item : null;
      return itemScope(id, scope, item, index, length, group);
    });
  };
}

function compileElements(
  { path }: Repeat,
  where: string,
  types: ScopeTypes,
): (scope: Scope) => readonly unknown[] {
  const { source, node } = parsePath(path);
  const around = {
    source,
    where,
    types,
    reach: "scope",
    isQuiet: false,
  } as const;
  const read = compilePathNode(node, around);
  return (scope) => {
    const value = read(scope);
    const elements = elementsOf(value);
    if (elements) return elements;
    const isOdd = value !== undefined && value !== null && value !== "";
    if (isOdd) scope.context.onMissing(source, where);
    return [];
  };
}

/** Iterations are spent once: on what the costly passes look at, or, when there are none, on what is printed. */
function compilePasses(
  repeat: Repeat,
  where: string,
  types: ScopeTypes,
): Pass[] {
  const { path, collectionId, filter, sort = [], groupBy } = repeat;
  const inner = elementTypes(
    parsePath(path).node,
    types,
    "scope",
    collectionId,
  );
  const setting = { where, types: inner };
  const passes: Pass[] = [];
  if (filter) passes.push(filterPass(filter, setting));
  if (sort.length > 0) passes.push(sortPass(sort, setting));
  if (groupBy) passes.push(groupPass(groupBy, setting));
  const slice = slicePass(repeat);
  return passes.length > 0 ? [spendPass, ...passes, slice] : [slice, spendPass];
}

const spendPass: Pass = (elements, { context }) => {
  context.spend(elements.length);
  return elements;
};

function slicePass({ offset = 0, limit }: Repeat): Pass {
  const end = limit === undefined ? undefined : offset + limit;
  return (elements) =>
    offset === 0 && end === undefined ? elements : elements.slice(offset, end);
}
