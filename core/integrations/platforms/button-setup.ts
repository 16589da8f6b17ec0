import type {
  ChosenSources,
  MappedCollection,
  OpenedTable,
  TableLocation,
  TableRecord,
  MappedField,
} from "./views.js";
import type { Visitor } from "../../accounts/index.js";
import { getFormula, type ProjectData } from "../../definition/index.js";
import {
  DOCUMENT_LIFETIME_MS,
  getTemplateToRender,
} from "../../documents/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  formatError,
  type Json,
  type Log,
  PlatenError,
  type Row,
  type TableInfo,
  type TableScope,
  type FieldInfo,
  findNearestWord,
} from "../../plugin-api/index.js";
import { type Store, STORE } from "../../storage/database/index.js";
import { LOG } from "../../lib/process-values.js";
import {
  ConnectionService,
  type PlatformConnection,
} from "../connections/index.js";
import type { ConnectedPlatform } from "../host/index.js";
import { convertCell } from "./convert-cell.js";
import { fetchRecords } from "./fetch-records.js";
import {
  createFetchPlan,
  findTable,
  tableNotFound,
  findField,
} from "./fetch-plan.js";
import { createTableTemplate } from "./table-template.js";

interface OpenTable {
  connection: PlatformConnection;
  table: TableInfo;
  tables: TableInfo[];
  getScope: (tableId: string) => TableScope;
}

const maxRecords = 20;
const maxSampleLength = 120;
const sampleLimits = { timeoutMs: 15_000 };
const sampleRecordMs = 20_000;

/** The steps of setting up a button in a table: reads the table and suggests a template and its mapping. Saves nothing. */
@scoped(Lifecycle.ContainerScoped)
export class ButtonSetup {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read">,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "open">,
    @inject(LOG) private readonly log: Log,
  ) {}

  async table(visitor: Visitor, place: TableLocation): Promise<OpenedTable> {
    const { connection, table } = await this.open(visitor, place);
    const { id, title, capabilities, listsRows } = connection.platform;
    return {
      ...table,
      primaryFieldId: table.primaryFieldId ?? null,
      connectionName: connection.name,
      platform: { id, title },
      fileFieldIds: table.fields
        .filter(
          ({ kind, writable }) =>
            kind === "attachment" &&
            writable &&
            capabilities.attachments !== "none",
        )
        .map((field) => field.id),
      linkLifetimeHours: DOCUMENT_LIFETIME_MS / 3_600_000,
      modes: capabilities.modes,
      views: listsRows ? (table.views ?? []) : [],
      listsRows,
    };
  }

  /** The first records whose primary field contains the text; null when the platform cannot search. */
  async records(
    visitor: Visitor,
    place: TableLocation,
    text: string,
  ): Promise<TableRecord[] | null> {
    const { connection, table, getScope } = await this.open(visitor, place);
    const scope = getScope(table.id);
    const fieldId = table.primaryFieldId ?? table.fields[0]?.id;
    const { platform } = connection;
    const search = { text, ...(fieldId !== undefined && { fieldId }) };
    const ids = await platform.findRows(scope, {
      limit: maxRecords,
      ...(text !== "" && search),
    });
    if (ids === null) return null;
    const fields = fieldId === undefined ? [] : [fieldId];
    const { rows } = await platform.fetchRows(scope, ids, fields);
    const kind = table.fields.find(({ id }) => id === fieldId)?.kind ?? "text";
    return rows.map((row) => ({
      id: row.id,
      name: toSampleText(row.fields[fieldId ?? ""], kind) || row.id,
    }));
  }

  /** Generates a template from the table's fields, with the first record as its sample. Does not save it. */
  async draft(visitor: Visitor, place: TableLocation): Promise<ProjectData> {
    const opened = await this.open(visitor, place);
    const template = createTableTemplate(opened.table, opened.tables);
    const sample = await this.ignoreFailure(fetchSample(opened, template));
    return { ...template, ...(sample && { sample }) };
  }

  /** Maps the fields of the template: as chosen, as the template names them, or else by the most similar name. */
  async mapping(
    visitor: Visitor,
    place: TableLocation,
    templateId: string,
    chosen: ChosenSources,
  ): Promise<MappedCollection[]> {
    const { read } = this.store;
    const choice = { organizationId: visitor.organizationId, templateId };
    const template = await getTemplateToRender(read, choice);
    const { schema } = await template.definition();
    const opened = await this.open(visitor, place);
    const { table, tables } = opened;
    const suggested = suggestSources(schema, table, tables, chosen);
    const samples = await this.ignoreFailure(
      fetchSampleTexts(opened, suggested),
    );
    return suggested.map((collection) => ({
      ...collection,
      samples: samples?.get(collection.id) ?? {},
    }));
  }

  private async open(
    { organizationId }: Visitor,
    { connectionId, baseId, tableId }: TableLocation,
  ): Promise<OpenTable> {
    const connection = await this.connections.open(
      organizationId,
      connectionId,
    );
    const tables = await connection.platform.describe(baseId ?? undefined);
    const table = findTable(tables, tableId);
    if (table === undefined)
      throw new PlatenError("not_found", tableNotFound(tableId, tables));
    const base = baseId === null ? {} : { baseId };
    const getScope = (id: string) => ({ ...base, tableId: id });
    return { connection, table, tables, getScope };
  }

  /** Samples are optional: without them, the result is still complete. */
  private async ignoreFailure<T>(work: Promise<T>): Promise<T | null> {
    try {
      return await work;
    } catch (error) {
      this.log.info({ why: formatError(error) }, "no sample record");
      return null;
    }
  }
}

