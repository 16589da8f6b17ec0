import { isFormulaError } from "../../definition/index.js";
import type { FileTable, Problem } from "../../plugin-api/index.js";
import type { RowSpool, PlacedRow, TextPlace } from "./row-spool.js";
import {
  type Collection,
  listLists,
  listNames,
  type RowGrouping,
  setAt,
  TablePlan,
  type TableRow,
} from "./table-plan.js";

/** A document of a row, or of all rows with the same key. */
export interface PlannedDocument {
  data: Record<string, unknown>;
  /** Its first row, with the values of the document that the row itself leaves empty. */
  first: TableRow;
  /** Null for a document of one row. */
  rows: TableRow[] | null;
  problems: Problem[];
}

/**
 * The rows of a table by their keys, in the order in which the keys first occur; only where they stand is in memory.
 * A document has the first value of each column of its own; where a later row leaves the cell empty, it agrees.
 */
export class RowGroups {
  readonly #places = new Map<string, TextPlace[]>();
  readonly #keys = new DocumentKeys<number>((row) => `row ${row}`, "row");

  /** @param document has the columns of the document, and `lines` those of the list. */
  constructor(
    private readonly spool: RowSpool,
    private readonly document: TablePlan,
    private readonly lines: TablePlan,
    private readonly grouping: RowGrouping & { keyColumn: number },
  ) {}

  get count(): number {
    return this.#places.size;
  }

  add({ number, cells, place }: PlacedRow): Problem[] {
    const { keyColumn } = this.grouping;
    const cell = cells[keyColumn];
    const key =
      this.#readTyped(cell, keyColumn) ?? this.document.showCell(cell);
    const result = this.#keys.read(key, number);
    if ("fault" in result)
      return [this.document.createProblem(number, keyColumn, result.fault)];
    const places = this.#places.get(result.key) ?? [];
    const last = places.at(-1);
    if (last && last[0] + last[1] === place[0])
      places[places.length - 1] = [last[0], last[1] + place[1]];
    else places.push(place);
    this.#places.set(result.key, places);
    return [];
  }

  /** The number or the date that a cell becomes in the document; undefined for a cell that becomes none. */
  #readTyped(cell: unknown, index: number): string | undefined {
    const column = this.document.columns.find(
      (candidate) => candidate.index === index,
    );
    const type = column?.field?.type;
    if (!column || (type !== "Number" && type !== "Date")) return undefined;
    const cells: unknown[] = [];
    cells[index] = cell;
    const data = this.document.convert({ number: 0, cells }, []);
    const value = column.steps.reduce<unknown>(
      (parent, step) =>
        typeof parent === "object" && parent !== null
          ? Reflect.get(parent, step)
          : undefined,
      data,
    );
    return isBlank(value) ? undefined : toComparable(value, type);
  }

  /** The first row whose cell differs from that of an earlier one, empty cells apart. */
  #findConflict(
    rows: readonly TableRow[],
    index: number,
  ): TableRow | undefined {
    const [first, ...others] = rows.filter(
      ({ cells }) => !isBlank(cells[index]),
    );
    const model = first?.cells[index];
    const compare = (cell: unknown) =>
      toComparable(this.document.getValue(cell));
    return others.find(({ cells }) => {
      if (compare(cells[index]) === compare(model)) return false;
      const value = this.#readTyped(cells[index], index);
      return value === undefined || value !== this.#readTyped(model, index);
    });
  }

  /** Once all rows were added. */
  async *documents(): AsyncGenerator<PlannedDocument> {
    const varying = await this.#findVarying();
    for (const places of this.#places.values()) {
      const rows = await this.#readRows(places);
      const [first] = rows;
      if (!first) continue;
      const problems: Problem[] = [];
      const cells = this.#mergeCells(rows, varying, problems);
      const merged = { number: first.number, cells };
      const data = this.document.convert(merged, problems);
      const items = rows
        .filter((row) => this.#hasItem(row))
        .map((row) => this.lines.convert(row, problems));
      setAt(data, this.grouping.as.split("."), items);
      yield { data, first: merged, rows, problems };
    }
  }

  /** Whether a row has a value for the list; one without is about the document alone. */
  #hasItem({ cells }: TableRow): boolean {
    return this.lines.columns.some(({ index }) => !isBlank(cells[index]));
  }

  async #readRows(places: readonly TextPlace[]): Promise<TableRow[]> {
    const rows: TableRow[] = [];
    for (const place of places)
      rows.push(...(await this.spool.readRows(place)));
    return rows;
  }

  /** Columns without a field of their own whose values differ within a document: they belong to the lines alone. */
  async #findVarying(): Promise<Set<number>> {
    const varying = new Set<number>();
    const open = this.document.columns
      .filter(({ field }) => field === null)
      .map(({ index }) => index);
    if (open.length === 0) return varying;
    for (const places of this.#places.values()) {
      const rows = await this.#readRows(places);
      for (const index of open)
        if (this.#findConflict(rows, index)) varying.add(index);
    }
    return varying;
  }

  #mergeCells(
    rows: readonly TableRow[],
    varying: ReadonlySet<number>,
    problems: Problem[],
  ): unknown[] {
    const cells = [...(rows[0]?.cells ?? [])];
    const indexes = new Set([
      ...this.document.columns.map(({ index }) => index),
      ...this.document.metadataColumns,
    ]);
    for (const index of indexes) {
      if (varying.has(index)) {
        cells[index] = null;
        continue;
      }
      cells[index] =
        rows.map((row) => row.cells[index]).find((cell) => !isBlank(cell)) ??
        null;
      const conflict = this.#findConflict(rows, index);
      if (conflict)
        problems.push(
          this.document.createProblem(
            conflict.number,
            index,
            `${JSON.stringify(conflict.cells[index])} differs from ${JSON.stringify(cells[index])} in another row of the same document. Correct it, or map the column to a field of the list, such as "${this.grouping.as}.…"`,
          ),
        );
    }
    return cells;
  }
}

