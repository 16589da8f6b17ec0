import { writeSync } from "node:fs";
import {
  type DecimalMark,
  BooleanProfile,
  CodeProfile,
  type ErrorCode,
  type FileFaultCode,
  type FileFaultValues,
  findDateOrder,
  findDecimalMark,
  type FileReadRequest,
  type FileTable,
  getColumnLetters,
  isFormattedCell,
  PlatenError,
  type RowProblem,
  simplifyName,
  type TableColumn,
  type TableFormat,
} from "../../core/plugin-api/index.js";

/** Of files that anybody may have made. */
export const limits = {
  columns: 1000,
  /** In all rows together, empty ones between others included. */
  cells: 20_000_000,
  cellCharacters: 100_000,
  /** Of one row of a text file. */
  rowCharacters: 2_000_000,
  unpackedBytes: 512 * 1024 ** 2,
  sharedTextBytes: 128 * 1024 ** 2,
  /** Of the parts of a workbook that are not tables. */
  smallFileCharacters: 4 * 1024 ** 2,
  problems: 1000,
};

/** Rows from 1, columns from 0, both inclusive. */
export interface CellRange {
  firstRow: number;
  lastRow: number;
  firstColumn: number;
  lastColumn: number;
}

/** Receives a table from its first row to its last. */
export interface RowTaker {
  /** Rows without values may be left out; `number` rises. */
  row(number: number, cells: readonly unknown[], isHidden?: boolean): void;
  /** Of columns, both inclusive. */
  hiddenColumns(first: number, last: number): void;
  merged(range: CellRange): void;
}

export interface Sheet {
  name: string;
  isVisible: boolean;
}

export interface TableSource {
  format: TableFormat;
  /** Empty for a file that is one table. */
  sheets: readonly Sheet[];
  /** @param locale of number formats that name no language */
  read(sheet: Sheet, take: RowTaker, locale: string): Promise<void>;
  encoding?: string;
  delimiter?: string;
  /** The names of its columns, for a format whose rows name their values; asked for when all rows were read. */
  names?(): readonly string[];
}

/** Those that are no fault of the file's content. */
const errorCodes: Partial<Record<FileFaultCode, ErrorCode>> = {
  too_many_columns: "too_large",
  too_many_cells: "too_large",
  too_many_rows: "too_large",
  long_row: "too_large",
  long_value: "too_large",
  too_large: "too_large",
  too_slow: "timeout",
  unreadable: "internal",
  busy: "busy",
};

export function createFileError(
  code: FileFaultCode,
  message: string,
  values: FileFaultValues = {},
  cause?: unknown,
): PlatenError {
  return new PlatenError(errorCodes[code] ?? "invalid_request", message, {
    problems: [{ path: "file", code, message, values }],
    cause,
  });
}

export function createColumnsError(): PlatenError {
  return createFileError(
    "too_many_columns",
    `The table has more than ${limits.columns} columns. Delete those that no document needs.`,
    { count: limits.columns },
  );
}

/** Reads a table of the source and writes its rows. @throws PlatenError. */
export async function readTable(
  source: TableSource,
  request: FileReadRequest,
): Promise<FileTable> {
  const sheet = findSheet(source, request.sheet);
  const builder = new TableBuilder(source, request);
  await source.read(sheet, builder, request.locale ?? "en-US");
  return builder.finish(source.sheets.length === 0 ? null : sheet.name);
}

function findSheet({ format, sheets }: TableSource, name?: string): Sheet {
  if (sheets.length === 0) {
    if (name !== undefined)
      throw new PlatenError(
        "invalid_request",
        `A ${format.toUpperCase()} file has no sheets. Leave "sheet" out.`,
      );
    if (format === "xlsx" || format === "ods")
      throw createFileError(
        "no_sheet",
        "The workbook has no sheet with cells.",
      );
    return { name: "", isVisible: true };
  }
  const selected =
    name === undefined
      ? (sheets.find(({ isVisible }) => isVisible) ?? sheets[0])
      : (sheets.find((sheet) => sheet.name === name) ??
        sheets.find(
          (sheet) => sheet.name.toLowerCase() === name.toLowerCase(),
        ));
  if (selected) return selected;
  const names = sheets.map((sheet) => `"${sheet.name}"`).join(", ");
  throw new PlatenError(
    "invalid_request",
    `The workbook has no sheet "${name ?? ""}". Its sheets: ${names}.`,
  );
}

/** Rows that are read before the header is chosen among them. */
const headerCandidates = 20;
const maxMerged = 10_000;
const flushCharacters = 256 * 1024;

