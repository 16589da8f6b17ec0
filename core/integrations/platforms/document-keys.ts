import { isFormulaError } from "../../definition/index.js";
import { findDecimalMark, type Problem } from "../../plugin-api/index.js";
import {
  type Field,
  simplify,
  type TablePlan,
  type TableRow,
} from "./table-plan.js";

// How cells of files and platforms are compared: the keys that documents, their rows and the items of their lists have, and
// the values that the rows of a document share.

/** The keys of documents. Keys that look alike and differ are a fault. */
export class DocumentKeys<Place> {
  /** The keys and where they are first, by all names of their cells. */
  readonly #spellings = new Map<string, { key: string; place: Place }>();

  /** @param kind what has the keys. */
  constructor(
    private readonly describePlace: (place: Place) => string,
    private readonly kind: "row" | "record",
  ) {}

  /** The key in a cell, or why it has none. @param names what else the cell may be called by. */
  read(
    cell: unknown,
    place: Place,
    names: readonly string[] = [],
  ): { key: string } | { fault: string } {
    if (typeof cell === "string" && isFormulaError(cell.trim()))
      return { fault: `contains the formula error ${cell.trim()}` };
    const key = toKey(cell);
    if (key === "") return { fault: describeNoKey(cell, this.kind) };
    for (const name of new Set([key, ...names].map(toSpelling))) {
      const other = this.#spellings.get(name);
      if (other && other.key !== key)
        return {
          fault: describeAlike(key, other.key, this.describePlace(other.place)),
        };
      if (!other) this.#spellings.set(name, { key, place });
    }
    return { key };
  }

  /** The key that a cell with this name has or looks like, and where it is first. */
  find(name: string): { key: string; place: Place } | undefined {
    return this.#spellings.get(toSpelling(name));
  }
}

/** How two keys differ, and what to do. */
export function describeAlike(
  key: string,
  other: string,
  place: string,
): string {
  const text = JSON.stringify(key);
  const where = `${JSON.stringify(other)} in ${place}`;
  const what =
    key.toLowerCase() === other.toLowerCase()
      ? "capital letters"
      : "dashes or wide characters";
  const difference =
    toSpelling(key) === toSpelling(other)
      ? `${text} differs from ${where} by ${what} alone`
      : `${text} and ${where} have equal values or look the same in the sheet`;
  return `${difference}. Write both in the same way`;
}

function describeNoKey(cell: unknown, kind: string): string {
  const isObject = typeof cell === "object" && cell !== null;
  if (isObject && "fault" in cell && typeof cell.fault === "string")
    return `contains ${cell.fault}`;
  const value = isObject ? "a list or an object" : JSON.stringify(cell);
  const isEmpty = cell == null || typeof cell === "string";
  const what = isEmpty ? "empty" : `${value}, not a text or a number`;
  return `is ${what}, so that the ${kind} belongs to no document`;
}

const invisible = /[\u200B-\u200D\u2060\uFEFF]/g;

/** A key as text; "" for a cell that cannot be one. */
export function toKey(cell: unknown): string {
  return typeof cell === "string" || typeof cell === "number"
    ? String(cell)
        .normalize("NFC")
        .replaceAll(invisible, "")
        .replaceAll(/\s+/g, " ")
        .trim()
    : "";
}

/** What is equal for keys that differ by capital letters, dashes, or characters such as `１` for `1` alone. */
export function toSpelling(key: string): string {
  return key
    .normalize("NFKC")
    .replaceAll(/\p{Pd}/gu, "-")
    .toLowerCase();
}

/**
 * All that a cell of a file may be called by as a key, at least "": first its value, which is a number or date where the
 * field is one, and then the text that the sheet shows.
 */
export function readKeys(
  plan: TablePlan,
  cell: unknown,
  index: number,
  field: Field | null,
): string[] {
  const typed = plan.readAs(cell, index, field);
  const value = isBlank(typed)
    ? toKey(plan.getValue(cell))
    : toComparable(typed, field?.type);
  const text = toKey(plan.getText(cell));
  return value === "" ? [text] : [...new Set([value, text || value])];
}

const timeWithZone = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i;

/** A text that is equal for cells that look alike, and for times that are the same in a field of dates. */
export function toComparable(cell: unknown, type?: string): string {
  if (type === "Date" && typeof cell === "string" && timeWithZone.test(cell)) {
    const time = new Date(cell);
    if (!Number.isNaN(time.getTime())) return time.toISOString();
  }
  return typeof cell === "string" || typeof cell === "number"
    ? toKey(cell)
    : JSON.stringify(cell);
}

/**
 * The first row that has a value, and the first that has another: a document has one value for all rows, which the others
 * have as well or leave empty. @param toTexts what is compared of a value; equal values have one of the texts in common.
 */
export function findCommon<R>(
  rows: readonly R[],
  read: (row: R) => unknown,
  toTexts: (value: unknown) => readonly string[],
): { model?: R | undefined; other?: R | undefined } {
  const [model, ...others] = rows.filter((row) => !isBlank(read(row)));
  if (model === undefined) return {};
  const texts = new Set(toTexts(read(model)));
  const other = others.find(
    (row) => !toTexts(read(row)).some((text) => texts.has(text)),
  );
  return { model, other };
}

export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlank);
  return value == null || (typeof value === "string" && value.trim() === "");
}

const toWords = (words: string) => new Set(words.split(" ").map(simplify));

/** What is beside the sums below a table, or below a part of it. */
const totals = toWords(
  "Total Totals Subtotal Sum Totaal Eindtotaal Totalt Totale Summe Gesamt Gesamtsumme Zwischensumme Ergebnis Gesamtergebnis Sous-total Somme Suma Somma Summa Razem Итого Всего 合計 合计 总计 總計 합계",
);
const besideTotals = toWords("grand general général generale końcowa");
const isTotalWord = (word = "") => totals.has(simplify(word));

/** Whether a key is words for a total, such as `Grand Total`, or has one before or after another key: `A-17 Total`. */
export function isTotal(
  key: string,
  isKey: (text: string) => boolean,
): boolean {
  const words = key.split(" ");
  const isWhole =
    words.some((word) => isTotalWord(word)) &&
    words.every(
      (word) => isTotalWord(word) || besideTotals.has(simplify(word)),
    );
  return (
    isWhole ||
    (isTotalWord(words.at(-1)) && isKey(words.slice(0, -1).join(" "))) ||
    (isTotalWord(words[0]) && isKey(words.slice(1).join(" ")))
  );
}

/** The problem of a row that is a sum of others: a cell says so, and the others have numbers and nothing else. */
export function findTotal(
  plan: TablePlan,
  { number, cells }: TableRow,
  column: number,
  isKey: (text: string) => boolean,
): Problem[] {
  if (!isTotal(toKey(plan.getText(cells[column])), isKey)) return [];
  const values = cells
    .filter((cell, index) => index !== column && !isBlank(cell))
    .map((cell) => plan.getValue(cell));
  const isSum =
    values.length > 0 &&
    values.every(
      (value) =>
        typeof value === "number" ||
        (typeof value === "string" && findDecimalMark(value) !== undefined),
    );
  if (!isSum) return [];
  return [
    {
      ...plan.createProblem(number, column, "looks like a total of other rows"),
      hint: "Delete the row, or write this cell in another way.",
    },
  ];
}
