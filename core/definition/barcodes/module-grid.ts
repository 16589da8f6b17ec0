/** The dark and light squares of a matrix code, row by row, each one unit wide and high. */
export interface ModuleGrid {
  columns: number;
  rows: number;
  isDark(column: number, row: number): boolean;
}

/**
 * SVG path data that draws the dark modules as one stroke of width 1 per run, relative to the top left module.
 * One path, because abutting shapes of several paths show hairlines between them in PDF viewers.
 */
export function gridPath(grid: ModuleGrid, x: number, y: number): string {
  let path = "";
  for (let row = 0; row < grid.rows; row++) path += rowPath(grid, row, x, y);
  return path;
}

function rowPath(grid: ModuleGrid, row: number, x: number, y: number): string {
  let path = "";
  let end = 0;
  for (let column = 0; column < grid.columns; column++) {
    if (!grid.isDark(column, row)) continue;
    const start = column;
    while (column < grid.columns && grid.isDark(column, row)) column++;
    path +=
      path === "" ? `M${x + start} ${y + row + 0.5}` : `m${start - end} 0`;
    path += `h${column - start}`;
    end = column;
  }
  return path;
}
