import type { ComponentOf } from "../../../../../../core/contract/definition.js";
import { removeComponent, updateComponent } from "./edits.js";
import type { Editor } from "./editor.js";
import { deleteColumn, insertColumn } from "./table/table-columns.js";
import { gridOf, widthOf } from "./table/table-grid.js";
import { deleteRow, insertRow } from "./table/table-rows.js";
import { type Entry, lineage } from "./tree.js";

// Rows and columns of a table as wholes: widths, and cells that span several, stay right.

export type TableEdit =
  | "row-above"
  | "row-below"
  | "column-left"
  | "column-right"
  | "delete-row"
  | "delete-column";

/** The table around a component, and which of its rows and cells it is or is in; null outside of tables. */
export function tablePlace(
  editor: Editor,
  id: string,
): { table: Entry; row: Entry | null; cell: Entry | null } | null {
  const around = lineage(editor.tree.value, id);
  const at = around.findLastIndex(
    ({ component }) => component.type === "table",
  );
  const table = around[at];
  if (!table) return null;
  const inner = around.slice(at + 1);
  const first = (type: string) =>
    inner.find(({ component }) => component.type === type) ?? null;
  return { table, row: first("table-row"), cell: first("table-cell") };
}

/** Which edits there are for what is selected: rows need a row, columns a cell. */
export function tableEdits(editor: Editor, id: string): TableEdit[] {
  const place = tablePlace(editor, id);
  return [
    ...(place?.row ? (["row-above", "row-below", "delete-row"] as const) : []),
    ...(place?.cell
      ? (["column-left", "column-right", "delete-column"] as const)
      : []),
  ];
}

/** Does it, as one step; with its last row or column the table goes too. */
export function editTable(editor: Editor, id: string, edit: TableEdit): void {
  const place = tablePlace(editor, id);
  if (!place || !editor.mayEdit) return;
  const { table, row, cell } = place;
  const component = asTable(table.component);
  const grid = gridOf(component);
  const at = columnOf(component, cell?.id);
  const isLast =
    (edit === "delete-row" && grid.length === 1) ||
    (edit === "delete-column" && widthOf(grid) === 1);
  if (isLast) {
    removeComponent(editor, table.id);
    return;
  }
  const index = row ? grid.findIndex((one) => one.row.id === row.id) : -1;
  updateComponent(editor, table.id, names[edit], (draft) => {
    // The draft is of the component that was looked at just now.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const changed = draft as ComponentOf<"table">;
    if (row && edit === "row-above") insertRow(changed, row.id, "above");
    if (row && edit === "row-below") insertRow(changed, row.id, "below");
    if (row && edit === "delete-row") deleteRow(changed, row.id);
    if (edit === "column-left") insertColumn(changed, at.from);
    if (edit === "column-right") insertColumn(changed, at.to);
    if (edit === "delete-column") deleteColumn(changed, at.from);
  });
  select(editor, table.id, { index, column: at, edit, isCell: cell !== null });
}

const names: Readonly<Record<TableEdit, string>> = {
  "row-above": "Add a row",
  "row-below": "Add a row",
  "column-left": "Add a column",
  "column-right": "Add a column",
  "delete-row": "Delete a row",
  "delete-column": "Delete a column",
};

/** What is new, or took the place of what is gone. */
function select(
  editor: Editor,
  tableId: string,
  was: {
    index: number;
    column: { from: number; to: number };
    edit: TableEdit;
    isCell: boolean;
  },
): void {
  const table = editor.tree.peek().entries.get(tableId);
  if (!table) return;
  const grid = gridOf(asTable(table.component));
  const step = was.edit === "row-below" ? 1 : 0;
  const row = grid[Math.min(was.index + step, grid.length - 1)];
  const column = was.edit === "column-right" ? was.column.to : was.column.from;
  const holds = (one: { from: number; to: number }) =>
    one.from <= column && column < one.to;
  const cell = row?.cells.find(holds) ?? row?.cells.at(-1);
  const next = was.isCell ? (cell?.cell.id ?? row?.row.id) : row?.row.id;
  editor.selected.value = next ?? tableId;
}

function columnOf(
  table: ComponentOf<"table">,
  cellId: string | undefined,
): { from: number; to: number } {
  const cells = gridOf(table).flatMap((row) => row.cells);
  return cells.find(({ cell }) => cell.id === cellId) ?? { from: 0, to: 0 };
}

function asTable(component: Entry["component"]): ComponentOf<"table"> {
  // Found by its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return component as ComponentOf<"table">;
}
