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
} from "../../plugin-api/index.js";
import {
  type Batch,
  type Plan,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { PlatformHost } from "../host/index.js";
import { readKeys, RowsAbove } from "./document-keys.js";
import {
  type GroupProposal,
  type JoinProposal,
  proposeGroup,
  proposeJoins,
} from "./file-proposals.js";
import { JoinedRows, type PlannedDocument, RowGroups } from "./list-items.js";
import { RowSpool } from "./row-spool.js";
import {
  type TableOptions,
  type FileOptions,
  type RowGrouping,
  type MappableField,
  type Collection,
  type TableJoin,
  TablePlan,
  findList,
  listColumnNames,
  listNames,
  listSheets,
} from "./table-plan.js";
import type { TableProblem } from "./views.js";

/** A file that was uploaded, in a temporary file. */
export interface UploadedFile {
  fileName: string;
  handle: Pick<FileHandle, "fd">;
}

export interface UploadedFiles {
  file: UploadedFile;
  /** The joined tables, unless they are sheets of the same file. */
  join?: UploadedFile | undefined;
}

export type FileBatchOrder = BatchOptions & FileOptions & { plan: Plan };

type ReadOrder = FileOptions &
  Pick<
    FileBatchOrder,
    | "organizationId"
    | "templateId"
    | "templateVersion"
    | "unknownFields"
    | "locale"
  >;

/** A table as a person sees it before documents are made of it. */
export interface InspectedTable extends Omit<FileTable, "problems"> {
  /** The field of each column; null for a column that is not used. */
  mapping: Record<string, string | null>;
}

export interface FileInspection extends InspectedTable {
  documentCount: number;
  /** What the rows seem to be, unless the request says what they are; null for rows that are a document each. */
  proposal: GroupProposal | null;
  /** What other sheets seem to be, unless the request says it: several of a sheet where it has to choose. */
  joins: JoinProposal[];
  fields: MappableField[];
  /** The tables of `join`, in its order. */
  joined: (InspectedTable & { fields: MappableField[] })[];
  /** The decimal mark, and the order of dates, by which texts are read; null for one that must be given. */
  decimal: DecimalMark | null;
  dateFormat: DateOrder | null;
  /** The data of the first document; null when its row has problems. */
  first: object | null;
  problems: TableProblem[];
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
    order: ReadOrder,
    files: UploadedFiles,
  ): Promise<FileInspection> {
    let first: object | null = null;
    const { problems, plan, itemPlan, joined, ...read } = await this.#read(
      order,
      files,
      async ({ data }) => {
        first ??= data;
      },
    );
    return {
      ...describeTable(plan),
      ...describeFields(plan, itemPlan, order.group?.as),
      documentCount: read.documentCount,
      proposal: read.proposal,
      joins: read.joins,
      joined: joined.map((joinPlan) => ({
        ...describeTable(joinPlan),
        fields: joinPlan.fields,
      })),
      decimal: [itemPlan, ...joined].some((items) => items?.decimal === null)
        ? null
        : plan.decimal,
      dateFormat: mergeDateOrders(plan, ...joined),
      first,
      problems,
    };
  }

  async #read(
    order: ReadOrder,
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
    const columnNames = listColumnNames(schema, root);
    const { group } = order;
    const joins = order.join ?? [];
    checkLists(order);
    if (joinFile && joins.length === 0)
      throw new PlatenError(
        "invalid_request",
        'The form has a second file, but the request has no "join", which names the field that its rows become.',
      );
    const spools: RowSpool[] = [];
    const openSpool = async () => {
      const spool = await RowSpool.open(this.folder);
      spools.push(spool);
      return spool;
    };
    const openTable = async (
      from: UploadedFile,
      options: TableOptions,
      hiddenRows = order.hiddenRows,
    ) => {
      const spool = await openSpool();
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
        names: options.mapping ? Object.keys(options.mapping) : columnNames,
        maxRows: this.maxItems,
      });
      return { spool, table };
    };
    try {
      const { spool, table } = await openTable(file, order);
      const { plan, items: itemPlan } = planTable(table, schema, root, order);
      const problems = plan.problems;
      const keep = (newProblems: readonly TableProblem[]) => {
        problems.push(...newProblems.slice(0, maxProblems - problems.length));
        return problems.length < maxProblems;
      };
      let allRows: RowSpool | null = null;
      /** The rows of the documents, those that the sheet hides included. */
      const openAll = async () => {
        const headerRow = table.headerRow ?? order.headerRow;
        const hasOthers =
          order.hiddenRows === "skip" && table.hiddenRowCount > 0;
        allRows ??= hasOthers
          ? (await openTable(file, { ...order, headerRow }, "include")).spool
          : spool;
        return allRows;
      };
      const openJoin = async (join: TableJoin, option: string) => {
        const sheets = listSheets(table);
        if (!joinFile && join.sheet === undefined)
          throw new PlatenError(
            "invalid_request",
            sheets.length > 1
              ? `${option}: the "sheet" with the rows of "${join.as}" is missing. Sheets: ${listNames(sheets)}.`
              : `${option}: the rows of "${join.as}" are missing. Send them as a second file in the form, called "join".`,
          );
        const list = findList(schema, root, join.as, `${option}.as`);
        const foreignKey = join.foreignKey ?? join.key;
        const other = await openTable(joinFile ?? file, join);
        const joinPlan = new TablePlan(other.table, schema, list, {
          ...order,
          mapping: join.mapping,
          without: foreignKey,
        });
        keep(joinPlan.problems);
        const keyColumn = plan.findColumn(join.key, `${option}.key`);
        const rows = new JoinedRows(await openSpool(), join.as, {
          plan: joinPlan,
          column: joinPlan.findColumn(foreignKey, `${option}.foreignKey`),
          documents: plan,
          keyColumn,
          skipped: await readSkipped(spool, await openAll(), plan, keyColumn),
        });
        for await (const row of other.spool.rows())
          if (!keep(await rows.add(row))) break;
        return { plan: joinPlan, keyColumn, rows };
      };
      const joined: Awaited<ReturnType<typeof openJoin>>[] = [];
      for (const [index, join] of joins.entries()) {
        const option = joins.length > 1 ? `join[${index}]` : "join";
        joined.push(await openJoin(join, option));
      }
      const keyColumn = group && plan.findColumn(group.by, "group.by");
      const groups =
        group && itemPlan && keyColumn !== undefined
          ? new RowGroups(spool, plan, itemPlan, {
              as: group.as,
              keyColumn,
              joinColumns: joined.map((join) => join.keyColumn),
            })
          : null;
      if (groups && problems.length < maxProblems)
        for await (const row of spool.rows()) if (!keep(groups.add(row))) break;
      const documents = { plan, schema, root };
      const openSheet = (sheet: string) => openTable(file, { sheet });
      const isOpen = !order.mapping;
      const proposed =
        isOpen && !group && joins.length === 0
          ? await proposeGroup({ ...documents, spool }, openSheet)
          : null;
      if (proposed) keep([proposed.problem]);
      const proposedJoins =
        isOpen && !proposed && listSheets(table).length > 1
          ? await proposeJoins(
              { ...documents, spool: await openAll() },
              openSheet,
              {
                joined: joined.map((join) => join.plan),
                lists: [...joins, ...(group ? [group] : [])].map(
                  ({ as }) => as,
                ),
                keyColumn,
              },
            )
          : null;
      if (proposedJoins) keep(proposedJoins.problems);
      const hasColumns = (itemPlan ?? plan).columns.length > 0;
      if (hasColumns && problems.length < maxProblems)
        for await (const document of groups
          ? groups.documents()
          : readSingles(spool, plan)) {
          const { data, first, rows } = document;
          const rowProblems = document.problems;
          for (const join of joined)
            for (const problem of await join.rows.attach(data, first))
              // Tables with the same key have the same problem.
              if (!rowProblems.some((other) => isSame(other, problem)))
                rowProblems.push(problem);
          if (rowProblems.length > 0) {
            if (!keep(rowProblems)) break;
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
      if (hasColumns && problems.length < maxProblems)
        for (const { rows } of joined) keep(rows.findUnused());
      const source = {
        fileName: file.fileName,
        sheet: table.sheet,
        columns: table.columns.map(({ name }) => name),
      };
      return {
        problems,
        version,
        plan,
        itemPlan,
        joined: joined.map((join) => join.plan),
        source,
        proposal: proposed?.proposal ?? null,
        joins: proposedJoins?.proposals ?? [],
        documentCount: groups?.count ?? table.rowCount,
      };
    } finally {
      for (const spool of spools) await spool.close();
    }
  }
}

