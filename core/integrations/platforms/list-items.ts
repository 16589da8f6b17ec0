import {
  describeAlike,
  DocumentKeys,
  findCommon,
  findTotal,
  isBlank,
  isEqual,
  isTotal,
  readKey,
  readKeys,
  toValues,
} from "./document-keys.js";
import type { PlacedRow, RowSpool, TextPlace } from "./row-spool.js";
import {
  createFault,
  setAt,
  shorten,
  type TablePlan,
  type TableRow,
} from "./table-plan.js";
import type { TableProblem } from "./views.js";

// How rows of files become items of a document's list: those of its own table (`group`), and those of others (`join`).

/** A document of a row, or of all rows with the same key. */
export interface PlannedDocument {
  data: Record<string, unknown>;
  /** Its first row, with the values of the document that the row itself leaves empty. */
  first: TableRow;
  /** Null for a document of one row. */
  rows: TableRow[] | null;
  problems: TableProblem[];
}

interface Grouping {
  keyColumn: number;
  /** Columns with the keys of joined tables. */
  joinColumns: readonly number[];
  /** The list. */
  as: string;
}

const noKeyHint = "Write the key into each row, and delete rows of totals.";

/**
 * The rows of a table by their keys, in the order in which the keys first occur; only where they stand is in memory.
 * A document has the first value of each column of its own; where a later row leaves the cell empty, it agrees.
 */
export class RowGroups {
  readonly #places = new Map<string, TextPlace[]>();
  readonly #keys = new DocumentKeys<number>((row) => `row ${row}`, "row");

  /** @param document has the columns of the document, and `items` those of the list. */
  constructor(
    private readonly spool: RowSpool,
    private readonly document: TablePlan,
    private readonly items: TablePlan,
    private readonly grouping: Grouping,
  ) {}

  get count(): number {
    return this.#places.size;
  }

  add(row: PlacedRow): TableProblem[] {
    const { document } = this;
    const { keyColumn } = this.grouping;
    const { number, cells, place } = row;
    const cell = cells[keyColumn];
    const isKey = (text: string) => this.#keys.find(text) !== undefined;
    const total = findTotal(document, row, keyColumn, isKey);
    if (total.length > 0) return total;
    const names = readKeys(document, cell, keyColumn, null);
    const result = this.#keys.read(
      readKey(document, cell, keyColumn),
      number,
      names.filter(Boolean),
    );
    if ("fault" in result)
      return [
        {
          ...document.createProblem(number, keyColumn, result),
          ...(isBlank(cell) && { hint: noKeyHint }),
        },
      ];
    const places = this.#places.get(result.key) ?? [];
    const last = places.at(-1);
    if (last && last[0] + last[1] === place[0])
      places[places.length - 1] = [last[0], last[1] + place[1]];
    else places.push(place);
    this.#places.set(result.key, places);
    return [];
  }

  #findCommon(rows: readonly TableRow[], index: number) {
    return findCommon(
      rows,
      ({ cells }) => cells[index],
      (cell, other) => isEqual(this.document, index, cell, other),
    );
  }

  /** Once all rows were added. */
  async *documents(): AsyncGenerator<PlannedDocument> {
    const varying = await this.#findVarying();
    for (const places of this.#places.values()) {
      const rows = await this.#readRows(places);
      const [first] = rows;
      if (!first) continue;
      const problems: TableProblem[] = [];
      const cells = this.#mergeCells(rows, varying, problems);
      const merged = { number: first.number, cells };
      const data = this.document.convert(merged, problems);
      const items = rows
        .filter((row) => this.#hasItem(row))
        .map((row) => this.items.convert(row, problems));
      setAt(data, this.grouping.as.split("."), items);
      yield { data, first: merged, rows, problems };
    }
  }

  /** Whether a row has a value for the list; one without is about the document alone. */
  #hasItem({ cells }: TableRow): boolean {
    return this.items.columns.some(({ index }) => !isBlank(cells[index]));
  }

  async #readRows(places: readonly TextPlace[]): Promise<TableRow[]> {
    const rows: TableRow[] = [];
    for (const place of places)
      rows.push(...(await this.spool.readRows(place)));
    return rows;
  }

  /** Columns without a field of their own whose values differ within a document: they belong to the items alone. */
  async #findVarying(): Promise<Set<number>> {
    const varying = new Set<number>();
    const open = this.document.columns
      .filter(({ field }) => field === null)
      .map(({ index }) => index);
    if (open.length === 0) return varying;
    for (const places of this.#places.values()) {
      const rows = await this.#readRows(places);
      for (const index of open)
        if (this.#findCommon(rows, index).other) varying.add(index);
    }
    return varying;
  }

  #mergeCells(
    rows: readonly TableRow[],
    varying: ReadonlySet<number>,
    problems: TableProblem[],
  ): unknown[] {
    const { document } = this;
    const cells = [...(rows[0]?.cells ?? [])];
    const indexes = new Set([
      ...document.columns.map(({ index }) => index),
      ...document.metadataColumns,
      ...this.grouping.joinColumns,
    ]);
    for (const index of indexes) {
      const compared = varying.has(index) ? [] : rows;
      const { model, other } = this.#findCommon(compared, index);
      cells[index] = model?.cells[index] ?? null;
      if (!other) continue;
      const text = shorten(document.getText(cells[index]));
      problems.push(
        document.createProblem(
          other.number,
          index,
          createFault(
            "conflicting_values",
            document.getText(other.cells[index]),
            `differs from "${text}" in another row of the same document. Correct it, or map the column to a field of the list, such as "${this.grouping.as}.…"`,
            { other: text },
          ),
        ),
      );
    }
    return cells;
  }
}

