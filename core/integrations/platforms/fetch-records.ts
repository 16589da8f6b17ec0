import {
  getFormula,
  isFormulaError,
  type ProjectData,
} from "../../definition/index.js";
import {
  PlatenError,
  type Row,
  type RowsFound,
  type TableInfo,
  type FieldInfo,
  type NumberFormat,
  type FieldKind,
  type Problem,
  findNearestWord,
  parseLosslessNumber,
} from "../../plugin-api/index.js";
import type { RecordBatch } from "../../storage/database/index.js";
import type { CallLimits, ConnectedPlatform } from "../host/index.js";

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
 * Fetches records with all that they link to, in as few requests as possible. If together they lead to too many rows,
 * each half is fetched separately. @param callLimits of each call; see `CallLimits.maxWaitMs`.
 * @returns the result for each record.
 */
export async function fetchRecords(
  platform: ConnectedPlatform,
  batch: Pick<RecordBatch, "baseId" | "plan">,
  recordIds: readonly string[],
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
    recordIds,
    (tableId, ids, fields) => {
      const current = next;
      next = later;
      return platform.fetchRows({ tableId, ...base }, ids, fields, current);
    },
  );
  if (rows !== null) {
    const mapped = await mapRows(platform, plan, rows);
    return new Map(
      recordIds.map((id) => [id, toFetchedRecord(plan, rows, mapped, id)]),
    );
  }
  const [only] = recordIds;
  if (only !== undefined && recordIds.length === 1)
    return new Map([[only, { error: tooManyRows() }]]);
  const middle = Math.ceil(recordIds.length / 2);
  const halves = [recordIds.slice(0, middle), recordIds.slice(middle)];
  const fetched = new Map<string, FetchedRecord>();
  for (const half of halves) {
    const found = await fetchRecords(platform, batch, half, later);
    for (const [id, record] of found) fetched.set(id, record);
  }
  return fetched;
}

/** What the plugin's own mapping makes of each row; empty when it has none. */
type MappedRows = ReadonlyMap<Row, Data | PlatenError>;

async function mapRows(
  platform: ConnectedPlatform,
  { tables }: FetchPlan,
  rows: FetchedRows,
): Promise<MappedRows> {
  const mapped = new Map<Row, Data | PlatenError>();
  for (const table of tables) {
    const some = await platform.mapRows(rows.list(table.id), table);
    for (const [row, data] of some ?? []) mapped.set(row, data);
  }
  return mapped;
}