/** @throws PlatenError `invalid_request` for a list that has two sources of rows. */
function checkLists({ group, join = [] }: FileOptions): void {
  const lists = new Set(group && [group.as]);
  for (const { as } of join) {
    if (lists.has(as))
      throw new PlatenError(
        "invalid_request",
        `${group?.as === as ? '"group" and "join"' : 'Two tables of "join"'} are both for the list "${as}". Send one of them.`,
      );
    lists.add(as);
  }
}

function isSame(problem: TableProblem, other: TableProblem): boolean {
  return problem.path === other.path && problem.message === other.message;
}

interface RowItem {
  data: object;
  metadata: Record<string, unknown>;
  /** The cells, as people see them in the file. */
  source: RowSource;
}

/** The plan of the documents, and that of their items where rows are grouped. */
function planTable(
  table: FileTable,
  schema: Collection[],
  root: Collection | undefined,
  options: Parameters<typeof splitMapping>[0] &
    Omit<ConstructorParameters<typeof TablePlan>[3], "without">,
): { plan: TablePlan; items: TablePlan | null } {
  const { group } = options;
  if (!group)
    return {
      plan: new TablePlan(table, schema, root, { ...options, without: null }),
      items: null,
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
  const items = new TablePlan(table, schema, list, {
    ...options,
    mapping: mapping?.items,
    metadata: undefined,
    without: null,
    except: new Set(isOpen ? [] : listUsed(plan)),
  });
  plan.problems.push(...items.problems);
  if (!mapping && !isOpen)
    plan.problems.push(...findDoubles(plan, table, schema, list, group));
  return { plan, items };
}

/** Columns that fit a field of the document and one of its items; the key is the document's. */
function findDoubles(
  plan: TablePlan,
  table: FileTable,
  schema: Collection[],
  list: Collection | undefined,
  { by, as }: RowGrouping,
): TableProblem[] {
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
      values: {
        column: name,
        fields: [plan.mapping[name] ?? "", `${as}.${mapping[name] ?? ""}`],
      },
    }));
}

