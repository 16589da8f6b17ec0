import {
  PlatenError,
  type Row,
  type RowsFound,
} from "../../plugin-api/index.js";
import type { RecordBatch } from "../../storage/database/index.js";
import type { CallLimits, ConnectedPlatform } from "../host/index.js";
import {
  type FetchPlan,
  GROUPED_RECORDS,
  type PlannedCollection,
  type PlannedLink,
} from "./fetch-plan.js";
import { convertCell } from "./convert-cell.js";
import { mergeRecords } from "./record-groups.js";

/** A record's root data as JSON, or why it has none. */
export type FetchedRecord = { json: string } | { error: PlatenError };

const limits = {
  /** The maximum number of links that are followed one after the other. */
  maxDepth: 8,
  /** The maximum number of rows that records which are fetched together may lead to; also of a single record. */
  maxRows: 50_000,
  /** The maximum number of objects in the data of one document, its root included. */
  maxObjects: 20_000,
};

/**
 * Fetches the records of documents with all that they link to, in as few requests as possible. If together they lead to
 * too many rows, each half is fetched separately. @param documents the ids of the records of each.
 * @param callLimits of each call; see `CallLimits.maxWaitMs`. @returns the result for the first record of each document.
 */
export async function fetchRecords(
  platform: ConnectedPlatform,
  batch: Pick<RecordBatch, "baseId" | "plan">,
  documents: readonly (readonly string[])[],
  callLimits: CallLimits,
): Promise<Map<string, FetchedRecord>> {
  // Only this capability writes the column.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const plan = batch.plan as FetchPlan;
  const base = batch.baseId === null ? {} : { baseId: batch.baseId };
  // The later calls wait, since what was fetched would be lost.
  const { maxWaitMs: _, ...later } = callLimits;
  let next = callLimits;
  const rows = await fetchLinkedRows(
    plan,
    documents.flat(),
    (tableId, ids, fields) => {
      const current = next;
      next = later;
      return platform.fetchRows({ tableId, ...base }, ids, fields, current);
    },
  );
  if (rows !== null) {
    const roots = new Map(
      documents.map((ids) => [ids[0] ?? "", findRoot(plan, rows, ids)]),
    );
    const mapped = await mapRows(platform, plan, rows, roots.values());
    return new Map(
      [...roots].map(([id, root]) => [
        id,
        root instanceof PlatenError
          ? { error: root }
          : toFetchedRecord(plan, rows, mapped, root),
      ]),
    );
  }
  const [only] = documents;
  if (only !== undefined && documents.length === 1)
    return new Map([[only[0] ?? "", { error: tooManyRows() }]]);
  const middle = Math.ceil(documents.length / 2);
  const halves = [documents.slice(0, middle), documents.slice(middle)];
  const fetched = new Map<string, FetchedRecord>();
  for (const half of halves) {
    const records = await fetchRecords(platform, batch, half, later);
    for (const [id, record] of records) fetched.set(id, record);
  }
  return fetched;
}

/** What the plugin's own mapping makes of each row; empty when it has none. */
type MappedRows = ReadonlyMap<Row, Data | PlatenError>;

async function mapRows(
  platform: ConnectedPlatform,
  { tables, collections }: FetchPlan,
  rows: FetchedRows,
  roots: Iterable<Row | PlatenError>,
): Promise<MappedRows> {
  const mapped = new Map<Row, Data | PlatenError>();
  const rootRows = [...roots].flatMap((root) =>
    root instanceof PlatenError ? [] : [root],
  );
  for (const table of tables) {
    const others = table.id === collections[0]?.tableId ? rootRows : [];
    const all = new Set([...rows.list(table.id), ...others]);
    const some = await platform.mapRows([...all], table);
    for (const [row, data] of some ?? []) mapped.set(row, data);
  }
  return mapped;
}

/** The row of a document, or why it has none. */
function findRoot(
  plan: FetchPlan,
  rows: FetchedRows,
  recordIds: readonly string[],
): Row | PlatenError {
  const tableId = plan.collections[0]?.tableId ?? "";
  const missing = recordIds.find((id) => !rows.get(tableId, id));
  const [first, ...others] = recordIds.flatMap(
    (id) => rows.get(tableId, id) ?? [],
  );
  return first && missing === undefined
    ? mergeRecords(plan, [first, ...others], (table, id) => rows.get(table, id))
    : recordNotFound(plan, missing ?? "");
}