interface NumberedRow {
  number: number;
  cells: readonly unknown[];
  isHidden: boolean;
}

class TableBuilder implements RowTaker {
  #first: NumberedRow[] = [];
  #headerRow: number | null = null;
  #header: string[] | null = null;
  /** How many columns the header row has, those without a name included. */
  #width = Infinity;
  #columns: ColumnProfile[] = [];
  #count = 0;
  #lastRow = 0;
  /** Whether rows of the table have a single value. */
  #hasSingles = false;
  /** Where rows of single values begin after an empty row, below the others. */
  #noteRow: number | null = null;
  #hiddenRowCount = 0;
  readonly #hiddenColumns = new Set<number>();
  #cells = 0;
  #lines: string[] = [];
  #size = 0;
  readonly #merged: CellRange[] = [];
  readonly #problems: RowProblem[] = [];

  constructor(
    private readonly source: TableSource,
    private readonly request: FileReadRequest,
  ) {
    // Rows that name their values have no header.
    if (source.names || request.headerRow === 0) this.#header = [];
  }

  row(number: number, cells: readonly unknown[], isHidden = false): void {
    this.#cells += cells.length;
    if (cells.length > limits.columns) throw createColumnsError();
    if (this.#cells > limits.cells)
      throw createFileError(
        "too_many_cells",
        `The table has more than ${limits.cells} cells. Delete columns that no document needs, or split it.`,
        { count: limits.cells },
      );
    if (cells.every(isEmpty)) return;
    if (this.#header !== null) {
      this.#add({ number, cells, isHidden });
      return;
    }
    const { headerRow } = this.request;
    if (headerRow === undefined) {
      this.#first.push({ number, cells: [...cells], isHidden });
      if (this.#first.length === headerCandidates) this.#chooseHeader();
    } else if (number === headerRow)
      this.#setHeader({ number, cells, isHidden });
    else if (number > headerRow) throw createHeaderError(headerRow);
  }

  hiddenColumns(first: number, last: number): void {
    for (let at = first; at <= Math.min(last, limits.columns); at += 1)
      this.#hiddenColumns.add(at);
  }

  merged(range: CellRange): void {
    if (this.#merged.length < maxMerged) this.#merged.push(range);
  }

  finish(sheet: string | null): FileTable {
    const { format, encoding = null, delimiter = null } = this.source;
    const { headerRow } = this.request;
    if (this.#header === null) {
      if (headerRow !== undefined) throw createHeaderError(headerRow);
      this.#chooseHeader();
    }
    if (this.#count === 0)
      throw this.#headerRow === null || (this.#header ?? []).length === 0
        ? createEmptyError()
        : createFileError(
            "no_rows",
            `There is no row below the header in row ${this.#headerRow}. Add the rows, or give another "headerRow".`,
            { row: this.#headerRow },
          );
    this.#flush();
    this.#findMerged();
    if (this.#noteRow !== null)
      this.#addProblem({
        row: this.#noteRow,
        column: null,
        message:
          "looks like a note below the table. Delete the row, or the empty rows above it if it is a document.",
        code: "note_row",
        values: {},
      });
    const names = this.source.names?.() ?? this.#header ?? [];
    const columns = nameColumns(names, this.#columns, this.#hiddenColumns);
    return {
      format,
      encoding,
      delimiter,
      sheets: this.source.sheets
        .filter(({ isVisible, name }) => isVisible || name === sheet)
        .map(({ name }) => name),
      hiddenSheets: this.source.sheets
        .filter(({ isVisible }) => !isVisible)
        .map(({ name }) => name),
      sheet,
      headerRow: this.#headerRow,
      columns,
      rowCount: this.#count,
      hiddenRowCount: this.#hiddenRowCount,
      problems: this.#problems
        .filter(({ column }) => column === null || column < columns.length)
        .toSorted((problem, other) => problem.row - other.row)
        .slice(0, limits.problems),
    };
  }

  /**
   * The first row of texts that fills half of the columns that the first rows have, or another with more of the names that
   * columns may have.
   */
  #chooseHeader(): void {
    const rows = this.#first;
    this.#first = [];
    const counts = rows.map(
      ({ cells }) => cells.filter((cell) => !isEmpty(cell)).length,
    );
    const wanted = 0.5 * Math.max(0, ...counts);
    const index = rows.findIndex(
      ({ cells }, at) =>
        (counts[at] ?? 0) >= wanted &&
        cells.every((cell) => isEmpty(cell) || isTextCell(cell)),
    );
    const names = new Set(this.request.names?.map(simplifyName));
    names.delete("");
    const named = rows.map(
      ({ cells }) =>
        cells.filter((cell) => names.has(simplifyName(toHeader(cell)))).length,
    );
    const most = Math.max(...named);
    // A single word may be a value.
    const best =
      most > Math.max(1, named[index] ?? 0) ? named.indexOf(most) : index;
    const [header, ...others] = rows.slice(Math.max(0, best));
    this.#setHeader(header ?? { number: 1, cells: [], isHidden: false });
    for (const row of others) this.#add(row);
  }

  #setHeader({ number, cells }: NumberedRow): void {
    this.#headerRow = number;
    this.#width = cells.length;
    this.#header = cells.map(toHeader);
    while (this.#header.at(-1) === "") this.#header.pop();
  }

  #add({ number, cells, isHidden }: NumberedRow): void {
    const { maxRows, hiddenRows } = this.request;
    if (isHidden) this.#hiddenRowCount += 1;
    const isApart =
      this.#count > 0 && number > this.#lastRow + 1 && !this.source.names;
    this.#lastRow = number;
    if (isHidden && hiddenRows === "skip") return;
    this.#findNote(number, cells, isApart);
    if (this.#isHeader(cells)) {
      this.#addProblem({
        row: number,
        column: null,
        message: "has the names of the columns again. Delete the row.",
        code: "repeated_header",
        values: {},
      });
      return;
    }
    if (this.#count === maxRows)
      throw createFileError(
        "too_many_rows",
        `The table has more than ${maxRows} rows. Split the file, or raise PLATEN_MAX_BATCH_ITEMS.`,
        { count: maxRows },
      );
    this.#count += 1;
    const isText = this.source.delimiter !== undefined;
    const width = this.#width;
    // In text, a value beyond the header is a delimiter too many, so that all values after it are in the wrong column.
    if (isText && cells.length > width && !cells.slice(width).every(isEmpty))
      this.#addProblem({
        row: number,
        column: null,
        message: `has ${cells.length} values, but the header names ${width} columns. Put quotation marks around values that contain the delimiter.`,
        code: "too_many_values",
        values: { count: cells.length },
      });
    for (const [index, cell] of cells.entries()) {
      if (isEmpty(cell)) continue;
      while (this.#columns.length <= index)
        this.#columns.push(new ColumnProfile());
      this.#columns[index]?.add(cell, this.source.sheets.length > 0);
    }
    const line = JSON.stringify([number, ...cells]);
    this.#lines.push(line);
    this.#size += line.length;
    if (this.#size > flushCharacters) this.#flush();
  }

  #findNote(number: number, cells: readonly unknown[], isApart: boolean): void {
    const isSingle = cells.filter((cell) => !isEmpty(cell)).length <= 1;
    if (isSingle && this.#noteRow !== null) return;
    if (isSingle && isApart && !this.#hasSingles) this.#noteRow = number;
    else {
      this.#hasSingles ||= isSingle || this.#noteRow !== null;
      this.#noteRow = null;
    }
  }

  /** Whether a row repeats that of the header, as each page of some exports does. */
  #isHeader(cells: readonly unknown[]): boolean {
    const header = this.#header ?? [];
    return (
      header.length > 1 &&
      header.every((name, index) => name === toHeader(cells[index]))
    );
  }

  #flush(): void {
    const text = this.#lines.map((line) => `${line}\n`).join("");
    this.#lines = [];
    this.#size = 0;
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;)
      at += writeSync(this.request.rowsFd, bytes, at);
  }

