import type { FileHandle } from "node:fs/promises";
import {
  type AcceptCallback,
  Batches,
  type BatchOptions,
  type RowSource,
  BATCH_DRAFT_FOLDER,
  MAX_BATCH_ITEMS,
} from "../../batches/index.js";
import { getTemplateToRender } from "../../documents/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  type DateOrder,
  type DecimalMark,
  type FileTable,
  PlatenError,
  type Problem,
} from "../../plugin-api/index.js";
import {
  type Batch,
  type Plan,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { PlatformHost } from "../host/index.js";
import {
  type GroupProposal,
  type PlannedDocument,
  proposeGroup,
  RowGroups,
  toKey,
} from "./row-groups.js";
import { RowSpool, type TextPlace } from "./row-spool.js";
import { type JoinProposal, proposeJoins } from "./sheet-joins.js";
import {
  type TableOptions,
  type FileOptions,
  type RowGrouping,
  type MappableField,
  type Collection,
  type TableRow,
  TablePlan,
  findList,
  listNames,
  setAt,
} from "./table-plan.js";

/** A file that was uploaded, in a temporary file. */
export interface UploadedFile {
  fileName: string;
  handle: Pick<FileHandle, "fd">;
}

export interface UploadedFiles {
  file: UploadedFile;
  /** The second table, unless it is a sheet of the same file. */
  join?: UploadedFile | undefined;
}

export type FileBatchOrder = BatchOptions & FileOptions & { plan: Plan };

/** A table as a person sees it before documents are made of it. */
export interface InspectedTable extends Omit<FileTable, "problems"> {
  /** The field of each column; null for a column that is not used. */
  mapping: Record<string, string | null>;
}

export interface FileInspection extends InspectedTable {
  documentCount: number;
  /** What the rows seem to be, unless the request says what they are; null for rows that are a document each. */
  proposal: GroupProposal | null;
  /** What other sheets seem to be, unless the request says it: several where it has to choose. */
  joins: JoinProposal[];
  fields: MappableField[];
  joined: (InspectedTable & { fields: MappableField[] }) | null;
  /** The decimal mark, and the order of dates, by which texts are read; null for one that must be given. */
  decimal: DecimalMark | null;
  dateFormat: DateOrder | null;
  /** The data of the first document; null when its row has problems. */
  first: object | null;
  problems: Problem[];
}

const maxProblems = 1000;

@scoped(Lifecycle.ContainerScoped)
export class FileBatches {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(Batches) private readonly batches: Batches,
    @inject(PlatformHost) private readonly platforms: PlatformHost,
    @inject(BATCH_DRAFT_FOLDER) private readonly folder: string,
    @inject(MAX_BATCH_ITEMS) private readonly maxItems: number,
  ) {}

  get uploadFolder(): string {
    return this.folder;
  }

  /**
   * Accepts a batch with a document for each row. Rows are checked against the template's schema first, and all are
   * accepted or none. @throws PlatenError `invalid_request` that names up to 1,000 rows and columns with problems.
   */
  async generate(
    order: FileBatchOrder,
    files: UploadedFiles,
    inTransaction?: AcceptCallback,
  ): Promise<Batch> {
    const draft = await this.batches.draft(order);
    try {
      const { problems, version, source } = await this.#read(
        order,
        files,
        (item) => draft.add(item),
      );
      if (problems.length > 0) throw createRowsError(problems);
      return await this.batches.accept(
        { ...order, templateVersion: version, source },
        draft,
        inTransaction,
      );
    } finally {
      await draft.close();
    }
  }

  /** Reads a file as `generate` does, and accepts nothing. @throws PlatenError for a file that cannot be read. */
  async inspect(
    order: Pick<
      FileBatchOrder,
      | "organizationId"
      | "templateId"
      | "templateVersion"
      | "unknownFields"
      | "locale"
    > &
      FileOptions,
    files: UploadedFiles,
  ): Promise<FileInspection> {
    let first: object | null = null;
    const { problems, plan, linePlan, joined, ...read } = await this.#read(
      order,
      files,
      async ({ data }) => {
        first ??= data;
      },
    );
    return {
      ...describeTable(plan),
      ...describeFields(plan, linePlan, order.group?.as),
      documentCount: read.documentCount,
      proposal: read.proposal,
      joins: read.joins,
      joined: joined && { ...describeTable(joined), fields: joined.fields },
      decimal:
        linePlan?.decimal === null || joined?.decimal === null
          ? null
          : plan.decimal,
      dateFormat: joined ? mergeDateOrders(plan, joined) : plan.dateFormat,
      first,
      problems,
    };
  }

  async #read(
    order: Pick<
      FileBatchOrder,
      | "organizationId"
      | "templateId"
      | "templateVersion"
      | "unknownFields"
      | "locale"
    > &
      FileOptions,
    { file, join: joinFile }: UploadedFiles,
    add: (item: RowItem) => Promise<void>,
  ) {
    const { read } = this.store;
    const { version } = await getTemplateToRender(read, order);
    const choice = { ...order, templateVersion: version };
    const template = await getTemplateToRender(read, choice);
    const definition = await template.definition();
    const { schema } = definition;
    const locale = order.locale ?? definition.locale;
    const root = schema.find(({ id }) => id === "root");
    const { join, group } = order;
    if (join && group?.as === join.as)
      throw new PlatenError(
        "invalid_request",
        `"group" and "join" are both for the list "${join.as}". Send one of them.`,
      );
    const spools: RowSpool[] = [];
    const openTable = async (
      from: UploadedFile,
      options: TableOptions,
      hiddenRows = order.hiddenRows,
    ) => {
      const spool = await RowSpool.open(this.folder);
      spools.push(spool);
      const reader = await this.platforms.getFileReader();
      const table = await reader.read({
        fd: from.handle.fd,
        fileName: from.fileName,
        rowsFd: spool.fd,
        sheet: options.sheet,
        headerRow: options.headerRow,
        delimiter: order.delimiter,
        encoding: order.encoding,
        hiddenRows,
        locale,
        maxRows: this.maxItems,
      });
      return { spool, table };
    };
    try {
      const { spool, table } = await openTable(file, order);
      const { plan, lines: linePlan } = planTable(table, schema, root, order);
      const problems = plan.problems;
      const keep = (newProblems: readonly Problem[]) => {
        problems.push(...newProblems.slice(0, maxProblems - problems.length));
        return problems.length < maxProblems;
      };
      if (joinFile && join === undefined)
        throw new PlatenError(
          "invalid_request",
          'The form has a second file, but the request has no "join", which names the field that its rows become.',
        );
      let lines: LineItems | null = null;
      let joined: TablePlan | null = null;
      /** The rows of the documents, those that the sheet hides included. */
      const openAll = async () =>
        order.hiddenRows === "skip" && table.hiddenRowCount > 0
          ? openTable(
              file,
              { ...order, headerRow: table.headerRow ?? order.headerRow },
              "include",
            )
          : { spool, table };
      if (join !== undefined) {
        if (!joinFile && join.sheet === undefined)
          throw new PlatenError(
            "invalid_request",
            table.sheets.length > 1
              ? `join: the "sheet" with the rows of "${join.as}" is missing. Sheets: ${listNames(table.sheets)}.`
              : `join: the rows of "${join.as}" are missing. Send them as a second file in the form, called "join".`,
          );
        const list = findList(schema, root, join.as, "join.as");
        const foreignKey = join.foreignKey ?? join.key;
        const second = await openTable(joinFile ?? file, join);
        joined = new TablePlan(second.table, schema, list, {
          ...order,
          mapping: join.mapping,
          without: foreignKey,
        });
        keep(joined.problems);
        const keyColumn = plan.findColumn(join.key, "join.key");
        const column = joined.findColumn(foreignKey, "join.foreignKey");
        const store = await RowSpool.open(this.folder);
        spools.push(store);
        const all = await openAll();
        lines = new LineItems(store, join.as, {
          keyColumn,
          plan: joined,
          column,
          skipped:
            all.spool === spool
              ? new Set()
              : await readSkipped(spool, all.spool, plan, keyColumn),
        });
        for await (const row of second.spool.rows())
          if (!keep(await lines.add(row))) break;
      }
      const groups =
        group && linePlan
          ? new RowGroups(spool, plan, linePlan, {
              ...group,
              keyColumn: plan.findColumn(group.by, "group.by"),
            })
          : null;
      if (groups && problems.length < maxProblems)
        for await (const row of spool.rows()) if (!keep(groups.add(row))) break;
      const isOpen = !group && !order.mapping;
      const proposed =
        isOpen && !join ? await proposeGroup(spool, plan, schema, root) : null;
      if (proposed) keep([proposed.problem]);
      const joins =
        isOpen && !proposed
          ? await proposeJoins(
              { spool: (await openAll()).spool, plan },
              (sheet) => openTable(file, { sheet }),
              schema,
              root,
              join,
            )
          : null;
      if (joins) keep(joins.problems);
      if (problems.length < maxProblems)
        for await (const document of groups
          ? groups.documents()
          : readSingles(spool, plan)) {
          const { data, first, rows } = document;
          if (lines)
            document.problems.push(...(await lines.attach(data, plan, first)));
          if (document.problems.length > 0) {
            if (!keep(document.problems)) break;
            continue;
          }
          await add({
            data,
            metadata: { row: first.number, ...plan.getMetadata(first) },
            source: rows
              ? { rows: rows.map((row) => plan.showRow(row)) }
              : plan.showRow(first),
          });
        }
      if (lines && problems.length < maxProblems) keep(lines.findUnused());
      const source = {
        fileName: file.fileName,
        sheet: table.sheet,
        columns: table.columns.map(({ name }) => name),
      };
      return {
        problems,
        version,
        plan,
        linePlan,
        joined,
        source,
        proposal: proposed?.proposal ?? null,
        joins: join ? [] : (joins?.proposals ?? []),
        documentCount: groups?.count ?? table.rowCount,
      };
    } finally {
      for (const spool of spools) await spool.close();
    }
  }
}

