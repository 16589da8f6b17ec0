import type { ComponentOf } from "../../../../../../../core/plugin-api/definition.js";
import { gridOf, type GridRow } from "./table-grid.js";
import { emptyCell } from "./table-cells.js";

type Table = ComponentOf<"table">;

/** Puts an empty column before the column `at`, counted from 0. Cells that span the place grow by one. */
export function insertColumn(table: Table, at: number): void {
  for (const row of gridOf(table)) insertCell(row, at);
  const { columns } = table;
  if (!columns) return;
  const shares = percentages(columns);
  const beside = columns[at] ?? columns[at - 1];
  const { align } = beside ?? {};
  columns.splice(at, 0, align ? { align } : {});
  if (shares) share(columns, at, shares);
}

/** Takes a column away. Cells that span it shrink by one. */
export function deleteColumn(table: Table, at: number): void {
  const done = new Set<object>();
  for (const { cells } of gridOf(table))
    for (const { cell, list, from, to } of cells) {
      if (at < from || at >= to || done.has(cell)) continue;
      done.add(cell);
      if (to - from > 1) setSpan(cell, to - from - 1);
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
    setSpan(spanning.cell, spanning.to - spanning.from + 1);
    return;
  }
  const next = cells.find(({ from }) => from >= at);
  const last = cells.findLast(({ to }) => to <= at);
  const made = emptyCell((last ?? next)?.cell);
  if (next) next.list.splice(next.list.indexOf(next.cell), 0, made);
  else (last?.list ?? row.components).push(made);
}

function setSpan(cell: ComponentOf<"table-cell">, span: number): void {
  if (span > 1) cell.colspan = span;
  else delete cell.colspan;
}

type Columns = NonNullable<Table["columns"]>;

/** Null where not every column has its share of the width in per cent. */
function percentages(columns: Columns): number[] | null {
  const shares = columns.map(({ width }) =>
    width?.endsWith("%") ? Number(width.slice(0, -1)) : NaN,
  );
  const isWhole = shares.length > 0 && !shares.some(Number.isNaN);
  return isWhole ? shares : null;
}

/** The new column gets an equal share, the others keep their proportions. */
function share(columns: Columns, at: number, before: number[]): void {
  const sum = total(before);
  const own = sum / columns.length;
  columns[at] = { ...columns[at], width: percent(own) };
  const others = columns.filter((_, index) => index !== at);
  grow(others, sum - own);
}

function grow(columns: Columns, sum: number): void {
  const shares = percentages(columns);
  if (!shares || total(shares) === 0) return;
  for (const [index, column] of columns.entries())
    column.width = percent(((shares[index] ?? 0) * sum) / total(shares));
}

function total(shares: readonly number[]): number {
  return shares.reduce((sum, one) => sum + one, 0);
}

function percent(value: number): string {
  return `${Math.round(value * 100) / 100}%`;
}
