import type { ComponentType, Component } from "./component-schema.js";

// Rules about where components are allowed.

/** A map because the checker looks up unknown types, such as "constructor". */
type Family = ReadonlyMap<ComponentType, readonly ComponentType[]>;

/** Components that are only allowed in these parents; a fragment accepts what its own parent accepts. */
export const REQUIRED_PARENTS: Family = new Map([
  ["column", ["columns", "section"]],
  ["list-item", ["list"]],
  ["table-row", ["table"]],
  ["table-cell", ["table-row"]],
]);

/** Components that are only allowed at the top level of the body, or in a container there. */
export const TOP_LEVEL: ReadonlySet<ComponentType> = new Set([
  "section",
  "hero",
  "preheader",
]);

/** Parents that only accept these children. */
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

/** Components that are only allowed in headers and footers. */
export const BAND_ONLY: ReadonlySet<ComponentType> = new Set<ComponentType>([
  "page-number",
]);

/** Components that are not allowed in headers and footers, which every page repeats. */
export const BODY_ONLY: ReadonlySet<ComponentType> = new Set<ComponentType>([
  "page-break",
  "sign-field",
]);

/** Whether the number of occurrences of a column depends on the record. The widths of its row then depend on it too. */
export function isVariableColumn(
  child: Component,
  parent: Component | undefined,
): boolean {
  const isRow = parent?.type === "section" || parent?.type === "columns";
  return (
    isRow && (child.collection !== undefined || child.condition !== undefined)
  );
}

/** Whether a list of components contains such a column at any depth. */
export function hasVariableColumn(
  list: readonly Component[],
  parent?: Component,
): boolean {
  return list.some(
    (child) =>
      isVariableColumn(child, parent) ||
      (child.type === "markup" && VARIABLE_COLUMN.test(child.mjml ?? "")) ||
      ("components" in child &&
        hasVariableColumn(child.components ?? [], child)),
  );
}

/** A column of MJML with a directive, or a wrapper around columns. */
const VARIABLE_COLUMN =
  /<mj-(?:column|group)\b[^<>]*\sdata-(?:each|if|else|else-if|empty)\b|<template\b[^<>]*>\s*<mj-(?:column|group)\b/i;
