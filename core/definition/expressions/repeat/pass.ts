import type { ScopeTypes } from "../schema/scope-types.js";
import { itemScope } from "../scope/item-scope.js";
import type { Scope } from "../types.js";

/** One step of a collection's work: takes the elements of `scope` and gives those that go on. */
export type Pass = (
  elements: readonly unknown[],
  scope: Scope,
) => readonly unknown[];

/** What a pass is compiled for: the collection's id and the types inside its elements. */
export interface PassSetting {
  readonly where: string;
  readonly types: ScopeTypes;
}

/** What an expression says of each element. */
export function evaluateEach<T>(
  elements: readonly unknown[],
  scope: Scope,
  id: string,
  read: (inner: Scope) => T,
): T[] {
  const { length } = elements;
  return elements.map((element, index) =>
    read(itemScope(id, scope, element, index, length)),
  );
}
