/** The rows of a table in a text: one a line, with their cells between " | ". */
export function readRows(table: string): string[][] {
  const lines = table.trim().split("\n");
  return lines.map((line) => line.trim().split(" | "));
}