/** The table's first record as root data, with its linked records; null for an empty table. */
async function fetchSample(
  { connection: { platform }, table, tables, getScope }: OpenTable,
  { schema }: ProjectData,
): Promise<Json | null> {
  const scope = getScope(table.id);
  const row = await fetchFirstRow(platform, scope);
  if (!row) return null;
  const { plan } = createFetchPlan(schema, table, tables);
  const batch = { baseId: scope.baseId ?? null, plan };
  const signal = AbortSignal.timeout(sampleRecordMs);
  const records = await fetchRecords(platform, batch, [[row.id]], {
    signal,
  });
  const record = records.get(row.id);
  if (!record || "error" in record) return null;
  const sample: Json = JSON.parse(record.json);
  return sample;
}

/**
 * The texts of the first record's fields by collection: the root's, and those of the first linked record of each
 * collection. A collection that the first record does not lead to has none.
 */
async function fetchSampleTexts(
  { connection: { platform }, getScope }: OpenTable,
  collections: readonly SuggestedCollection[],
): Promise<Map<string, Record<string, string>>> {
  const rows = new Map<string, Row>();
  const [root] = collections;
  const first =
    root && (await fetchFirstRow(platform, getScope(root.table.id)));
  if (root && first) rows.set(root.id, first);
  for (const { id, fields } of collections)
    for (const { target, source } of fields) {
      const to = collections.find((collection) => collection.id === target);
      const [linked] = rows.get(id)?.links[source ?? ""] ?? [];
      if (!to || linked === undefined || rows.has(to.id)) continue;
      const row = await fetchRow(platform, getScope(to.table.id), linked);
      if (row) rows.set(to.id, row);
    }
  return new Map(
    collections.map(({ id, table }) => [id, listTexts(table, rows.get(id))]),
  );
}

/** Undefined when the table is empty or its platform cannot search. */
async function fetchFirstRow(
  platform: ConnectedPlatform,
  scope: TableScope,
): Promise<Row | undefined> {
  const ids = await platform.findRows(scope, { limit: 1 }, sampleLimits);
  const [id] = ids ?? [];
  return id === undefined ? undefined : fetchRow(platform, scope, id);
}

async function fetchRow(
  platform: ConnectedPlatform,
  scope: TableScope,
  id: string,
): Promise<Row | undefined> {
  const { rows } = await platform.fetchRows(
    scope,
    [id],
    undefined,
    sampleLimits,
  );
  return rows[0];
}

/** The texts of a row's fields by field id, without empty ones. */
function listTexts(
  { fields }: Pick<TableInfo, "fields">,
  row: Row | undefined,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { id, kind } of fields) {
    const count = row?.links[id]?.length ?? 0;
    const text =
      kind === "link"
        ? describeLinks(count)
        : toSampleText(row?.fields[id], kind);
    if (text !== "") texts[id] = text;
  }
  return texts;
}

function describeLinks(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "1 linked record" : `${count} linked records`;
}

/** A cell's value for people to read, shortened. */
function toSampleText(
  cell: unknown,
  kind: TableInfo["fields"][number]["kind"],
): string {
  const value = convertCell(cell, { type: "String", kind });
  let text = "";
  if (typeof value === "string" || typeof value === "number")
    text = String(value);
  if (typeof value === "boolean") text = value ? "Yes" : "No";
  return text.length <= maxSampleLength
    ? text
    : `${text.slice(0, maxSampleLength - 1)}…`;
}

type Collection = ProjectData["schema"][number];
type Field = Collection["fields"][number];
type SuggestedCollection = Omit<MappedCollection, "samples">;

/** The similarity below which names are treated as unrelated. */
const minSimilarity = 0.5;

/**
 * Suggests the source of each template field in a table: the chosen one, the one that the template names, or else the
 * most similar one by name and kind. Collections are in the order in which links lead to them; others are left out.
 */
function suggestSources(
  schema: ProjectData["schema"],
  root: TableInfo,
  tables: readonly TableInfo[],
  chosen: ChosenSources,
): SuggestedCollection[] {
  const tableByCollection = new Map([[schema[0]?.id ?? "root", root]]);
  const suggested: SuggestedCollection[] = [];
  for (const [id, table] of tableByCollection) {
    const collection = schema.find((candidate) => candidate.id === id);
    if (!collection) continue;
    const fields = mapFields(collection, table, tables, chosen);
    for (const { target, source } of fields) {
      const link = table.fields.find((field) => field.id === source)?.link;
      const linked = tables.find((candidate) => candidate.id === link?.tableId);
      if (target !== null && linked && !tableByCollection.has(target))
        tableByCollection.set(target, linked);
    }
    const { label = toLabel(id) } = collection;
    const columns = table.fields;
    const view = { id: table.id, name: table.name, fields: columns };
    suggested.push({ id, label, table: view, fields });
  }
  return suggested;
}

