import {
  findDecimalMark,
  readUnit,
  simplifyName,
} from "../../plugin-api/index.js";
import {
  type Fault,
  type Field,
  findCellFault,
  shorten,
  type TablePlan,
  type TableRow,
} from "./table-plan.js";
import type { TableProblem, TableProblemValues } from "./views.js";

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
  ): { key: string } | Fault {
    const fault = findCellFault(cell);
    if (fault) return fault;
    const key = toKey(cell);
    if (key === "") return describeNoKey(cell, this.kind);
    for (const name of new Set([key, ...names].map(toSpelling))) {
      const other = this.#spellings.get(name);
      if (other && other.key !== key)
        return {
          fault: describeAlike(key, other.key, this.describePlace(other.place)),
          code: "similar_keys",
          values: { text: shorten(key), ...toValues(other) },
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

/** A key that another differs from, in what a problem says. */
export function toValues({
  key,
  place,
}: {
  key: string;
  place: unknown;
}): TableProblemValues {
  return {
    other: shorten(key),
    ...(typeof place === "number" && { otherRow: place }),
  };
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
      : /^\d+$/.test(key + other)
        ? "leading zeros"
        : "dashes or wide characters";
  const difference =
    toSpelling(key) === toSpelling(other)
      ? `${text} differs from ${where} by ${what} alone`
      : `${text} and ${where} have equal values or look the same in the sheet`;
  return `${difference}. Write both in the same way`;
}

function describeNoKey(cell: unknown, kind: string): Fault {
  const isObject = typeof cell === "object" && cell !== null;
  const value = isObject ? "a list or an object" : JSON.stringify(cell);
  const isEmpty = cell == null || typeof cell === "string";
  const what = isEmpty ? "empty" : `${value}, not a text or a number`;
  return {
    fault: `is ${what}, so that the ${kind} belongs to no document`,
    code: "no_key",
    values: isEmpty ? {} : { text: shorten(cell) },
  };
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

/**
 * What is equal for keys that differ by capital letters, dashes, characters such as `１` for `1`, or the zeros before a
 * whole number alone.
 */
export function toSpelling(key: string): string {
  return key
    .normalize("NFKC")
    .replaceAll(/\p{Pd}/gu, "-")
    .toLowerCase()
    .replace(/^0+(?=\d+$)/, "");
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

/** What a cell is as a key: a number or a date as the document has it, any other value as the sheet shows it. */
export function readKey(
  plan: TablePlan,
  cell: unknown,
  index: number,
): unknown {
  return readTyped(plan, cell, index) ?? plan.showCell(cell);
}

/** The number or the date that a cell becomes in the document; undefined for a cell that becomes none. */
function readTyped(
  plan: TablePlan,
  cell: unknown,
  index: number,
): string | undefined {
  const field = plan.getField(index);
  const value = plan.readAs(cell, index, field);
  return isBlank(value) ? undefined : toComparable(value, field?.type);
}

/** Whether two cells of a column are one value in the document. */
export function isEqual(
  plan: TablePlan,
  index: number,
  cell: unknown,
  other: unknown,
): boolean {
  if (toComparable(plan.getValue(cell)) === toComparable(plan.getValue(other)))
    return true;
  const typed = readTyped(plan, cell, index);
  return typed !== undefined && typed === readTyped(plan, other, index);
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
 * have as well or leave empty.
 */
export function findCommon<R, T>(
  rows: readonly R[],
  read: (row: R) => T,
  areEqual: (value: T, other: T) => boolean,
): { model?: R | undefined; other?: R | undefined } {
  const [model, ...others] = rows.filter((row) => !isBlank(read(row)));
  if (model === undefined) return {};
  const value = read(model);
  return { model, other: others.find((row) => !areEqual(value, read(row))) };
}

export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlank);
  return value == null || (typeof value === "string" && value.trim() === "");
}

const toWords = (words: string) => new Set(words.split(" ").map(simplifyName));

/** What is beside the sums below a table, or below a part of it. */
const totals = toWords(
  "Total Totals Subtotal Sum Totaal Eindtotaal Totalt Totale Summe Gesamt Gesamtsumme Zwischensumme Ergebnis Gesamtergebnis Sous-total Somme Suma Somma Summa Razem Celkem Spolu Yhteensä Összesen Skupaj Ukupno Kokku Kopā Viso Toplam Σύνολο Итого Всего Усього Разом Общо Σ 合計 合计 总计 總計 합계",
);
const besideTotals = toWords("grand general général generale końcowa");
const isTotalWord = (word = "") => totals.has(simplifyName(word));
const isCurrency = (word: string) =>
  readUnit(`1 ${word.replaceAll(/[():]/g, "")}`)?.currency != null;

/** Whether a key is words for a total, such as `Grand Total`, or has one before or after another key: `A-17 Total`. */
export function isTotal(
  key: string,
  isKey: (text: string) => boolean,
): boolean {
  const words = key.split(" ");
  const isWhole =
    words.some((word) => isTotalWord(word)) &&
    words.every(
      (word) =>
        isTotalWord(word) ||
        besideTotals.has(simplifyName(word)) ||
        isCurrency(word),
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
): TableProblem[] {
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
  return isSum ? [createTotalProblem(plan, number, column)] : [];
}

function createTotalProblem(
  plan: TablePlan,
  row: number,
  column: number,
): TableProblem {
  return {
    ...plan.createProblem(row, column, {
      fault: "looks like a total of other rows",
      code: "total_row",
    }),
    hint: "Delete the row, or write this cell in another way.",
  };
}

/** The rows above the last one, which may be their total. */
export class RowsAbove {
  #count = 0;
  readonly #sums = new Map<number, number>();
  /** The columns that have a value in all rows. */
  #filled: readonly number[];

  constructor(private readonly plan: TablePlan) {
    this.#filled = plan.columns.map(({ index }) => index);
  }

  add(row: TableRow): void {
    this.#count += 1;
    this.#filled = this.#filled.filter((index) => !isBlank(row.cells[index]));
    for (const { index, value } of this.#listNumbers(row))
      this.#sums.set(index, this.#getSum(index) + value);
  }

  /**
   * The problem of a row that has a word for a total, and the sum of a column or no value where others have one; and of
   * a row of nothing but sums.
   */
  findTotal(row: TableRow): TableProblem[] {
    const { plan } = this;
    const { number, cells } = row;
    const sums = this.#listNumbers(row).map(({ index, value }) => {
      const sum = this.#getSum(index);
      const isSum = Math.abs(sum - value) < 1e-9 * Math.max(1, Math.abs(sum));
      return isSum ? value : null;
    });
    const texts = cells.map((cell) => toKey(plan.getText(cell)));
    const label = texts.findIndex(
      (text) => text !== "" && findDecimalMark(text) === undefined,
    );
    if (sums.some((sum) => sum !== null)) {
      if (isTotal(texts[label] ?? "", () => false))
        return [createTotalProblem(plan, number, label)];
      const missing = this.#filled.find((index) => isBlank(cells[index]));
      if (
        label < 0 &&
        missing !== undefined &&
        this.#count > 1 &&
        sums.every(Boolean)
      )
        return [createTotalProblem(plan, number, missing)];
    }
    const first = cells.findIndex((cell) => !isBlank(cell));
    return plan.columns.some(({ index }) => isBlank(cells[index]))
      ? findTotal(plan, row, first, () => false)
      : [];
  }

  #getSum(index: number): number {
    return this.#sums.get(index) ?? 0;
  }

  #listNumbers({ cells }: TableRow): { index: number; value: number }[] {
    return this.plan.columns.flatMap(({ index, field }) => {
      if (field?.type !== "Number") return [];
      const value = this.plan.readAs(cells[index], index, field);
      return value === undefined ? [] : [{ index, value: Number(value) }];
    });
  }
}