function toFetchedRecord(
  plan: FetchPlan,
  rows: FetchedRows,
  mapped: MappedRows,
  recordId: string,
): FetchedRecord {
  const [root] = plan.collections;
  if (!root || !rows.get(root.tableId, recordId))
    return { error: recordNotFound(plan, recordId) };
  try {
    const builder = new RootDataBuilder(plan, rows, mapped);
    const data = builder.build(root, recordId, []);
    return { json: JSON.stringify(data) };
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
  let frontier: Frontier = new Map([[root.id, new Set(recordIds)]]);
  for (let level = 0; frontier.size > 0 && level <= limits.maxDepth; level++) {
    const wanted = listUnread(plan, frontier, rows);
    const count = [...wanted.values()].reduce((sum, ids) => sum + ids.size, 0);
    if (rows.count + count > limits.maxRows) return null;
    await Promise.all(
      [...wanted].map(async ([tableId, ids]) => {
        const fieldIds = [...(fields.get(tableId) ?? [])];
        const found = await fetchRows(tableId, [...ids], fieldIds);
        rows.add(tableId, found.rows);
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
      if (fieldId !== null) fields.add(fieldId);
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
    { collections }: FetchPlan,
    private readonly rows: FetchedRows,
    private readonly mapped: MappedRows,
  ) {
    this.#collections = new Map(collections.map((one) => [one.id, one]));
  }

  /**
   * @returns null when the row does not exist.
   * @throws PlatenError `too_large` for data that is nested too deep or has too many objects.
   */
  build(
    collection: PlannedCollection,
    rowId: string,
    path: readonly Row[],
  ): Data | null {
    const row = this.rows.get(collection.tableId, rowId);
    if (row === undefined) return null;
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
    const found: Data[] = [];
    for (const id of many ? ids : ids.slice(0, 1)) {
      const linked = this.rows.get(collection.tableId, id);
      if (linked && path.includes(linked)) continue;
      if (path.length > limits.maxDepth)
        throw new PlatenError(
          "too_large",
          `The link "${name}" is more than ${limits.maxDepth} links away from the record. ` +
            "Remove the link that leads back from the template's schema.",
        );
      const data = this.build(collection, id, path);
      if (data) found.push(data);
    }
    return many ? found : (found[0] ?? null);
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

/** How a template's data is read from a platform: checked once against its tables, then stored with the batch. */
export interface FetchPlan {
  /** The first is the root. */
  collections: PlannedCollection[];
  tables: TableInfo[];
}

/** A collection of the template's schema, and the table that its rows come from. */
interface PlannedCollection {
  id: string;
  tableId: string;
  values: PlannedValue[];
  links: PlannedLink[];
}

interface PlannedValue {
  /** In the data. */
  name: string;
  type: "Autogenerated" | "String" | "Date" | "Number";
  /** Null for the row's own id. */
  fieldId: string | null;
  kind: FieldKind;
  /** What a number is multiplied by, when the platform and the template's schema write percentages differently. */
  scale?: number;
}

interface PlannedLink {
  /** In the data. */
  name: string;
  fieldId: string;
  /** The id of the linked collection. */
  target: string;
  /** Whether it is an array of objects; otherwise it is one object or null. */
  many: boolean;
}

type Schema = ProjectData["schema"];
type Field = Schema[number]["fields"][number];
type LinkField = Extract<Field, { target: string }>;

/** The source of a field that is left empty on purpose, because the platform has nothing for it. */
const NO_SOURCE = "";

/** A collection and its table, while it is planned. */
interface PlanContext {
  /** The JSON path of the collection, for problems. */
  path: string;
  table: TableInfo;
  tables: readonly TableInfo[];
  /** The table of each collection by its id. Links add the collections that they lead to. */
  tableByCollection: Map<string, TableInfo>;
}

/**
 * Finds each collection that can be reached from the root in the platform's tables. The plan can only be used when there
 * are no problems.
 */
export function createFetchPlan(
  schema: Schema,
  root: TableInfo,
  tables: readonly TableInfo[],
): { plan: FetchPlan; problems: Problem[] } {
  const problems: Problem[] = [];
  const collections: PlannedCollection[] = [];
  const tableByCollection = new Map([[schema[0]?.id ?? "root", root]]);
  for (const [id, table] of tableByCollection) {
    const index = schema.findIndex((collection) => collection.id === id);
    const collection = schema[index];
    if (collection === undefined) continue;
    const path = `$.schema[${index}]`;
    const context = { path, table, tables, tableByCollection };
    collections.push(planCollection(collection, context, problems));
    const named = collection.source?.tableId;
    if (
      index > 0 &&
      named !== undefined &&
      findTable(tables, named)?.id !== table.id
    )
      problems.push({
        path: `${path}.source.tableId`,
        code: "other_table",
        message: `names the table "${named}", but the link leads to "${table.name}".`,
      });
  }
  const used = new Set(collections.map(({ tableId }) => tableId));
  return {
    plan: {
      collections,
      tables: tables
        .filter(({ id }) => used.has(id))
        .map((table) => {
          const { views: _, ...stored } = table;
          return stored;
        }),
    },
    problems,
  };
}

function planCollection(
  { id, fields }: Schema[number],
  context: PlanContext,
  problems: Problem[],
): PlannedCollection {
  const tableId = context.table.id;
  const planned: PlannedCollection = { id, tableId, values: [], links: [] };
  for (const [index, field] of fields.entries()) {
    const problem = planField(field, context, planned);
    const path = `${context.path}.fields[${index}]`;
    if (problem) problems.push({ path, code: "source", ...problem });
  }
  return planned;
}

type FieldProblem = Pick<Problem, "message" | "hint">;

/** Adds the field to the plan, or returns why it cannot be read. */
function planField(
  field: Field,
  context: PlanContext,
  { values, links }: PlannedCollection,
): FieldProblem | null {
  if (field.source === NO_SOURCE || getFormula(field) !== undefined)
    return null;
  const { table } = context;
  const found = findField(table, field.source ?? field.name);
  if ("target" in field) return planLink(field, found, context, links);
  const { name, type } = field;
  if (found === undefined) {
    if (type !== "Autogenerated" || field.source !== undefined)
      return describeUnknown(field, table);
    values.push({ name, type, fieldId: null, kind: "text" });
    return null;
  }
  if (found.kind === "link")
    return {
      message: `"${found.name}" of the table "${table.name}" is a link.`,
      hint: "Make the field a OneToOneLink or a OneToManyLink in the template's schema.",
    };
  const scale =
    field.type === "Number" ? getScale(found.format, field.format) : 1;
  values.push({ name, type, fieldId: found.id, kind: found.kind, scale });
  return null;
}

/** What turns a percentage of one format into one of the other. */
function getScale(from?: NumberFormat, to?: NumberFormat): number {
  if (from === "percent" && to === "wholePercent") return 100;
  return from === "wholePercent" && to === "percent" ? 0.01 : 1;
}

function planLink(
  field: LinkField,
  found: FieldInfo | undefined,
  { table, tables, tableByCollection }: PlanContext,
  links: PlannedLink[],
): FieldProblem | null {
  if (found === undefined) return describeUnknown(field, table);
  if (!found.link)
    return {
      message: `"${found.name}" of the table "${table.name}" is not a link but ${found.native}.`,
      hint: "Name a link field as its source, or change its type in the template's schema.",
    };
  const { tableId } = found.link;
  const target = tables.find(({ id }) => id === tableId);
  if (!target)
    return {
      message: `"${found.name}" leads to a table that the connection cannot read.`,
    };
  const other = tableByCollection.get(field.target);
  if (other && other.id !== target.id)
    return {
      message: `leads to the table "${target.name}", but the collection "${field.target}" is in "${other.name}".`,
      hint: "Use a separate collection for each table.",
    };
  tableByCollection.set(field.target, target);
  const many = field.type === "OneToManyLink";
  const { name, target: targetId } = field;
  links.push({ name, fieldId: found.id, target: targetId, many });
  return null;
}

function describeUnknown(
  { name, source = name }: Field,
  table: TableInfo,
): FieldProblem {
  const names = table.fields.map((field) => field.name);
  return {
    message: fieldNotFound(source, table),
    hint: suggestName(source, names),
  };
}

/** Converts a cell's value to the type of the schema's field; null for an empty cell or a value of another type. */
export function convertCell(
  value: unknown,
  { type, kind, scale = 1 }: Pick<PlannedValue, "type" | "kind" | "scale">,
): unknown {
  if (value === undefined || value === null || value === "") return null;
  if (kind === "attachment") return getFirstUrl(value);
  const error = getFormulaError(getSingle(value));
  if (error !== null && type !== "String") return error;
  if (type === "Number") return multiply(toNumber(getSingle(value)), scale);
  if (type === "Date") return toDate(getSingle(value));
  return toText(value);
}

/** Some platforms return formulas and lookups as arrays, usually with one value. */
function getSingle(value: unknown): unknown {
  return Array.isArray(value) ? (value as unknown[])[0] : value;
}

/** What the platform shows in place of the value of a formula that failed; the check of the data lists it. */
function getFormulaError(value: unknown): string | null {
  if (typeof value === "string") return isFormulaError(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  const entries = Object.entries(value);
  const [[key, text] = []] = entries;
  const isError = key === "error" || key === "specialValue";
  return isError && entries.length === 1 && typeof text === "string"
    ? text
    : null;
}

/** A number that JavaScript would round stays a text of its digits. */
function toNumber(value: unknown): number | string | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "bigint") return parseLosslessNumber(String(value));
  if (typeof value !== "number" && typeof value !== "string") return null;
  if (typeof value === "string" && value.trim() === "") return null;
  const number = Number(value);
  if (!Number.isFinite(number)) return null;
  return typeof value === "string" ? parseLosslessNumber(value.trim()) : number;
}

/** Without the error of the binary fraction: 7 by 0.01 is 0.07. */
function multiply(value: ReturnType<typeof toNumber>, scale: number) {
  return value === null || scale === 1
    ? value
    : Number((Number(value) * scale).toPrecision(15));
}

/** Keeps a string as it is, so that a date without a time is printed as the same day in every time zone. */
function toDate(value: unknown): string | null {
  if (typeof value === "string") return value;
  const isTime = typeof value === "number" || value instanceof Date;
  const date = isTime ? new Date(value) : null;
  if (date === null || Number.isNaN(date.getTime())) return null;
  return date.toISOString();
}

/** Keeps numbers and booleans as they are, for conditions and formats; joins arrays to one text. */
function toText(value: unknown): string | number | boolean | null {
  if (Array.isArray(value)) {
    const texts = (value as unknown[]).map(toText);
    return texts.filter((text) => text !== null).join(", ");
  }
  if (value instanceof Date) return value.toISOString();
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return value.toString();
    case "object":
      return value === null
        ? null
        : (getFormulaError(value) ?? getDisplayText(value));
    default:
      return null;
  }
}

/** The properties in which platforms return the text of people, choices, files and barcodes. */
const textProperties = [
  "name",
  "label",
  "title",
  "text",
  "value",
  "displayName",
  "email",
  "url",
];

function getDisplayText(value: object): string {
  const text = textProperties
    .map((key): unknown => Reflect.get(value, key))
    .find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text : JSON.stringify(value);
}

/** The URL of an attachment field's first file, for an image. */
function getFirstUrl(value: unknown): string | null {
  const first = getSingle(value);
  if (typeof first === "string") return first;
  if (typeof first !== "object" || first === null) return null;
  const url: unknown = Reflect.get(first, "url");
  return typeof url === "string" ? url : null;
}

/** Finds a field by id, then by name, then by name ignoring case. */
export function findField(
  { fields }: Pick<TableInfo, "fields">,
  word: string,
): FieldInfo | undefined {
  const lower = word.toLowerCase();
  return (
    fields.find(({ id }) => id === word) ??
    fields.find(({ name }) => name === word) ??
    fields.find(({ name }) => name.toLowerCase() === lower)
  );
}

/** Finds a table by id, then by name. */
export function findTable(
  tables: readonly TableInfo[],
  word: string,
): TableInfo | undefined {
  return (
    tables.find(({ id }) => id === word) ??
    tables.find(({ name }) => name === word)
  );
}

export function tableNotFound(
  word: string,
  tables: readonly TableInfo[],
): string {
  const names = tables.map(({ name }) => name);
  return `There is no table "${word}" that the connection can read. ${suggestName(word, names)}`;
}

export function fieldNotFound(word: string, { name }: TableInfo): string {
  return `The table "${name}" has no field "${word}".`;
}

const maxListed = 20;

/** The end of an error message about an unknown name: the nearest known name, or a list of them. */
export function suggestName(word: string, names: readonly string[]): string {
  const nearest = findNearestWord(word, names);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  if (names.length === 0) return "None are available.";
  const listed = names.slice(0, maxListed).map((name) => `"${name}"`);
  const more = names.length > maxListed ? ", …" : "";
  return `Available: ${listed.join(", ")}${more}.`;
}
