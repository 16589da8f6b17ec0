import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { emptyCell } from "./table-cells.js";
import { gridOf, type GridRow, type Placed, widthOf } from "./table-grid.js";

type Table = ComponentOf<"table">;
type Row = ComponentOf<"table-row">;

/** Puts an empty row beside one, with cells as wide and as styled as its own. Cells that reach over the place grow by one. */
export function insertRow(
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
  const made = rowLike(beside, over, widthOf(grid));
  if (where === "above" && beside.row.header) made.header = true;
  const index = beside.list.indexOf(beside.row);
  beside.list.splice(where === "above" ? index : index + 1, 0, made);
  return made;
}

/** Takes a row away. Cells that reach down from it begin in the next row, those that reach into it shrink. */
export function deleteRow(table: Table, rowId: string): void {
  const grid = gridOf(table);
  const at = grid.findIndex(({ row }) => row.id === rowId);
  const gone = grid[at];
  if (!gone) return;
  for (const { cell } of gone.reaching) setRows(cell, (cell.rowspan ?? 1) - 1);
  const next = grid[at + 1];
  if (next)
    for (const placed of gone.cells)
      if ((placed.cell.rowspan ?? 1) > 1) handDown(placed, next);
  gone.list.splice(gone.list.indexOf(gone.row), 1);
}

function rowLike(
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

function handDown({ cell, from }: Placed, next: GridRow): void {
  setRows(cell, (cell.rowspan ?? 1) - 1);
  const follower = next.cells.find((one) => one.from > from);
  const list = follower?.list ?? next.row.components;
  const index = follower ? list.indexOf(follower.cell) : list.length;
  list.splice(index, 0, cell);
}

function setRows(cell: ComponentOf<"table-cell">, rows: number): void {
  if (rows > 1) cell.rowspan = rows;
  else delete cell.rowspan;
}
