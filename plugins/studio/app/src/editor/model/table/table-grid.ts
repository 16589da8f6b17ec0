import type {
  Component,
  ComponentOf,
} from "../../../../../../../core/plugin-api/definition.js";

type Row = ComponentOf<"table-row">;
type Cell = ComponentOf<"table-cell">;

/** A cell where it stands: from column `from` up to but not with `to`, both counted from 0. */
export interface Placed {
  cell: Cell;
  /** The list that holds the cell. */
  list: Component[];
  from: number;
  to: number;
}

/** A row with its own cells, and those of rows above that reach into it. */
export interface GridRow {
  row: Row;
  list: Component[];
  cells: Placed[];
  reaching: Placed[];
}

/** The rows of a table, those of its groups and alternatives among them, and which columns their cells take. */
export function gridOf(table: ComponentOf<"table">): GridRow[] {
  let open: { placed: Placed; rows: number }[] = [];
  return rowsIn(table.components).map(({ row, list }) => {
    const reaching = open.map(({ placed }) => placed);
    const cells = place(row, reaching);
    const begun = cells.map((placed) => ({
      placed,
      rows: placed.cell.rowspan ?? 1,
    }));
    open = [...open, ...begun].flatMap((one) =>
      one.rows > 1 ? [{ ...one, rows: one.rows - 1 }] : [],
    );
    return { row, list, cells, reaching };
  });
}

/** How many columns a table has. */
export function widthOf(grid: readonly GridRow[]): number {
  const ends = grid.flatMap(({ cells }) => cells.map(({ to }) => to));
  return Math.max(0, ...ends);
}

function place(row: Row, reaching: readonly Placed[]): Placed[] {
  let column = 0;
  return cellsIn(row.components).map(({ cell, list }) => {
    const taken = () =>
      reaching.find(({ from, to }) => from <= column && column < to);
    for (let one = taken(); one; one = taken()) column = one.to;
    const from = column;
    column += cell.colspan ?? 1;
    return { cell, list, from, to: column };
  });
}

function rowsIn(list: Component[]): { row: Row; list: Component[] }[] {
  return list.flatMap((one) => [
    ...(one.type === "table-row" ? [{ row: one, list }] : []),
    ...(one.type === "fragment" ? rowsIn(one.components) : []),
    ...rowsIn(one.condition?.else ?? []),
    ...rowsIn(one.collection?.empty ?? []),
  ]);
}

function cellsIn(list: Component[]): { cell: Cell; list: Component[] }[] {
  return list.flatMap((one) => {
    if (one.type === "table-cell") return [{ cell: one, list }];
    return one.type === "fragment" ? cellsIn(one.components) : [];
  });
}
