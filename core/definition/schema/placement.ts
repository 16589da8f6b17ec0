import type { ComponentType, Component } from "./component-schema.js";

// Where a component may stand.

/** A map and no object: the checker asks for types that are not known, such as "constructor". */
type Family = ReadonlyMap<ComponentType, readonly ComponentType[]>;

/** Children that only these parents take; a fragment passes on what its own parent takes. */
export const REQUIRED_PARENTS: Family = new Map([
  ["column", ["columns", "section"]],
  ["list-item", ["list"]],
  ["table-row", ["table"]],
  ["table-cell", ["table-row"]],
]);

/** Children that stand at the top of the body, or in a container there. */
export const TOP_LEVEL: ReadonlySet<ComponentType> = new Set([
  "section",
  "hero",
  "preheader",
]);

/** Parents that take nothing but these children. */
export const ALLOWED_CHILDREN: Family = new Map([
  ["columns", ["column"]],
  ["section", ["column"]],
  ["list", ["list-item"]],
  ["table", ["table-row"]],
  ["table-row", ["table-cell"]],
]);

export const DOCUMENT_ONLY: ReadonlySet<ComponentType> = new Set([
  "page-break",
  "page-number",
  "sign-field",
]);

export const EMAIL_ONLY: ReadonlySet<ComponentType> = new Set([
  "section",
  "hero",
  "social",
  "preheader",
]);

/** Only headers and footers have these: elsewhere there are no page numbers. */
export const BAND_ONLY: ReadonlySet<ComponentType> = new Set<ComponentType>([
  "page-number",
]);

/** Headers and footers, which every page has again, have none of these. */
export const BODY_ONLY: ReadonlySet<ComponentType> = new Set<ComponentType>([
  "page-break",
  "sign-field",
]);

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
