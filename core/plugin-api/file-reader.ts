import type { DecimalMark } from "./number-text.js";
import type { BooleanStyle } from "./boolean-text.js";
import { findWrittenDate, toFullYear } from "./written-dates.js";

// What a platform that reads uploaded files (`PlatformPlugin.files`) is asked for and returns, and how texts of cells are
// read as dates.

export const TABLE_FORMATS = ["csv", "xlsx", "ods", "json", "jsonl"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

export const DATE_ORDERS = ["YMD", "DMY", "MDY"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export interface FileReadRequest {
  /** The descriptor of the file, which is read from any position. */
  fd: number;
  /** As the uploader calls it; its ending helps to tell text formats apart. */
  fileName: string;
  /**
   * The descriptor of an empty file. Each row of the table that has a value becomes one line: a JSON array of the row's
   * number in the file, from 1, and its cells. A cell is a text, number or boolean, null when it is empty, any JSON in a
   * JSON file, a `FormattedCell` in a workbook, or a `CellFault`. Dates of workbooks are ISO 8601 texts.
   */
  rowsFd: number;
  /** By name, also of a hidden one; default: the first visible sheet. */
  sheet?: string | undefined;
  /** The number of the row that names the columns, from 1; 0 when none does; guessed when left out. */
  headerRow?: number | undefined;
  /** Detected when left out, as is `encoding`, a label of the WHATWG Encoding Standard. */
  delimiter?: string | undefined;
  encoding?: string | undefined;
  /** Whether rows that the sheet hides are left out, those that a filter hides included; default: they are read. */
  hiddenRows?: HiddenCells | undefined;
  /** Of number formats that do not name their language; default: `en-US`. */
  locale?: string | undefined;
  /** What columns may be called, by which a header row is guessed. */
  names?: readonly string[] | undefined;
  /** The most rows of data. */
  maxRows: number;
}

export const HIDDEN_CELLS = ["include", "skip"] as const;
export type HiddenCells = (typeof HIDDEN_CELLS)[number];

/** A number or date that its cell shows in another way, such as 42 as `0042`. */
export interface FormattedCell {
  value: number | string;
  text: string;
}

export function isFormattedCell(cell: unknown): cell is FormattedCell {
  return (
    typeof cell === "object" &&
    cell !== null &&
    "text" in cell &&
    "value" in cell
  );
}

/** A cell without a usable value, and why. */
export interface CellFault {
  /** The object of a sentence, such as `the formula error #REF!`. */
  fault: string;
  code: "formula_error" | "uncalculated_formula" | "unusable_number";
  /** The error or the number. */
  text: string;
}

export interface TableColumn {
  /** Unique: a repeated name, and a missing one, gets the column's letters. */
  name: string;
  /** What all its values are; `empty` without any. */
  type: "text" | "number" | "date" | "boolean" | "other" | "empty";
  /** The first values, as the sheet shows them. */
  values: unknown[];
  isHidden: boolean;
  /** How its texts write dates: null without such texts; "ambiguous" when day and month cannot be told apart. */
  dateOrder: DateOrder | "ambiguous" | null;
  /**
   * The decimal mark of its texts: null when it does not matter; "ambiguous" for texts such as `1,234` alone, and for texts
   * that show both marks.
   */
  decimal: DecimalMark | "ambiguous" | null;
  /** How its texts write yes and no; null without such texts. */
  booleans: BooleanStyle | null;
}

/** A row that cannot be used. */
export interface RowProblem {
  row: number;
  /** The column's index; null for the row as a whole. */
  column: number | null;
  message: string;
  code: "merged_cells" | "note_row" | "repeated_header" | "too_many_values";
  /** The cells that are merged, or how many values the row has. */
  values: { range?: string; count?: number };
}

export interface FileTable {
  format: TableFormat;
  /** Of text formats; null for others. */
  encoding: string | null;
  delimiter: string | null;
  /** The names of a workbook's sheets that are visible, and of the one that was read; empty for other formats. */
  sheets: string[];
  /** The names of those that the workbook hides. */
  hiddenSheets: string[];
  sheet: string | null;
  /** Null without such a row, as in formats whose rows name their values. */
  headerRow: number | null;
  columns: TableColumn[];
  rowCount: number;
  /** The rows of data that the sheet hides, whether they are read or not. */
  hiddenRowCount: number;
  /** At most 1,000. Those of a column matter only if the column is used. */
  problems: RowProblem[];
}

/** Why a file cannot be read at all. */
export type FileFaultCode =
  | "empty_file"
  | "no_rows"
  | "empty_header"
  | "no_sheet"
  | "unknown_format"
  | "markup"
  | "old_workbook"
  | "encrypted"
  | "damaged"
  | "ambiguous_encoding"
  | "wrong_encoding"
  | "no_encoding"
  | "open_quote"
  | "stray_quote"
  | "unreadable_row"
  | "invalid_json"
  | "no_objects"
  | "deep_json"
  | "repeated_name"
  | "too_many_columns"
  | "too_many_cells"
  | "too_many_rows"
  | "long_row"
  | "long_value"
  | "too_large"
  | "too_slow"
  | "unreadable"
  | "busy";

/** Where it is, and what its message says; each code has those that it needs. */
export interface FileFaultValues {
  row?: number;
  /** Of a text, from 1. */
  line?: number;
  /** Of a JSON list, from 1. */
  item?: number;
  /** A value as `encoding` reads it, or a name. */
  text?: string;
  encoding?: string;
  /** The value as `otherEncoding` reads it. */
  other?: string;
  otherEncoding?: string;
  /** The limit that it is past. */
  count?: number;
}

/** Reads tables from files that nobody has checked. */
export interface FileReader {
  /**
   * Runs outside of the calling thread, with limits on time and memory. Rejects with PlatenError `invalid_request` for a
   * file that cannot be read, which names the place, `too_large` past a limit, `timeout` or `busy`. Its problem has a
   * `FileFaultCode`, unless the request is wrong.
   */
  read(request: FileReadRequest): Promise<FileTable>;
}

/** What names of columns and fields are compared by. */
export function simplifyName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

const ISO_DATE =
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?: ?(Z|UTC|GMT|[-+]\d\d(?::?\d\d)?))?)?$/i;
/** Of ISO 8601 as well: no other order of day, month and a year of these centuries has these digits. */
const BASIC_DATE = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;
const LOCAL_DATE =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:,?[T ]\s*(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s*([ap])\.?m\.?)?(?: ?(Z|UTC|GMT))?)?$/i;

