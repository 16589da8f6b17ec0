import type {
  ComponentOf,
  Component,
} from "../../../../core/plugin-api/definition.js";
import type { Editor } from "./editor.js";
import {
  createCopies,
  removeComponent,
  updateComponent,
  updateComponents,
} from "./edits.js";
import { type Entry, lineage, type Spot } from "./tree.js";
import { t } from "../../messages/index.js";

// Adds and deletes rows and columns of a table; keeps column widths and spans correct.

export type TableEdit =
  | "row-above"
  | "row-below"
  | "column-left"
  | "column-right"
  | "delete-row"
  | "delete-column";

/** The table, row and cell that contain a component; null outside of tables. */
export function findTablePlace(
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

/** The edits for the selected component: all for a cell, row edits for a row, and for a table appending. */
export function listTableEdits(editor: Editor, id: string): TableEdit[] {
  const place = findTablePlace(editor, id);
  if (!place) return [];
  if (!place.row) return ["row-below", "column-right"];
  const ofRow = ["row-above", "row-below", "delete-row"] as const;
  const ofColumn = ["column-left", "column-right", "delete-column"] as const;
  return place.cell ? [...ofRow, ...ofColumn] : [...ofRow];
}

/** Applies an edit as one step. Deleting the last row or column deletes the table. */
export function editTable(editor: Editor, id: string, edit: TableEdit): void {
  const place = findTablePlace(editor, id);
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
    // The draft is of the table found above.
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

/**
 * Adds a column where a new cell is dropped into a row, and selects its cell there. The cell alone would make its row longer
 * than the others. @returns false for a row without cells
 */
export function addColumn(editor: Editor, { list, index }: Spot): boolean {
  const cells = editor.tree.peek().lists.get(list)?.components ?? [];
  const beside = cells[Math.max(0, index - 1)]?.id;
  if (beside === undefined) return false;
  editTable(editor, beside, index === 0 ? "column-left" : "column-right");
  return true;
}

/**
 * Copies the column of a cell to its right as one step and selects the copy of the cell. A copy of a single cell would
 * make its row longer than the others.
 */
export function duplicateColumn(editor: Editor, cellId: string): void {
  const table = findTablePlace(editor, cellId)?.table;
  if (!table || !editor.mayEdit) return;
  const { from, to } = columnOf(gridOf(asTable(table.component)), cellId);
  const covers = (placed: Placed) => placed.from <= from && from < placed.to;
  const originals = gridOf(asTable(table.component)).flatMap(({ cells }) =>
    cells.filter(covers).map(({ cell }) => cell),
  );
  const copies = new Map(
    createCopies(editor, originals).map((copy, index) => [
      originals[index]?.id,
      copy,
    ]),
  );
  updateComponent(editor, table.id, t("editor.duplicateColumn"), (draft) => {
    // The draft is of the table found above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const changed = draft as ComponentOf<"table">;
    insertColumn(changed, to);
    for (const { cells } of gridOf(changed)) {
      const copy = copies.get(cells.find(covers)?.cell.id);
      const made = cells.find((placed) => placed.from === to);
      if (copy?.type === "table-cell" && made) setContent(made.cell, copy);
    }
  });
  const changed = editor.tree.peek().entries.get(table.id) ?? table;
  const row = gridOf(asTable(changed.component)).find(({ cells }) =>
    cells.some(({ cell }) => cell.id === cellId),
  );
  const made = row?.cells.find((placed) => placed.from === to);
  editor.selected.value = made?.cell.id ?? cellId;
}

/**
 * Deletes cells as one step and keeps their tables rectangular: rows whose cells are all given are deleted, a cell by
 * which its row is longer than another one is deleted, and other cells become empty.
 */
export function deleteCells(editor: Editor, entries: readonly Entry[]): void {
  const ids = new Set<string | undefined>(entries.map(({ id }) => id));
  const tables = new Set(
    entries.flatMap(({ id }) => findTablePlace(editor, id)?.table.id ?? []),
  );
  const isWhole = ({ cells }: GridRow) =>
    cells.length > 0 && cells.every(({ cell }) => ids.has(cell.id));
  updateComponents(editor, [...tables], t("editor.deleteCells"), (draft) => {
    // The draft is of a table found above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const table = draft as ComponentOf<"table">;
    const grid = gridOf(table);
    const width = Math.min(...grid.map(endOf));
    const keepsRows = grid.every(isWhole);
    for (const row of grid) {
      if (isWhole(row) && !keepsRows) {
        deleteRow(table, row.row.id ?? "");
        continue;
      }
      let extra = endOf(row) - width;
      for (const { cell, list, from, to } of row.cells.toReversed()) {
        if (!ids.has(cell.id)) continue;
        if (to - from <= extra) {
          list.splice(list.indexOf(cell), 1);
          extra -= to - from;
        } else setContent(cell, { type: "table-cell", text: "" });
      }
    }
  });
  const left = entries.filter(({ id }) => editor.tree.peek().entries.has(id));
  const [table = null] = tables;
  if (left.length > 0) editor.selected.replace(left.map(({ id }) => id));
  else editor.selected.value = table;
}

/**
 * Replaces the content of the selected cell and of those to its right by that of other cells, as one step.
 * @returns how many cells were filled; 0 if no row or cell is selected or if these are not all cells
 */
export function fillCells(
  editor: Editor,
  components: readonly Component[],
): number {
  const place = findTablePlace(editor, editor.selected.peek() ?? "");
  const sources = createCopies(editor, components).flatMap((copy) =>
    copy.type === "table-cell" ? [copy] : [],
  );
  if (!place?.row || sources.length < components.length) return 0;
  const { table, row, cell } = place;
  const grid = gridOf(asTable(table.component));
  const cells =
    grid
      .find((gridRow) => gridRow.row.id === row.id)
      ?.cells.map((placed) => placed.cell) ?? [];
  const start = cell ? cells.findIndex(({ id }) => id === cell.id) : 0;
  const targets = cells.slice(start, start + sources.length);
  const ids = targets.flatMap(({ id }) => id ?? []);
  updateComponents(editor, ids, t("arrange.paste"), (draft) => {
    const source = sources[ids.indexOf(draft.id ?? "")];
    if (draft.type === "table-cell" && source) setContent(draft, source);
  });
  editor.selected.replace(ids);
  return ids.length;
}

/** A cell keeps its id and its spans. */
function setContent(cell: Cell, { text, components, ...rest }: Cell): void {
  delete cell.text;
  delete cell.components;
  if (text !== undefined) cell.text = text;
  if (components) cell.components = components;
  const {
    type: _type,
    id: _id,
    colspan: _columns,
    rowspan: _rows,
    ...look
  } = rest;
  Object.assign(cell, look);
}

/** The column after the last cell of a row. */
function endOf({ cells, reaching }: GridRow): number {
  return Math.max(0, ...[...cells, ...reaching].map(({ to }) => to));
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
  "row-above": t("editor.addRow"),
  "row-below": t("editor.addRow"),
  "column-left": t("editor.addColumn"),
  "column-right": t("editor.addColumn"),
  "delete-row": t("edits.deleteRow"),
  "delete-column": t("edits.deleteColumn"),
};

/** Selects what was added, or what replaced what was deleted. */
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
  const holds = (place: ColumnPlace) =>
    place.from <= column && column < place.to;
  const cell = row?.cells.find(holds) ?? row?.cells.at(-1);
  const next = was.isCell ? (cell?.cell.id ?? row?.row.id) : row?.row.id;
  editor.selected.value = next ?? tableId;
}

/** The columns that a cell spans; without a cell, the last column. */
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

type Table = ComponentOf<"table">;

/** Adds an empty row with cells like those of its neighbor. Cells that span the place grow by one row. */
function insertRow(
  table: Table,
  rowId: string,
  where: "above" | "below",
): Row | null {
  const grid = gridOf(table);
  const at = grid.findIndex(({ row }) => row.id === rowId);
  const beside = grid[at];
  if (!beside) return null;
  const over =
    where === "above" ? beside.reaching : (grid[at + 1]?.reaching ?? []);
  for (const { cell } of over) cell.rowspan = (cell.rowspan ?? 1) + 1;
  const made = createRowLike(beside, over, widthOf(grid));
  if (where === "above" && beside.row.header) made.header = true;
  const index = beside.list.indexOf(beside.row);
  beside.list.splice(where === "above" ? index : index + 1, 0, made);
  return made;
}

/** Cells that start in the row and span more rows move to the next row; those that reach into it shrink. */
function deleteRow(table: Table, rowId: string): void {
  const grid = gridOf(table);
  const at = grid.findIndex(({ row }) => row.id === rowId);
  const gone = grid[at];
  if (!gone) return;
  for (const { cell } of gone.reaching)
    setRowspan(cell, (cell.rowspan ?? 1) - 1);
  const next = grid[at + 1];
  if (next)
    for (const placed of gone.cells)
      if ((placed.cell.rowspan ?? 1) > 1) moveToNextRow(placed, next);
  gone.list.splice(gone.list.indexOf(gone.row), 1);
}

function createRowLike(
  { cells }: GridRow,
  over: readonly Placed[],
  width: number,
): Row {
  const components: Row["components"] = [];
  for (let column = 0; column < width;) {
    const here = column;
    const holds = ({ from, to }: Placed) => from <= here && here < to;
    const covering = over.find(holds);
    const like = cells.find(holds);
    if (!covering) {
      const span = like ? like.to - like.from : 1;
      const made = emptyCell(like?.cell);
      components.push(span > 1 ? { ...made, colspan: span } : made);
    }
    column = covering?.to ?? like?.to ?? column + 1;
  }
  return { type: "table-row", id: crypto.randomUUID(), components };
}

function moveToNextRow({ cell, from }: Placed, next: GridRow): void {
  setRowspan(cell, (cell.rowspan ?? 1) - 1);
  const follower = next.cells.find((placed) => placed.from > from);
  const list = follower?.list ?? next.row.components;
  const index = follower ? list.indexOf(follower.cell) : list.length;
  list.splice(index, 0, cell);
}

function setRowspan(cell: ComponentOf<"table-cell">, rows: number): void {
  if (rows > 1) cell.rowspan = rows;
  else delete cell.rowspan;
}

/** Inserts an empty column before column `at`, counted from 0. Cells that span the place grow by one. */
function insertColumn(table: Table, at: number): void {
  for (const row of gridOf(table)) insertCell(row, at);
  const { columns } = table;
  if (!columns) return;
  const shares = percentages(columns);
  const beside = columns[at] ?? columns[at - 1];
  const { align } = beside ?? {};
  columns.splice(at, 0, align ? { align } : {});
  if (shares) share(columns, at, shares);
}

/** Cells that span the column shrink by one. */
function deleteColumn(table: Table, at: number): void {
  const done = new Set<object>();
  for (const { cells } of gridOf(table))
    for (const { cell, list, from, to } of cells) {
      if (at < from || at >= to || done.has(cell)) continue;
      done.add(cell);
      if (to - from > 1) setColspan(cell, to - from - 1);
      else list.splice(list.indexOf(cell), 1);
    }
  const { columns } = table;
  if (!columns || at >= columns.length) return;
  const shares = percentages(columns);
  columns.splice(at, 1);
  if (shares) grow(columns, total(shares));
}

function insertCell({ row, cells, reaching }: GridRow, at: number): void {
  const spans = ({ from, to }: { from: number; to: number }) =>
    from < at && at < to;
  if (reaching.some(spans)) return;
  const spanning = cells.find(spans);
  if (spanning) {
    setColspan(spanning.cell, spanning.to - spanning.from + 1);
    return;
  }
  const next = cells.find(({ from }) => from >= at);
  const last = cells.findLast(({ to }) => to <= at);
  const made = emptyCell((last ?? next)?.cell);
  if (next) next.list.splice(next.list.indexOf(next.cell), 0, made);
  else (last?.list ?? row.components).push(made);
}

function setColspan(cell: ComponentOf<"table-cell">, span: number): void {
  if (span > 1) cell.colspan = span;
  else delete cell.colspan;
}

/** Columns of a table, or column components. */
type Columns = { width?: string | undefined }[];

/** Null unless every column has a width in percent. */
export function percentages(columns: Columns): number[] | null {
  const shares = columns.map(({ width }) =>
    width?.endsWith("%") ? Number(width.slice(0, -1)) : NaN,
  );
  const isWhole = shares.length > 0 && !shares.some(Number.isNaN);
  return isWhole ? shares : null;
}

/** The new column gets an equal share; the others keep their proportions. */
function share(columns: Columns, at: number, before: number[]): void {
  const sum = total(before);
  const equalShare = sum / columns.length;
  columns[at] = { ...columns[at], width: percent(equalShare) };
  const others = columns.filter((_, index) => index !== at);
  grow(others, sum - equalShare);
}

/** Changes widths in percent so that they add up to `sum` in the same proportions. */
export function grow(columns: Columns, sum: number): void {
  const shares = percentages(columns);
  if (!shares || total(shares) === 0) return;
  for (const [index, column] of columns.entries())
    column.width = percent(((shares[index] ?? 0) * sum) / total(shares));
}

export function total(shares: readonly number[]): number {
  return shares.reduce((sum, percentage) => sum + percentage, 0);
}

export function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`;
}

/** An empty cell with the style of its neighbor. */
function emptyCell(like: Cell | undefined): Cell {
  return {
    type: "table-cell",
    id: crypto.randomUUID(),
    text: "",
    ...(like?.class !== undefined && { class: like.class }),
    ...(like?.style && { style: { ...like.style } }),
    ...(like?.align && { align: like.align }),
  };
}

type Row = ComponentOf<"table-row">;
type Cell = ComponentOf<"table-cell">;

/** A cell and its columns: from `from` up to but excluding `to`, counted from 0. */
interface Placed {
  cell: Cell;
  /** The list that contains the cell. */
  list: Component[];
  from: number;
  to: number;
}

/** A row with its own cells and those of rows above that span into it. */
interface GridRow {
  row: Row;
  list: Component[];
  cells: Placed[];
  reaching: Placed[];
}

/** The rows of a table, including those of groups and alternatives, with the columns of their cells. */
export function gridOf(table: ComponentOf<"table">): GridRow[] {
  let open: { placed: Placed; rows: number }[] = [];
  return rowsIn(table.components).map(({ row, list }) => {
    const reaching = open.map(({ placed }) => placed);
    const cells = placeCells(row, reaching);
    const begun = cells.map((placed) => ({
      placed,
      rows: placed.cell.rowspan ?? 1,
    }));
    open = [...open, ...begun].flatMap((span) =>
      span.rows > 1 ? [{ ...span, rows: span.rows - 1 }] : [],
    );
    return { row, list, cells, reaching };
  });
}

export function countColumns(table: ComponentOf<"table">): number {
  return widthOf(gridOf(table));
}

function widthOf(grid: readonly GridRow[]): number {
  const ends = grid.flatMap(({ cells }) => cells.map(({ to }) => to));
  return Math.max(0, ...ends);
}

function placeCells(row: Row, reaching: readonly Placed[]): Placed[] {
  let column = 0;
  return cellsIn(row.components).map(({ cell, list }) => {
    const taken = () =>
      reaching.find(({ from, to }) => from <= column && column < to);
    for (let occupant = taken(); occupant; occupant = taken())
      column = occupant.to;
    const from = column;
    column += cell.colspan ?? 1;
    return { cell, list, from, to: column };
  });
}

function rowsIn(list: Component[]): { row: Row; list: Component[] }[] {
  return list.flatMap((component) => [
    ...(component.type === "table-row" ? [{ row: component, list }] : []),
    ...(component.type === "fragment" ? rowsIn(component.components) : []),
    ...rowsIn(component.condition?.else ?? []),
    ...rowsIn(component.collection?.empty ?? []),
  ]);
}

function cellsIn(list: Component[]): { cell: Cell; list: Component[] }[] {
  return list.flatMap((component) => {
    if (component.type === "table-cell") return [{ cell: component, list }];
    return component.type === "fragment" ? cellsIn(component.components) : [];
  });
}