interface RowItem {
  data: object;
  metadata: Record<string, unknown>;
  /** The cells, as people see them in the file. */
  source: RowSource;
}

/** The plan of the documents, and that of their lines where rows are grouped. */
function planTable(
  table: FileTable,
  schema: Collection[],
  root: Collection | undefined,
  options: Parameters<typeof splitMapping>[0] &
    Omit<ConstructorParameters<typeof TablePlan>[3], "without">,
): { plan: TablePlan; lines: TablePlan | null } {
  const { group } = options;
  if (!group)
    return {
      plan: new TablePlan(table, schema, root, { ...options, without: null }),
      lines: null,
    };
  const list = findList(schema, root, group.as, "group.as");
  const mapping = splitMapping(options);
  const plan = new TablePlan(table, schema, root, {
    ...options,
    mapping: mapping?.document,
    unknownFields: undefined,
    without: null,
    mayBeEmpty: true,
  });
  const isOpen = (root?.fields.length ?? 0) === 0;
  const lines = new TablePlan(table, schema, list, {
    ...options,
    mapping: mapping?.lines,
    metadata: undefined,
    without: null,
    except: new Set(isOpen ? [] : listUsed(plan)),
  });
  plan.problems.push(...lines.problems);
  if (!mapping && !isOpen)
    plan.problems.push(...findDoubles(plan, table, schema, list, group));
  return { plan, lines };
}