/** The fields of the documents and those of their items, whose paths begin with that of the list. */
function describeFields(
  plan: TablePlan,
  items: TablePlan | null,
  as = "",
): Pick<FileInspection, "fields" | "mapping"> {
  const fields = [...plan.fields];
  const mapping = { ...plan.mapping };
  for (const field of items?.fields ?? [])
    fields.push({
      ...field,
      path: `${as}.${field.path}`,
      label: `${as} ${field.label}`,
    });
  for (const [name, path] of Object.entries(items?.mapping ?? {}))
    if (path !== null) mapping[name] ??= `${as}.${path}`;
  return { fields, mapping };
}

function listUsed({ mapping }: TablePlan): string[] {
  return Object.keys(mapping).filter((name) => mapping[name] !== null);
}

/** Paths in the list are those of the items; they begin there. */
function splitMapping({
  mapping,
  group,
}: FileOptions): Record<"document" | "items", Mapping> | undefined {
  if (mapping === undefined) return undefined;
  const start = `${group?.as}.`;
  const parts: Record<"document" | "items", Mapping> = {
    document: {},
    items: {},
  };
  for (const [name, path] of Object.entries(mapping))
    if (path?.startsWith(start)) parts.items[name] = path.slice(start.length);
    else parts.document[name] = path;
  return parts;
}

type Mapping = Record<string, string | null>;

/** A document for each row, but for a total below the others. */
async function* readSingles(
  spool: RowSpool,
  plan: TablePlan,
): AsyncGenerator<PlannedDocument> {
  let count = 0;
  const above = new RowsAbove(plan);
  for await (const row of spool.rows()) {
    const problems: TableProblem[] = [];
    const data = plan.convert(row, problems);
    count += 1;
    if (count > 1 && count === plan.table.rowCount)
      problems.push(...above.findTotal(row));
    above.add(row);
    yield { data, first: row, rows: null, problems };
  }
}

function createRowsError(problems: readonly TableProblem[]): PlatenError {
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

/** The keys of rows that the sheet hides, and no others. @param all the same spool where it hides none. */
async function readSkipped(
  visible: RowSpool,
  all: RowSpool,
  plan: TablePlan,
  keyColumn: number,
): Promise<Set<string>> {
  if (visible === all) return new Set();
  const read = async (spool: RowSpool) => {
    const keys = new Set<string>();
    for await (const { cells } of spool.rows())
      for (const key of readKeys(
        plan,
        cells[keyColumn],
        keyColumn,
        plan.getField(keyColumn),
      ))
        keys.add(key);
    return keys;
  };
  const documents = await read(visible);
  const hidden = [...(await read(all))].filter(
    (key) => key !== "" && !documents.has(key),
  );
  return new Set(hidden);
}