/** A table whose rows are items of the documents' rows. */
interface JoinedTable {
  plan: TablePlan;
  /** The column of the key in it. */
  column: number;
  documents: TablePlan;
  /** That of the key in the documents' table. */
  keyColumn: number;
  /** Keys of rows that are no documents: their items are left out. */
  skipped: ReadonlySet<string>;
}

/** Rows with the same key. */
interface RowsOfKey {
  row: number;
  places: TextPlace[];
  /** The row of the documents that has them. */
  usedBy?: number;
}

const maxUnused = 1000;

/** The rows of another table, by the rows of the documents' table that they belong to. */
export class JoinedRows {
  readonly #rows = new Map<string, RowsOfKey>();
  /** Keys by the texts that their cells show. */
  readonly #keys = new Map<string, Set<string>>();
  readonly #documents = new DocumentKeys<number>((row) => `row ${row}`, "row");
  readonly #isKey = (text: string) => this.#documents.find(text) !== undefined;

  /** @param as the list. */
  constructor(
    private readonly store: RowSpool,
    private readonly as: string,
    private readonly table: JoinedTable,
  ) {}

  async add(row: TableRow): Promise<TableProblem[]> {
    const { plan, column, documents, keyColumn, skipped } = this.table;
    const problems: TableProblem[] = [];
    // Keys have the type of those that they are compared with.
    const field = documents.getField(keyColumn);
    const [key = "", text] = readKeys(plan, row.cells[column], column, field);
    if (skipped.has(key) || (text !== undefined && skipped.has(text)))
      return [];
    if (key === "")
      problems.push({
        ...plan.createProblem(row.number, column, {
          fault: "is empty, so that the row belongs to no document",
          code: "no_key",
        }),
        hint: noKeyHint,
      });
    const data = plan.convert(row, problems);
    if (problems.length > 0) return problems;
    const place = await this.store.append(JSON.stringify(data));
    const existing = this.#rows.get(key);
    if (existing) existing.places.push(place);
    else this.#rows.set(key, { row: row.number, places: [place] });
    if (text !== undefined)
      this.#keys.set(text, (this.#keys.get(text) ?? new Set()).add(key));
    return [];
  }

  /** A key that is a text in one of the tables alone is compared with what the other shows: `0042` may be the number 42. */
  async attach(
    data: Record<string, unknown>,
    row: TableRow,
  ): Promise<TableProblem[]> {
    const { number } = row;
    const { documents, keyColumn } = this.table;
    const names = readKeys(
      documents,
      row.cells[keyColumn],
      keyColumn,
      documents.getField(keyColumn),
    );
    if (names.includes(""))
      return [
        {
          ...documents.createProblem(number, keyColumn, {
            fault: `has no key, so that "${this.as}" would be empty`,
            code: "no_key",
            values: { field: this.as },
          }),
          hint: noKeyHint,
        },
      ];
    const keys = new Set(names);
    if (keys.size === 1)
      for (const key of names)
        for (const other of this.#keys.get(key) ?? []) keys.add(other);
    const places: TextPlace[] = [];
    for (const key of keys) {
      const rows = this.#rows.get(key);
      if (rows?.usedBy !== undefined)
        return [
          documents.createProblem(number, keyColumn, {
            fault: `has the same key as row ${rows.usedBy}, so that the lines would be in both documents`,
            code: "repeated_key",
            values: { otherRow: rows.usedBy },
          }),
        ];
      if (!rows) continue;
      rows.usedBy = number;
      places.push(...rows.places);
    }
    if (places.length === 0) {
      const total = findTotal(documents, row, keyColumn, this.#isKey);
      if (total.length > 0) return total;
    }
    const result = this.#documents.read(names[0], number, names);
    if ("fault" in result)
      return [documents.createProblem(number, keyColumn, result)];
    const items: unknown[] = [];
    for (const place of places.toSorted(([start], [other]) => start - other))
      items.push(JSON.parse(await this.store.read(place)));
    setAt(data, this.as.split("."), items);
    return [];
  }

  /** Items that no document would show. */
  findUnused(): TableProblem[] {
    const { plan, column } = this.table;
    const problems: TableProblem[] = [];
    for (const [key, { row, usedBy }] of this.#rows) {
      if (usedBy !== undefined) continue;
      const alike = this.#documents.find(key);
      const hint = alike
        ? `${describeAlike(key, alike.key, `row ${alike.place}`)}.`
        : isTotal(key, this.#isKey)
          ? "Delete the row if it is a total of others."
          : undefined;
      const text = shorten(key);
      problems.push({
        ...plan.createProblem(row, column, {
          fault: `no row has the key "${text}" that this line belongs to`,
          code: "line_without_row",
          values: { text, ...(alike && toValues(alike)) },
        }),
        ...(hint !== undefined && { hint }),
      });
      if (problems.length === maxUnused) break;
    }
    return problems;
  }
}