function toFetchedRecord(
  plan: FetchPlan,
  rows: FetchedRows,
  mapped: MappedRows,
  row: Row,
): FetchedRecord {
  try {
    const builder = new RootDataBuilder(plan, rows, mapped);
    return { json: JSON.stringify(builder.build(row)) };
  } catch (error) {
    if (error instanceof PlatenError) return { error };
    throw error;
  }
}

function recordNotFound({ collections, tables }: FetchPlan, recordId: string) {
  const table = tables.find(({ id }) => id === collections[0]?.tableId);
  return new PlatenError(
    "not_found",
    `The table "${table?.name ?? ""}" no longer has a record "${recordId}".`,
  );
}

function tooManyRows(): PlatenError {
  return new PlatenError(
    "too_large",
    `This record leads to more than ${limits.maxRows} linked rows. ` +
      "Remove links that the document does not need from the template's schema.",
  );
}

/** The rows that were read, each once. */
class FetchedRows {
  readonly #tables = new Map<string, Map<string, Row>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(tableId: string, rows: readonly Row[]): void {
    const table = this.#tables.get(tableId) ?? new Map<string, Row>();
    this.#tables.set(tableId, table);
    for (const row of rows) {
      if (!table.has(row.id)) this.#count += 1;
      table.set(row.id, row);
    }
  }

  list(tableId: string): Row[] {
    return [...(this.#tables.get(tableId)?.values() ?? [])];
  }

  get(tableId: string, rowId: string): Row | undefined {
    return this.#tables.get(tableId)?.get(rowId);
  }
}

/** The ids of the rows to visit next, by collection id. */
type Frontier = Map<string, Set<string>>;

/**
 * Reads records and all that they link to, level by level. Each level reads every table once for all records, and each
 * row is read once, so that cycles end. @returns null when there are more rows than allowed.
 */
async function fetchLinkedRows(
  plan: FetchPlan,
  recordIds: readonly string[],
  fetchRows: (
    tableId: string,
    ids: readonly string[],
    fieldIds: readonly string[],
  ) => Promise<RowsFound>,
): Promise<FetchedRows | null> {
  const rows = new FetchedRows();
  const seen = new Set<string>();
  const fields = listFields(plan);
  const root = plan.collections[0];
  if (root === undefined) return rows;
  const lists = root.links.filter(({ fieldId }) => fieldId === GROUPED_RECORDS);
  let frontier: Frontier = new Map(
    [root.id, ...lists.map(({ target }) => target)].map((id) => [
      id,
      new Set(recordIds),
    ]),
  );
  for (let level = 0; frontier.size > 0 && level <= limits.maxDepth; level++) {
    const wanted = listUnread(plan, frontier, rows);
    const count = [...wanted.values()].reduce((sum, ids) => sum + ids.size, 0);
    if (rows.count + count > limits.maxRows) return null;
    await Promise.all(
      [...wanted].map(async ([tableId, ids]) => {
        const fieldIds = [...(fields.get(tableId) ?? [])];
        const fetched = await fetchRows(tableId, [...ids], fieldIds);
        rows.add(tableId, fetched.rows);
      }),
    );
    frontier = followLinks(plan, frontier, rows, seen);
  }
  return rows;
}

/** The ids of the fields to read of each table. */
function listFields({ collections }: FetchPlan): Map<string, Set<string>> {
  const byTable = new Map<string, Set<string>>();
  for (const { tableId, values, links } of collections) {
    const fields = byTable.get(tableId) ?? new Set<string>();
    for (const { fieldId } of [...values, ...links])
      if (fieldId !== null && fieldId !== GROUPED_RECORDS) fields.add(fieldId);
    byTable.set(tableId, fields);
  }
  return byTable;
}

/** The ids of the frontier's rows that were not read yet, by table id. */
function listUnread(
  plan: FetchPlan,
  frontier: Frontier,
  rows: FetchedRows,
): Map<string, Set<string>> {
  const unread = new Map<string, Set<string>>();
  for (const { id, tableId } of plan.collections)
    for (const rowId of frontier.get(id) ?? []) {
      if (rows.get(tableId, rowId)) continue;
      const ids = unread.get(tableId) ?? new Set<string>();
      unread.set(tableId, ids.add(rowId));
    }
  return unread;
}

function followLinks(
  plan: FetchPlan,
  frontier: Frontier,
  rows: FetchedRows,
  seen: Set<string>,
): Frontier {
  const next: Frontier = new Map();
  for (const collection of plan.collections)
    for (const rowId of frontier.get(collection.id) ?? [])
      for (const [target, id] of listLinks(collection, rowId, rows)) {
        const key = JSON.stringify([target, id]);
        if (seen.has(key)) continue;
        seen.add(key);
        next.set(target, (next.get(target) ?? new Set<string>()).add(id));
      }
  return next;
}

function* listLinks(
  { tableId, links }: PlannedCollection,
  rowId: string,
  rows: FetchedRows,
): Generator<[target: string, id: string]> {
  const row = rows.get(tableId, rowId);
  if (row === undefined) return;
  for (const { target, fieldId, many } of links) {
    const ids = row.links[fieldId] ?? [];
    for (const id of many ? ids : ids.slice(0, 1)) yield [target, id];
  }
}

type Data = Record<string, unknown>;

/**
 * Builds the root data of one record: its values, and its linked rows as nested objects and arrays. Links back to a row
 * on the path are omitted, and so are links to rows that do not exist.
 */
class RootDataBuilder {
  readonly #collections: Map<string, PlannedCollection>;
  #objects = 0;

  constructor(
    private readonly plan: FetchPlan,
    private readonly rows: FetchedRows,
    private readonly mapped: MappedRows,
  ) {
    const { collections } = plan;
    this.#collections = new Map(
      collections.map((collection) => [collection.id, collection]),
    );
  }

  /** @throws PlatenError `too_large` for data that is nested too deep or has too many objects. */
  build(row: Row): Data {
    const [root] = this.plan.collections;
    return root ? this.#build(root, row, []) : {};
  }

  #build(collection: PlannedCollection, row: Row, path: readonly Row[]): Data {
    this.#count(collection);
    const links = collection.links.map((link): [string, unknown] => [
      link.name,
      this.#getLinked(link, row, [...path, row]),
    ]);
    const values = this.#getValues(collection, row);
    return { ...values, ...Object.fromEntries(links) };
  }

  #getValues({ values }: PlannedCollection, row: Row): Data {
    const mapped = this.mapped.get(row);
    if (mapped instanceof PlatenError) throw mapped;
    if (mapped) return mapped;
    const entries = values.map(
      ({ name, fieldId, ...field }): [string, unknown] => [
        name,
        fieldId === null ? row.id : convertCell(row.fields[fieldId], field),
      ],
    );
    return Object.fromEntries(entries);
  }

  #getLinked(
    { name, fieldId, target, many }: PlannedLink,
    row: Row,
    path: readonly Row[],
  ): Data | Data[] | null {
    const collection = this.#collections.get(target);
    const ids = row.links[fieldId] ?? [];
    if (collection === undefined) return many ? [] : null;
    const linkedData: Data[] = [];
    for (const id of many ? ids : ids.slice(0, 1)) {
      const linked = this.rows.get(collection.tableId, id);
      if (linked && path.includes(linked)) continue;
      if (path.length > limits.maxDepth)
        throw new PlatenError(
          "too_large",
          `The link "${name}" is more than ${limits.maxDepth} links away from the record. ` +
            "Remove the link that leads back from the template's schema.",
        );
      if (linked) linkedData.push(this.#build(collection, linked, path));
    }
    return many ? linkedData : (linkedData[0] ?? null);
  }

  #count({ id }: PlannedCollection): void {
    this.#objects += 1;
    const { maxObjects } = limits;
    if (this.#objects > maxObjects)
      throw new PlatenError(
        "too_large",
        `This record leads to more than ${maxObjects} linked rows, the last of them in the collection "${id}". ` +
          "Remove links that the document does not need from the template's schema.",
      );
  }
}
