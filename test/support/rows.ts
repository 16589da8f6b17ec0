/** The rows of a table in a text: one a line, with their cells between " | ". */
export function readRows(table: string): string[][] {
  const lines = table.trim().split("\n");
  return lines.map((line) => line.trim().split(" | "));
}

/** Values, each with the cells of its row: the first cell of a row names the value. */
export function withRows<T>(values: Record<string, T>, table: string) {
  const rows = new Map(
    readRows(table).map(([name = "", ...cells]) => [name, cells] as const),
  );
  if (rows.size !== Object.keys(values).length)
    throw new Error("some value has no row, or some row no value");
  return Object.entries(values).map(([name, value]) => {
    const cells = rows.get(name);
    if (!cells) throw new Error(`${name} has no row`);
    return [name, value, ...cells] as const;
  });
}

/** All cells of such a table. */
export function listCells(table: string): string[] {
  return readRows(table).flat();
}

/** The words of a text, wherever its lines end. */
export function listWords(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}
