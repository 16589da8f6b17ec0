import { googleRefusals } from "./google-refusal.js";

/** A value, or one with what the sheet shows it as or calculates it from. */
export type FakeCell =
  | string
  | number
  | boolean
  | null
  | { value: string | number | boolean; format?: string; formula?: string };

interface CellData {
  effectiveValue?: Record<string, unknown>;
  userEnteredValue?: Record<string, unknown>;
  effectiveFormat?: { numberFormat: { type: string } };
}

/** One sheet of a spreadsheet. */
export class FakeSheet {
  constructor(
    readonly title: string,
    readonly rows: FakeCell[][],
  ) {}

  /** As `values.get` shows them: what is empty at the ends is left out. */
  values(from: number, to: number, column = -1): unknown[][] {
    const rows = this.rows.slice(from - 1, to).map((row) => {
      const cells = column === -1 ? row : [row[column]];
      const values = cells.map((cell) => valueOf(cell) ?? "");
      return values.slice(0, values.findLastIndex((value) => value !== "") + 1);
    });
    return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
  }

  /** As `includeGridData` shows them. */
  gridData(from: number, to: number) {
    const rowData = this.rows
      .slice(from - 1, to)
      .map((row) => ({ values: row.map(cellData) }));
    return { rowData };
  }

  set(row: number, column: number, value: FakeCell): void {
    while (this.rows.length < row) this.rows.push([]);
    const cells = this.rows[row - 1] ?? [];
    while (cells.length <= column) cells.push(null);
    cells[column] = value;
  }
}

function valueOf(cell: FakeCell | undefined) {
  if (cell === undefined || cell === null) return null;
  return typeof cell === "object" ? cell.value : cell;
}

function cellData(cell: FakeCell): CellData {
  const value = valueOf(cell);
  if (value === null || value === "") return {};
  const kind = `${typeof value === "boolean" ? "bool" : typeof value}Value`;
  const data: CellData = { effectiveValue: { [kind]: value } };
  if (typeof cell !== "object" || cell === null) return data;
  const { format: type, formula: formulaValue } = cell;
  if (type !== undefined) data.effectiveFormat = { numberFormat: { type } };
  if (formulaValue !== undefined) data.userEnteredValue = { formulaValue };
  return data;
}

export interface FakeRange {
  title: string;
  /** From 1. */
  from: number;
  to: number;
  /** From 0; -1 for all. */
  column: number;
}

/** `'Sheet'`, `'Sheet'!1:11`, `'Sheet'!B7` and `'Sheet'!B2:B`. */
export function parseRange(range: string): FakeRange {
  const found =
    /^'((?:[^']|'')+)'(?:!(?:(\d+):(\d+)|([A-Z]+)(\d+)(:[A-Z]+)?))?$/.exec(
      range,
    );
  if (!found) throw googleRefusals.range(range);
  const [, quoted = "", from, to, letters = "", row, end] = found;
  return {
    title: quoted.replaceAll("''", "'"),
    from: Number(row ?? from ?? 1),
    to: end === undefined ? Number(row ?? to ?? Infinity) : Infinity,
    column: columnOf(letters),
  };
}

function columnOf(letters: string): number {
  const numbers = Array.from(Buffer.from(letters), (code) => code - 64);
  return numbers.reduce((sum, number) => sum * 26 + number, 0) - 1;
}