/** The keys of documents; those that differ by capital letters alone are a fault. */
export class DocumentKeys<Place> {
  /** The keys and where they are first, by the keys in small letters. */
  readonly #spellings = new Map<string, { key: string; place: Place }>();

  /** @param kind what has the keys. */
  constructor(
    private readonly describePlace: (place: Place) => string,
    private readonly kind: "row" | "record",
  ) {}

  /** The key in a cell, or why it has none. */
  read(cell: unknown, place: Place): { key: string } | { fault: string } {
    if (typeof cell === "string" && isFormulaError(cell.trim()))
      return { fault: `contains the formula error ${cell.trim()}` };
    const key = toKey(cell);
    if (key === "") return { fault: describeNoKey(cell, this.kind) };
    const lower = key.toLowerCase();
    const spelling = this.#spellings.get(lower) ?? { key, place };
    this.#spellings.set(lower, spelling);
    return spelling.key === key
      ? { key }
      : {
          fault: `${JSON.stringify(key)} differs from ${JSON.stringify(spelling.key)} in ${this.describePlace(spelling.place)} by capital letters alone. Write both in the same way`,
        };
  }
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

const invisible = /[\u200B-\u200D\u2060\uFEFF]/g;

const timeWithZone = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i;

function isBlank(cell: unknown): boolean {
  return cell == null || (typeof cell === "string" && cell.trim() === "");
}

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

/** What the rows seem to be: several to a document. */
export interface GroupProposal extends RowGrouping {
  documentCount: number;
}

/** Rows that are compared to find the key. */
const comparedRows = 5000;

/**
 * Looks for columns that fit a list of the template and no field of the document, and for the column that names the
 * document of each row. @returns the problem that nobody has answered; null for rows that are a document each.
 */
export async function proposeGroup(
  spool: RowSpool,
  plan: TablePlan,
  schema: Collection[],
  root: Collection | undefined,
): Promise<{ proposal: GroupProposal | null; problem: Problem } | null> {
  const used = Object.entries(plan.mapping).flatMap(([name, path]) =>
    path === null ? [] : [name],
  );
  const except = new Set(used);
  const [list] = findFittingLists(plan.table, plan, schema, root, except);
  if (!list) return null;
  const { as, names } = list;
  const key = await findKeyColumn(spool, plan, names);
  const empty = `${names.length === 1 ? "The column" : "The columns"} ${listNames(names)} ${names.length === 1 ? "fits" : "fit"} the list "${as}", which would be empty in every document.`;
  if (key === undefined)
    return {
      proposal: null,
      problem: {
        path: `field "${as}"`,
        code: "group",
        message: empty,
        hint: 'Give the column that names the document of each row in "group", or say in "mapping" which column is which field.',
      },
    };
  const keys = new Set<string>();
  for await (const { cells } of spool.rows())
    keys.add(toKey(plan.showCell(cells[key])).toLowerCase());
  const by = plan.table.columns[key]?.name ?? "";
  const documentCount = keys.size;
  return {
    proposal: { by, as, documentCount },
    problem: {
      path: `field "${as}"`,
      code: "group",
      message: `These ${plan.table.rowCount} rows look like ${documentCount} ${documentCount === 1 ? "document" : "documents"}, one for each "${by}". ${empty}`,
      hint: `Send "group": ${JSON.stringify({ by, as })}, or "mapping" for a document for each row.`,
    },
  };
}

/**
 * The lists that the most columns of a table fit, and the names of these columns. @param documents the plan that may fill a
 * list already. @param except names of columns that are fields of documents.
 */
export function findFittingLists(
  table: FileTable,
  documents: TablePlan,
  schema: Collection[],
  root: Collection | undefined,
  except: ReadonlySet<string> = new Set(),
): { as: string; names: string[] }[] {
  const taken = new Set(Object.values(documents.mapping));
  const lists = [...listLists(schema, root)]
    .filter(([path]) => !taken.has(path))
    .map(([as, collection]) => {
      const lines = new TablePlan(table, schema, collection, {
        without: null,
        except,
        mayBeEmpty: true,
      });
      const names = lines.columns.flatMap(({ field, index }) =>
        field ? [table.columns[index]?.name ?? ""] : [],
      );
      return { as, names };
    });
  const most = Math.max(1, ...lists.map(({ names }) => names.length));
  return lists.filter(({ names }) => names.length === most);
}

/**
 * The first column whose equal values stand beside equal values of the document; one that repeats before others. Without
 * such a column that repeats, the first that the document has: one that repeats may be the key beside a wrong value.
 */
async function findKeyColumn(
  spool: RowSpool,
  plan: TablePlan,
  lineColumns: readonly string[],
): Promise<number | undefined> {
  const compared = plan.columns.map(({ index }) => index);
  const candidates = new Map(
    plan.table.columns.flatMap(({ name, type }, index) =>
      type === "empty" || lineColumns.includes(name)
        ? []
        : [[index, new Map<string, readonly unknown[]>()] as const],
    ),
  );
  const disagreeing = new Set<number>();
  let count = 0;
  for await (const { cells } of spool.rows()) {
    for (const [index, firsts] of candidates) {
      const key = toKey(plan.showCell(cells[index]));
      const first = firsts.get(key);
      const agrees = compared.every(
        (column) =>
          isBlank(cells[column]) ||
          !first ||
          toComparable(plan.getValue(first[column])) ===
            toComparable(plan.getValue(cells[column])),
      );
      if (key === "") candidates.delete(index);
      else if (!agrees) disagreeing.add(index);
      if (!first) firsts.set(key, cells);
    }
    count += 1;
    if (count === comparedRows) break;
  }
  const keys = [...candidates];
  const isLikely = (index: number) => {
    const column = plan.table.columns[index];
    return column?.type !== "date" && column?.booleans === null;
  };
  const [best] = keys.find(
    ([index, firsts]) => firsts.size < count && !disagreeing.has(index),
  ) ??
    keys.find(
      ([index]) =>
        compared.includes(index) &&
        (!disagreeing.has(index) || isLikely(index)),
    ) ?? [undefined];
  return best;
}