/** In which order a text writes a date, "YMD" for one that names its month; undefined when it is none. */
export function findDateOrder(
  text: string,
): DateOrder | "ambiguous" | undefined {
  const trimmed = text.trim();
  if (ISO_DATE.test(trimmed)) return "YMD";
  const parts = LOCAL_DATE.exec(trimmed);
  if (!parts) return parseWrittenDate(trimmed) === null ? undefined : "YMD";
  const [first, second] = [parts[1], parts[3]].map(Number);
  if (first === undefined || second === undefined) return undefined;
  // ISO 8601 with two digits for the year is written with hyphens alone.
  const isYearFirst =
    /^\d\d-\d\d-\d\d\b/.test(trimmed) &&
    toIsoDate([toFullYear(parts[1] ?? ""), parts[3], parts[4]], []) !== null;
  if (isYearFirst) return first > 31 ? "YMD" : "ambiguous";
  if (first > 31 || second > 31 || (first > 12 && second > 12))
    return undefined;
  if (parts[2] === "." || first > 12) return "DMY";
  return second > 12 ? "MDY" : "ambiguous";
}

/**
 * The date that a text writes in this order, as ISO 8601, with its time if it has one; null for other texts. Without an
 * order, only texts are dates that need none.
 */
export function parseDateText(
  text: string,
  order: DateOrder | null,
): string | null {
  const trimmed = text.trim();
  const iso = ISO_DATE.exec(trimmed);
  if (iso) {
    const [, year, , month, day, hour, minute, second, zone] = iso;
    return toIsoDate([year, month, day], [hour, minute, second], zone);
  }
  const basic = BASIC_DATE.exec(trimmed);
  if (basic) return toIsoDate(basic.slice(1), []);
  const parts = LOCAL_DATE.exec(trimmed);
  if (!parts) return parseWrittenDate(trimmed);
  const [, first = "", separator, second, third = "", ...time] = parts;
  const [hour, minute, seconds, half, zone] = time;
  const isYearFirst =
    separator === "-" && first.length === 2 && third.length === 2;
  if (order === null || (order === "YMD" && !isYearFirst)) return null;
  const [day, month] = order === "DMY" ? [first, second] : [second, first];
  const date =
    order === "YMD"
      ? [toFullYear(first), second, third]
      : [toFullYear(third), month, day];
  return toIsoDateOfHalf(date, [hour, minute, seconds], half, zone);
}

function parseWrittenDate(text: string): string | null {
  const written = findWrittenDate(text);
  if (written === null) return null;
  const { date, time, half, weekdays } = written;
  const iso = toIsoDateOfHalf(date, time, half);
  // A day of the week that the date does not have is a mistake in one of them.
  const isRight =
    iso !== null &&
    (weekdays?.has(new Date(iso.slice(0, 10)).getUTCDay()) ?? true);
  return isRight ? iso : null;
}

/** @param half `a` or `p` of a time of 12 hours */
function toIsoDateOfHalf(
  date: Parts,
  [hour, minute, second]: Parts,
  half: string | undefined,
  zone?: string,
): string | null {
  if (half === undefined || hour === undefined)
    return toIsoDate(date, [hour, minute, second], zone);
  if (Number(hour) < 1 || Number(hour) > 12) return null;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return toIsoDate(date, [String(hours), minute, second], zone);
}

type Parts = readonly (string | undefined)[];

function toIsoDate(date: Parts, time: Parts, zone?: string): string | null {
  const [year = 0, month = 0, day = 0] = date.map(Number);
  if (year < 100) return null;
  const utcDate = new Date(Date.UTC(year, month - 1, day));
  if (utcDate.getUTCMonth() + 1 !== month || utcDate.getUTCDate() !== day)
    return null;
  const iso = utcDate.toISOString().slice(0, 10);
  const [hour, minute, second = "00"] = time;
  if (hour === undefined || minute === undefined) return iso;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return null;
  return `${iso}T${hour.padStart(2, "0")}:${minute}:${second}${toIsoZone(zone)}`;
}

/** `UTC` as `Z`, and `+01` and `+0100` as `+01:00`. */
function toIsoZone(zone: string | undefined): string {
  if (zone === undefined) return "";
  const [, hours, minutes = "00"] = /^([-+]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? "Z" : `${hours}:${minutes}`;
}

/** The letters of a column of a sheet: `A` for 0, `AA` for 26. */
export function getColumnLetters(index: number): string {
  const rest = Math.floor(index / 26) - 1;
  const last = String.fromCodePoint(65 + (index % 26));
  return rest < 0 ? last : getColumnLetters(rest) + last;
}
