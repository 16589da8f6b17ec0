import { z } from "zod";
import { googleErrors } from "./google-errors.js";

export interface FakeSpreadsheet {
  id: string;
  title: string;
  timeZone: string;
  /** Who may see it. */
  users: Set<string>;
  sheets: FakeSheet[];
}

const update = z.strictObject({
  range: z.string().optional(),
  majorDimension: z.literal("ROWS").optional(),
  values: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))),
});

function sheetOf({ sheets }: FakeSpreadsheet, range: string) {
  const place = parseRange(range);
  const sheet = sheets.find(({ title }) => title === place.title);
  if (!sheet) throw googleErrors.range(range);
  return { sheet, place };
}

/** As `spreadsheets.values.batchGet` answers. */
export function batchGet(spreadsheet: FakeSpreadsheet, query: URLSearchParams) {
  const valueRanges = query.getAll("ranges").map((range) => {
    const { sheet, place } = sheetOf(spreadsheet, range);
    const values = sheet.values(place.from, place.to, place.column);
    // Of a range without any value, it has no `values`.
    return { range, ...(values.length > 0 && { values }) };
  });
  return { spreadsheetId: spreadsheet.id, valueRanges };
}

/** As `spreadsheets.get` answers: cells only where the fields name them. */
export function show(spreadsheet: FakeSpreadsheet, query: URLSearchParams) {
  const { id: spreadsheetId, title, timeZone, sheets } = spreadsheet;
  const asked = query.getAll("ranges");
  const ranges = asked.map((range) => sheetOf(spreadsheet, range));
  const hasData = (query.get("fields") ?? "").includes("data(");
  const shown =
    asked.length === 0
      ? sheets
      : [...new Set(ranges.map(({ sheet }) => sheet))];
  return {
    spreadsheetId,
    properties: { title, timeZone },
    sheets: shown.map((sheet) => ({
      properties: { title: sheet.title, sheetType: "GRID" },
      ...(hasData && {
        data: ranges
          .filter((one) => one.sheet === sheet)
          .map(({ place }) => sheet.gridData(place.from, place.to)),
      }),
    })),
  };
}

/** As `spreadsheets.values.update` does, of a single cell. */
export function put(
  spreadsheet: FakeSpreadsheet,
  range: string,
  { query, body: bytes }: { query: URLSearchParams; body: Uint8Array },
) {
  const { sheet, place } = sheetOf(spreadsheet, range);
  const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
  const read = update.safeParse(body);
  if (!read.success)
    throw googleErrors.argument("Invalid JSON payload received.");
  const value = read.data.values[0]?.[0] ?? "";
  const isFormula =
    query.get("valueInputOption") === "USER_ENTERED" &&
    String(value).startsWith("=");
  const cell = isFormula ? { value: "#NAME?", formula: String(value) } : value;
  sheet.set(place.from, place.column, cell);
  return { spreadsheetId: spreadsheet.id, updatedRange: range };
}

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

interface FakeRange {
  title: string;
  /** From 1. */
  from: number;
  to: number;
  /** From 0; -1 for all. */
  column: number;
}

/** `'Sheet'`, `'Sheet'!1:11`, `'Sheet'!B7` and `'Sheet'!B2:B`. */
function parseRange(range: string): FakeRange {
  const found =
    /^'((?:[^']|'')+)'(?:!(?:(\d+):(\d+)|([A-Z]+)(\d+)(:[A-Z]+)?))?$/.exec(
      range,
    );
  if (!found) throw googleErrors.range(range);
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
