import type { Aggregate } from "../function/aggregates.js";
import {
  aggregateField,
  checkAggregateCall,
} from "../function/checked-aggregate.js";
import type { CallNode, PathNode } from "../parse/ast.js";
import { elementTypes } from "../schema/element-types.js";
import { resolvePath } from "../schema/resolve-path.js";
import { itemScope } from "../scope/item-scope.js";
import { findScope } from "../scope/root-scope.js";
import type { Scope } from "../types.js";
import { elementsOf, isList, readKeys } from "../value/own-data.js";
import type { CompileNode } from "./compile-call.js";
import { quietly, type Evaluator, type Surroundings } from "./evaluator.js";

/** @throws PlatenError `invalid_definition` for wrong arguments. */
export function compileAggregate(
  aggregate: Aggregate,
  node: CallNode,
  around: Surroundings,
  compileNode: CompileNode,
): Evaluator {
  const list = checkAggregateCall(node, around.source, aggregate);
  const readList = compileNode(list, around);
  if (!aggregate.takesField) {
    return (scope) => elementsOf(readList(scope))?.length ?? 0;
  }
  const field = compileField(node, list, around, compileNode);
  const compute: Evaluator = (scope) => {
    const elements = elementsOf(readList(scope)) ?? [];
    scope.context.spend(elements.length);
    const values = flattened(field.read(elements, scope), scope);
    return aggregate.of(values, scope.context);
  };
  const owner = field.isOfItem ? outerScope(list, around) : null;
  return owner === null ? compute : oncePerScope(compute, owner);
}

/** A field that crosses a collection has many values in one element. */
function flattened(values: readonly unknown[], scope: Scope) {
  if (!values.some(isList)) return values;
  const all = values.flat();
  scope.context.spend(all.length);
  return all;
}

interface CompiledField {
  read(elements: readonly unknown[], scope: Scope): readonly unknown[];
  /** True when the field is read from the element and from nothing else. */
  readonly isOfItem: boolean;
}

/** The field in each element; without a field, the elements themselves. */
function compileField(
  node: CallNode,
  list: PathNode,
  around: Surroundings,
  compileNode: CompileNode,
): CompiledField {
  const field = aggregateField(node, around.source);
  if (!field) return { read: (elements) => elements, isOfItem: true };
  const types = elementTypes(list, around.types, around.reach, "");
  const { source, node: inner } = field;
  const path = inner.kind === "path" ? resolvePath(inner, types, "item") : null;
  if (path?.start.from === "item") return itemField(path.keys);
  const inside = { ...around, source, types, reach: "item" } as const;
  return scopedField(compileNode(inner, quietly(inside)));
}

function itemField(keys: readonly string[]): CompiledField {
  return {
    read: (elements, { context }) =>
      elements.map((element) => readKeys(element, keys, context)),
    isOfItem: true,
  };
}

/** An expression on each element, which may look at the scopes around. */
function scopedField(value: Evaluator): CompiledField {
  return {
    read: (elements, scope) =>
      elements.map((element, index) =>
        value(itemScope("", scope, element, index, elements.length)),
      ),
    isOfItem: false,
  };
}

/** The scope, other than the innermost, that the list is read from. */
function outerScope(list: PathNode, around: Surroundings): string | null {
  const start = resolvePath(list, around.types, around.reach)?.start;
  return start?.from === "scope" && start.id !== around.types.id
    ? start.id
    : null;
}

/** A total over an outer scope is the same for every element inside it, and is computed once. */
function oncePerScope(compute: Evaluator, id: string): Evaluator {
  const known = new WeakMap<Scope, unknown>();
  return (scope) => {
    const owner = findScope(scope, id) ?? scope;
    if (!known.has(owner)) known.set(owner, compute(scope));
    return known.get(owner);
  };
}
