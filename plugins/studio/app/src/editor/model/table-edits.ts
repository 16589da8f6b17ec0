import type { ComponentOf } from "../../../../../../core/plugin-api/definition.js";
import { removeComponent, updateComponent } from "./edits.js";
import type { Editor } from "./editor.js";
import { deleteColumn, insertColumn } from "./table/table-columns.js";
import { gridOf, type GridRow, widthOf } from "./table/table-grid.js";
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

/** Which edits there are for what is selected: a row has those of rows, a cell all, a table grows at its ends. */
export function tableEdits(editor: Editor, id: string): TableEdit[] {
  const place = tablePlace(editor, id);
  if (!place) return [];
  if (!place.row) return ["row-below", "column-right"];
  const ofRow = ["row-above", "row-below", "delete-row"] as const;
  const ofColumn = ["column-left", "column-right", "delete-column"] as const;
  return place.cell ? [...ofRow, ...ofColumn] : [...ofRow];
}

/** Does it, as one step; with its last row or column the table goes too. */
export function editTable(editor: Editor, id: string, edit: TableEdit): void {
  const place = tablePlace(editor, id);
  if (!place || !editor.mayEdit) return;
  const { table, cell } = place;
  const grid = gridOf(asTable(table.component));
  const rowId = place.row?.id ?? grid.at(-1)?.row.id ?? "";
  const isLast =
    (edit === "delete-row" && grid.length === 1) ||
    (edit === "delete-column" && widthOf(grid) === 1);
  if (isLast) {
    removeComponent(editor, table.id);
    return;
  }
  const at = columnOf(grid, cell?.id);
  const index = grid.findIndex(({ row }) => row.id === rowId);
  updateComponent(editor, table.id, names[edit], (draft) => {
    // The draft is of the component that was looked at just now.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    change(draft as ComponentOf<"table">, edit, rowId, at);
  });
  if (place.row)
    select(editor, table.id, {
      index,
      column: at,
      edit,
      isCell: cell !== null,
    });
}

interface ColumnPlace {
  from: number;
  to: number;
}

function change(
  table: ComponentOf<"table">,
  edit: TableEdit,
  rowId: string,
  { from, to }: ColumnPlace,
): void {
  const edits: Record<TableEdit, () => void> = {
    "row-above": () => insertRow(table, rowId, "above"),
    "row-below": () => insertRow(table, rowId, "below"),
    "delete-row": () => deleteRow(table, rowId),
    "column-left": () => insertColumn(table, from),
    "column-right": () => insertColumn(table, to),
    "delete-column": () => deleteColumn(table, from),
  };
  edits[edit]();
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
    column: ColumnPlace;
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
  const holds = (one: ColumnPlace) => one.from <= column && column < one.to;
  const cell = row?.cells.find(holds) ?? row?.cells.at(-1);
  const next = was.isCell ? (cell?.cell.id ?? row?.row.id) : row?.row.id;
  editor.selected.value = next ?? tableId;
}

/** The columns of a cell; without one, the last column. */
function columnOf(
  grid: readonly GridRow[],
  cellId: string | undefined,
): ColumnPlace {
  const cells = grid.flatMap((row) => row.cells);
  const to = widthOf(grid);
  return (
    cells.find(({ cell }) => cell.id === cellId) ?? {
      from: Math.max(0, to - 1),
      to,
    }
  );
}

function asTable(component: Entry["component"]): ComponentOf<"table"> {
  // Found by its type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return component as ComponentOf<"table">;
}