function mapFields(
  { id, fields }: Collection,
  table: TableInfo,
  tables: readonly TableInfo[],
  chosen: ChosenSources,
): MappedField[] {
  const stored = fields.filter((field) => getFormula(field) === undefined);
  const named = stored.map((field) => ({
    field,
    source: findNamedSource(field, table, chosen[`${id}.${field.name}`]),
  }));
  const used = new Set(named.map(({ source }) => source));
  return named.map(({ field, source: namedSource }) => {
    const source = namedSource ?? findSimilarSource(field, table, tables, used);
    used.add(source);
    const { name, label = toLabel(name), type } = field;
    const target = "target" in field ? field.target : null;
    return { name, label, type, target, source };
  });
}

/** The source that was chosen or that the template names; null when there is none, or it does not fit. */
function findNamedSource(
  field: Field,
  table: TableInfo,
  choice: string | undefined,
): string | null {
  if (choice === "" || (choice === undefined && field.source === "")) return "";
  const word = choice ?? field.source ?? field.name;
  const sourceField = findField(table, word);
  return sourceField && isCompatible(field, sourceField)
    ? sourceField.id
    : null;
}

/** The most similar field that is not used yet. An Autogenerated field gets the record's own id. */
function findSimilarSource(
  field: Field,
  table: TableInfo,
  tables: readonly TableInfo[],
  used: ReadonlySet<string | null>,
): string | null {
  if (field.type === "Autogenerated") return "";
  const unused = table.fields.filter(
    (candidate) => isCompatible(field, candidate) && !used.has(candidate.id),
  );
  const scored = unused
    .map((candidate) => ({
      id: candidate.id,
      score: getScore(field, candidate, tables),
    }))
    .toSorted((candidate, other) => other.score - candidate.score);
  const [best] = scored;
  if (best && best.score >= minSimilarity) return best.id;
  const word = findNearestWord(
    field.name,
    unused.map(({ name }) => name),
  );
  return unused.find(({ name }) => name === word)?.id ?? null;
}

/** Links need a link field; text accepts every other field. */
function isCompatible({ type }: Field, { kind, link }: FieldInfo): boolean {
  const isLink = type === "OneToOneLink" || type === "OneToManyLink";
  if (isLink) return link !== undefined;
  if (kind === "link") return false;
  return kind !== "attachment" || type === "String";
}

function getScore(
  field: Field,
  candidate: FieldInfo,
  tables: readonly TableInfo[],
): number {
  const names = [field.name, field.label ?? ""];
  const byName = Math.max(
    ...names.map((name) => compareNames(name, candidate.name)),
  );
  const kindBonus = usualKinds[field.type] === candidate.kind ? 0.1 : 0;
  if (!("target" in field)) return byName + (byName > 0 ? kindBonus : 0);
  const table = tables.find(({ id }) => id === candidate.link?.tableId);
  const byTable = compareNames(field.target, table?.name ?? "");
  const isSame = candidate.link?.many === (field.type === "OneToManyLink");
  return Math.max(byName, byTable) + (isSame ? 0.1 : 0);
}

const usualKinds: Readonly<Record<Field["type"], string>> = {
  Autogenerated: "computed",
  String: "text",
  Number: "number",
  Date: "date",
  Boolean: "boolean",
  OneToOneLink: "link",
  OneToManyLink: "link",
};

/** Turns a path's name into a label: `orderNumber` becomes `Order number`. */
function toLabel(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .replaceAll(/[_-]+/g, " ")
    .trim();
  const isSentence = words.includes(" ") && /^\p{Ll}/u.test(words);
  const text = isSentence ? words.toLowerCase() : words;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How similar two names are, from 0 to 1; 1 when only case, punctuation, word order or number differ. */
function compareNames(name: string, other: string): number {
  const [a, b] = [new Set(splitWords(name)), new Set(splitWords(other))];
  if (a.size === 0 || b.size === 0) return 0;
  if ([...a].join("") === [...b].join("")) return 1;
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared / Math.max(a.size, b.size);
}

const abbreviations: Readonly<Record<string, string>> = {
  no: "number",
  nr: "number",
  num: "number",
  qty: "quantity",
  amt: "amount",
  tel: "phone",
  mail: "email",
  addr: "address",
  desc: "description",
  descr: "description",
  ref: "reference",
};

/** The normalized words of a name: `Order No.`, `orderNo` and `order_numbers` have the same. */
function splitWords(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1 ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => toSingular(abbreviations[word] ?? word));
}

function toSingular(word: string): string {
  if (word.length < 4 || word.endsWith("ss")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