  /** Only the first cell of merged ones has a value, so that others would be empty by mistake. */
  #findMerged(): void {
    for (const range of this.#merged) {
      const { firstRow, lastRow, firstColumn, lastColumn } = range;
      if (lastRow <= (this.#headerRow ?? 0)) continue;
      const start = getColumnLetters(firstColumn) + firstRow;
      const end = getColumnLetters(lastColumn) + lastRow;
      for (let column = firstColumn; column <= lastColumn; column += 1)
        this.#addProblem({
          row: Math.max(firstRow, (this.#headerRow ?? 0) + 1),
          column,
          message: `The cells ${start}:${end} are merged. Unmerge them, and fill in each one.`,
          code: "merged_cells",
          values: { range: `${start}:${end}` },
        });
    }
  }

  #addProblem(problem: RowProblem): void {
    if (this.#problems.length < limits.problems) this.#problems.push(problem);
  }
}

function createHeaderError(headerRow: number): PlatenError {
  return createFileError(
    "empty_header",
    `Row ${headerRow}, which "headerRow" names, is empty. Give the number of the row that names the columns.`,
    { row: headerRow },
  );
}

export function createEmptyError(): PlatenError {
  return createFileError(
    "empty_file",
    "The file is empty: there is no row with values.",
  );
}

function isEmpty(cell: unknown): boolean {
  return (
    cell === null ||
    cell === undefined ||
    (typeof cell === "string" && cell.trim() === "")
  );
}

/** Dates of workbooks are texts. */
function isTextCell(cell: unknown): boolean {
  return typeof (isFormattedCell(cell) ? cell.value : cell) === "string";
}

function toHeader(given: unknown): string {
  const cell = isFormattedCell(given) ? given.text : given;
  const isName = typeof cell === "string" || typeof cell === "number";
  return isName
    ? String(cell)
        .replaceAll(/[\s\uFEFF]+/g, " ")
        .trim()
        .slice(0, 200)
    : "";
}

function nameColumns(
  header: readonly string[],
  profiles: readonly ColumnProfile[],
  hidden: ReadonlySet<number>,
): TableColumn[] {
  const used = new Set<string>();
  const count = Math.max(header.length, profiles.length);
  return Array.from({ length: count }, (_, index) => {
    const letters = getColumnLetters(index);
    let name = header[index] || letters;
    if (used.has(name)) name = `${name} (${letters})`;
    while (used.has(name)) name = `${name}'`;
    used.add(name);
    const profile = profiles[index] ?? new ColumnProfile();
    return { name, isHidden: hidden.has(index), ...profile.describe() };
  });
}

const shownValues = 5;

/** What the values of a column have in common. */
class ColumnProfile {
  readonly #values: unknown[] = [];
  readonly #kinds = new Map<string, number>();
  readonly #orders = new Set<string>();
  readonly #marks = new Set<DecimalMark | "ambiguous">();
  readonly #booleans = new BooleanProfile();
  readonly #codes = new CodeProfile();