/** Columns that fit a field of the document and one of its lines; the key is the document's. */
function findDoubles(
  plan: TablePlan,
  table: FileTable,
  schema: Collection[],
  list: Collection | undefined,
  { by, as }: RowGrouping,
): Problem[] {
  const { mapping } = new TablePlan(table, schema, list, {
    without: null,
    mayBeEmpty: true,
  });
  const key = table.columns[plan.findColumn(by, "group.by")]?.name;
  return listUsed(plan)
    .filter((name) => name !== key && mapping[name] != null)
    .map((name) => ({
      path: `column "${name}"`,
      code: "unclear_column",
      message: `The column fits the field "${plan.mapping[name] ?? ""}" of the document and "${as}.${mapping[name] ?? ""}" of its lines.`,
      hint: 'Say in "mapping" which column is which field.',
    }));
}

/** The fields of the documents and those of their lines, whose paths begin with that of the list. */
function describeFields(
  plan: TablePlan,
  lines: TablePlan | null,
  as = "",
): Pick<FileInspection, "fields" | "mapping"> {
  const fields = [...plan.fields];
  const mapping = { ...plan.mapping };
  for (const field of lines?.fields ?? [])
    fields.push({
      ...field,
      path: `${as}.${field.path}`,
      label: `${as} ${field.label}`,
    });
  for (const [name, path] of Object.entries(lines?.mapping ?? {}))
    if (path !== null) mapping[name] ??= `${as}.${path}`;
  return { fields, mapping };
}

function listUsed({ mapping }: TablePlan): string[] {
  return Object.keys(mapping).filter((name) => mapping[name] !== null);
}

/** Paths in the list are those of the lines; they begin there. */
function splitMapping({
  mapping,
  group,
}: FileOptions): Record<"document" | "lines", Mapping> | undefined {
  if (mapping === undefined) return undefined;
  const start = `${group?.as}.`;
  const parts: Record<"document" | "lines", Mapping> = {
    document: {},
    lines: {},
  };
  for (const [name, path] of Object.entries(mapping))
    if (path?.startsWith(start)) parts.lines[name] = path.slice(start.length);
    else parts.document[name] = path;
  return parts;
}

type Mapping = Record<string, string | null>;

/** A document for each row. */
async function* readSingles(
  spool: RowSpool,
  plan: TablePlan,
): AsyncGenerator<PlannedDocument> {
  for await (const row of spool.rows()) {
    const problems: Problem[] = [];
    const data = plan.convert(row, problems);
    yield { data, first: row, rows: null, problems };
  }
}

function createRowsError(problems: readonly Problem[]): PlatenError {
  const more = problems.length === maxProblems ? "at least " : "";
  const count = `${more}${problems.length} ${problems.length === 1 ? "problem" : "problems"}`;
  return new PlatenError(
    "invalid_request",
    `The file was not accepted because it has ${count}, and nothing was created. Fix the file and send it again.`,
    { problems },
  );
}

