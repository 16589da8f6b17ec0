import type { Component } from "../../../../core/plugin-api/definition.js";
import type { Editor } from "../model/editor.js";
import { gridOf } from "../model/table-edits.js";
import { lineage } from "../model/tree.js";
import { type Box, findElement, getRects } from "./boxes.js";

/** Columns that are side by side, as they are laid out: of a table, of columns or of a section. */
export interface ColumnRow {
  ownerId: string;
  /** Where each column starts and ends in the window, in px, in the order of the columns. */
  columns: readonly { start: number; end: number }[];
  /** The boxes of the owner in the window, one for each page. */
  rects: readonly Box[];
  isMirrored: boolean;
}

/** The tables and columns around a component whose columns can be resized, the outermost first. */
export function listResizableRows(
  editor: Editor,
  place: Element,
  id: string,
): ColumnRow[] {
  return lineage(editor.tree.peek(), id).flatMap(
    (entry) => measureColumnRow(editor, place, entry.id) ?? [],
  );
}

/** Null for other components, and for columns that are not side by side or whose number depends on the data. */
export function measureColumnRow(
  editor: Editor,
  place: Element,
  ownerId: string,
): ColumnRow | null {
  const component = editor.tree.peek().entries.get(ownerId)?.component;
  const element = component && findElement(place, ownerId);
  if (!element) return null;
  const isMirrored = getComputedStyle(element).direction === "rtl";
  const toColumn = ({ left, width }: Box) =>
    isMirrored
      ? { start: left + width, end: left }
      : { start: left, end: left + width };
  const columns =
    component.type === "table"
      ? measureTable(component, element, toColumn)
      : measureColumns(component, element, toColumn);
  if (columns === null || columns.length < 2) return null;
  return { ownerId, columns, rects: getRects(element), isMirrored };
}

type ToColumn = (box: Box) => { start: number; end: number };

function measureTable(
  table: Extract<Component, { type: "table" }>,
  element: Element,
  toColumn: ToColumn,
): ColumnRow["columns"] | null {
  const edges: number[] = [];
  for (const { cells } of gridOf(table))
    for (const { cell, from, to } of cells) {
      if (edges[from] !== undefined && edges[to] !== undefined) continue;
      const drawn = findElement(element, cell.id ?? "");
      const [box] = drawn ? getRects(drawn) : [];
      if (!box) continue;
      const { start, end } = toColumn(box);
      edges[from] ??= start;
      edges[to] ??= end;
    }
  const columns = edges.slice(1).map((end, index) => ({
    start: edges[index],
    end,
  }));
  // A column that no cell has for itself has no edge.
  return columns.every(isMeasured) ? columns : null;
}

function isMeasured(column: {
  start: number | undefined;
  end: number | undefined;
}): column is { start: number; end: number } {
  return column.start !== undefined && column.end !== undefined;
}

function measureColumns(
  component: Component,
  element: Element,
  toColumn: ToColumn,
): ColumnRow["columns"] | null {
  if (component.type !== "columns" && component.type !== "section") return null;
  const boxes: Box[] = [];
  for (const column of component.components) {
    const drawn = findElement(element, column.id ?? "");
    const [box] = drawn ? getRects(drawn) : [];
    const isFixed = column.type === "column" && !column.collection;
    if (!isFixed || !box) return null;
    boxes.push(box);
  }
  const columns = boxes.map(toColumn);
  const isSideBySide = boxes.every(({ left, width }, index) => {
    const next = boxes[index + 1];
    return (
      !next ||
      next.left >= left + width - 1 ||
      left >= next.left + next.width - 1
    );
  });
  return isSideBySide ? columns : null;
}

export function getLengths({ columns }: ColumnRow): number[] {
  return columns.map(({ start, end }) => Math.abs(end - start));
}

/** Where the boundary after a column is, in px of the window. */
export function getBoundary({ columns }: ColumnRow, index: number): number {
  const end = columns[index]?.end ?? 0;
  return (end + (columns[index + 1]?.start ?? end)) / 2;
}

/** How many px of the window a px of the sheet has. */
export function getScale(element: Element): number {
  const unscaled = getComputedStyle(element).getPropertyValue("--unscaled");
  return 1 / (Number(unscaled) || 1);
}