  /** @param isFormatted whether the file has cells that show their values in another way */
  add(given: unknown, isFormatted: boolean): void {
    const formatted = isFormatted && isFormattedCell(given) ? given : null;
    const cell = formatted ? formatted.value : given;
    const text = formatted ? formatted.text : given;
    if (this.#values.length < shownValues)
      this.#values.push(
        typeof text === "string" ? text.trim().slice(0, 200) : text,
      );
    const kind = typeof cell === "string" ? this.#addText(cell) : typeof cell;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
  }

  #addText(text: string): string {
    const isBoolean = this.#booleans.add(text);
    const order = findDateOrder(text);
    if (order !== undefined) {
      this.#orders.add(order);
      return "date";
    }
    const mark = findDecimalMark(text);
    if (mark === undefined) return isBoolean ? "yesOrNo" : "text";
    if (mark !== null) this.#marks.add(mark);
    const isNumber = this.#codes.add(text);
    if (isNumber === null) return "codeOrNumber";
    return isNumber ? "number" : "text";
  }

  describe(): Omit<TableColumn, "name" | "isHidden"> {
    const meanings: Readonly<Record<string, string>> = {
      yesOrNo: this.#booleans.isSure ? "boolean" : "text",
      codeOrNumber: this.#codes.areNumbers ? "number" : "text",
    };
    const kinds = [
      ...new Set([...this.#kinds.keys()].map((kind) => meanings[kind] ?? kind)),
    ];
    const [only = "empty"] = kinds;
    const type = kinds.length > 1 ? "text" : only;
    const orders = [...this.#orders].filter((dateOrder) => dateOrder !== "YMD");
    const sure = orders.filter((dateOrder) => dateOrder !== "ambiguous");
    const [order] = sure.length > 0 ? sure : orders;
    return {
      type: isColumnType(type) ? type : "other",
      values: this.#values,
      dateOrder: isOrder(order)
        ? sure.length > 1
          ? "ambiguous"
          : order
        : this.#orders.size > 0
          ? "YMD"
          : null,
      decimal: describeMarks(this.#marks),
      booleans: this.#booleans.style,
    };
  }
}

function describeMarks(
  marks: ReadonlySet<DecimalMark | "ambiguous">,
): TableColumn["decimal"] {
  const certain = [...marks].filter((mark) => mark !== "ambiguous");
  if (certain.length === 1) return certain[0] ?? null;
  return marks.size === 0 ? null : "ambiguous";
}

function isColumnType(type: string): type is TableColumn["type"] {
  return ["text", "number", "date", "boolean", "empty"].includes(type);
}

function isOrder(
  order: string | undefined,
): order is "DMY" | "MDY" | "ambiguous" {
  return order !== undefined;
}
