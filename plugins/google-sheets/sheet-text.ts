/** Names and keys as text, whatever they are in the cell. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  const isPlain = typeof value === "number" || typeof value === "boolean";
  return isPlain ? String(value) : "";
}

/** The letters of a column, counted from 0: A, …, Z, AA. */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  const last = String.fromCodePoint(65 + (index % 26));
  return rest < 0 ? last : columnLetters(rest) + last;
}

/** A range of a sheet, or all of it. */
export function rangeOf(sheet: string, cells?: string): string {
  const quoted = `'${sheet.replaceAll("'", "''")}'`;
  return cells === undefined ? quoted : `${quoted}!${cells}`;
}

export interface NamedColumn {
  index: number;
  /** As the first row has it; of those with the same name, the later ones have their letters added. */
  name: string;
}

/** The columns that have a name. */
export function namedColumns(header: readonly unknown[]): NamedColumn[] {
  const taken = new Set<string>();
  return header.flatMap((value, index) => {
    const text = textOf(value);
    if (text === "") return [];
    const name = taken.has(text) ? `${text} (${columnLetters(index)})` : text;
    taken.add(name);
    return [{ index, name }];
  });
}
