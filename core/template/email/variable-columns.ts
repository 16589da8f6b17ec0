import type { Component } from "../definition/component-schema.js";

/**
 * MJML computes the widths of a row's columns from how many there are. Where that depends on the record, the
 * email has to be laid out for each one, which is slower.
 */
export function variableColumns(components: readonly Component[]): Component[] {
  return components.flatMap((component) => {
    const below = "components" in component ? (component.components ?? []) : [];
    const own =
      component.type === "section" || component.type === "columns"
        ? below.filter(isVariable)
        : [];
    return [...own, ...variableColumns(below)];
  });
}

function isVariable(child: Component): boolean {
  return child.collection !== undefined || child.condition !== undefined;
}
