import type { Component } from "./component-schema.js";

/**
 * A child of a row of columns that is there or not, or several times, as the record has it. Its row's widths
 * depend on the record then.
 */
export function isVariableColumn(
  child: Component,
  parent: Component | undefined,
): boolean {
  const isRow = parent?.type === "section" || parent?.type === "columns";
  return (
    isRow && (child.collection !== undefined || child.condition !== undefined)
  );
}

/** Whether a list of components, or what is in them, has such a child. */
export function hasVariableColumn(
  list: readonly Component[],
  parent?: Component,
): boolean {
  return list.some(
    (child) =>
      isVariableColumn(child, parent) ||
      ("components" in child &&
        hasVariableColumn(child.components ?? [], child)),
  );
}