/** The order of dates of both tables; null for one that must be given, and where they differ. */
function mergeDateOrders(...plans: TablePlan[]): DateOrder | null {
  // A year at the front is no question, and what a table without dates has.
  const orders = new Set(plans.map(({ dateFormat }) => dateFormat));
  const [first = null, ...others] = [...orders].filter(
    (order) => order !== "YMD",
  );
  if (orders.size === 1 && orders.has("YMD")) return "YMD";
  return others.length === 0 ? first : null;
}

function describeTable({ table, mapping }: TablePlan): InspectedTable {
  const { problems: _, ...rest } = table;
  return { ...rest, mapping };
}

/** The keys of rows that the sheet hides, and no others. */
async function readSkipped(
  visible: RowSpool,
  all: RowSpool,
  plan: TablePlan,
  keyColumn: number,
): Promise<Set<string>> {
  const read = async (spool: RowSpool) => {
    const keys = new Set<string>();
    for await (const { cells } of spool.rows())
      for (const key of readKeys(plan, cells[keyColumn])) keys.add(key);
    return keys;
  };
  const documents = await read(visible);
  const hidden = [...(await read(all))].filter(
    (key) => key !== "" && !documents.has(key),
  );
  return new Set(hidden);
}

/** The value of a cell and the text that it shows, where they differ. */
function readKeys(plan: TablePlan, cell: unknown): Set<string> {
  const keys = new Set([toKey(plan.getValue(cell)), toKey(plan.getText(cell))]);
  if (keys.size > 1) keys.delete("");
  return keys;
}

interface LineTable {
  plan: TablePlan;
  /** The column of the key in it. */
  column: number;
  /** That of the documents' table. */
  keyColumn: number;
  /** Keys of rows that are no documents: their lines are left out. */
  skipped: ReadonlySet<string>;
}

/** Lines with the same key. */
interface LinesOfKey {
  row: number;
  places: TextPlace[];
  /** The row of the documents that has them. */
  usedBy?: number;
}

/** The rows of the second table, by the row of the first that they belong to. */
class LineItems {
  readonly #lines = new Map<string, LinesOfKey>();
  /** Keys by the texts that their cells show. */
  readonly #keys = new Map<string, Set<string>>();

  constructor(
    private readonly store: RowSpool,
    private readonly path: string,
    private readonly table: LineTable,
  ) {}

  async add(row: TableRow): Promise<Problem[]> {
    const { plan, column, skipped } = this.table;
    const problems: Problem[] = [];
    const [key = "", text] = readKeys(plan, row.cells[column]);
    if (skipped.has(key) || (text !== undefined && skipped.has(text)))
      return [];
    if (key === "")
      problems.push(
        plan.createProblem(
          row.number,
          column,
          "is empty, so that the row belongs to no document",
        ),
      );
    const data = plan.convert(row, problems);
    if (problems.length > 0) return problems;
    const place = await this.store.append(JSON.stringify(data));
    const existing = this.#lines.get(key);
    if (existing) existing.places.push(place);
    else this.#lines.set(key, { row: row.number, places: [place] });
    if (text !== undefined)
      this.#keys.set(text, (this.#keys.get(text) ?? new Set()).add(key));
    return [];
  }

  /** A key that is a text in one of the tables alone is compared with what the other shows: `0042` may be the number 42. */
  async attach(
    data: Record<string, unknown>,
    plan: TablePlan,
    row: TableRow,
  ): Promise<Problem[]> {
    const { keyColumn } = this.table;
    const keys = readKeys(plan, row.cells[keyColumn]);
    if (keys.size === 1)
      for (const key of keys)
        for (const other of this.#keys.get(key) ?? []) keys.add(other);
    const places: TextPlace[] = [];
    for (const key of keys) {
      const lines = this.#lines.get(key);
      if (lines?.usedBy !== undefined)
        return [
          plan.createProblem(
            row.number,
            keyColumn,
            `has the same key as row ${lines.usedBy}, so that the lines would be in both documents`,
          ),
        ];
      if (!lines) continue;
      lines.usedBy = row.number;
      places.push(...lines.places);
    }
    const items: unknown[] = [];
    for (const place of places.toSorted(([start], [other]) => start - other))
      items.push(JSON.parse(await this.store.read(place)));
    setAt(data, this.path.split("."), items);
    return [];
  }

  /** Line items that no document would show. */
  findUnused(): Problem[] {
    const { plan, column } = this.table;
    const problems: Problem[] = [];
    for (const [key, { row, usedBy }] of this.#lines) {
      if (usedBy !== undefined) continue;
      problems.push({
        ...plan.createProblem(row, column, ""),
        code: "join",
        message: `No row has the key "${key.slice(0, 60)}" that this line belongs to.`,
      });
      if (problems.length === maxProblems) break;
    }
    return problems;
  }
}
