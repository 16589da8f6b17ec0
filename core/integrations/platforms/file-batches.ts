import type { FileHandle } from "node:fs/promises";
import {
  type AcceptCallback,
  Batches,
  type BatchOptions,
  BATCH_DRAFT_FOLDER,
  MAX_BATCH_ITEMS,
} from "../../batches/index.js";
import { getTemplateToRender } from "../../documents/index.js";
import { answeringTurns } from "../../lib/fair-queue.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { openUnlinkedFile } from "../../lib/unlinked-file.js";
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
  type TableOptions,
  type FileOptions,
  type MappableField,
  type Collection,
  type TableRow,
  TablePlan,
  findListField,
  describeSheet,
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
  fields: MappableField[];
  joined: InspectedTable | null;
  /** The decimal mark, and the order of dates, by which texts are read; null for one that must be given. */
  decimal: DecimalMark | null;
  dateFormat: DateOrder | null;
  /** The data of the first document; null when its row has problems. */
  first: object | null;
  problems: Problem[];
}

const maxProblems = 1000;
const rowsPrefix = ".rows-";

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
    const { problems, plan, joined } = await this.#read(
      order,
      files,
      async ({ data }) => {
        first ??= data;
      },
    );
    return {
      ...describeTable(plan),
      fields: plan.fields,
      joined: joined && describeTable(joined),
      decimal: plan.decimal,
      dateFormat: plan.dateFormat,
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
    const { join } = order;
    const spools: RowSpool[] = [];
    const openTable = async (
      from: UploadedFile,
      options: TableOptions,
      collection: Collection | undefined,
      without: string | null,
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
        hiddenRows: order.hiddenRows,
        locale,
        maxRows: this.maxItems,
      });
      const plan = new TablePlan(table, schema, collection, {
        ...order,
        mapping: options.mapping,
        without,
      });
      return { spool, plan };
    };
    try {
      const main = await openTable(file, order, root, null);
      const problems = main.plan.problems;
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
      if (join !== undefined) {
        const list = findListField(schema, root, join.as);
        const foreignKey = join.foreignKey ?? join.key;
        const second = await openTable(
          joinFile ?? file,
          join,
          list,
          foreignKey,
        );
        joined = second.plan;
        keep(joined.problems);
        const keyColumn = main.plan.findColumn(join.key, "join.key");
        const column = joined.findColumn(foreignKey, "join.foreignKey");
        const store = await RowSpool.open(this.folder);
        spools.push(store);
        lines = new LineItems(store, join.as, keyColumn, joined.table.sheet);
        for await (const row of second.spool.rows())
          if (!keep(await lines.add(row, column, joined))) break;
      }
      const isWanted = problems.length < maxProblems;
      if (isWanted)
        for await (const row of main.spool.rows()) {
          const rowProblems: Problem[] = [];
          const data = main.plan.convert(row, rowProblems);
          if (lines) await lines.attach(data, main.plan, row);
          if (rowProblems.length === 0)
            await add({
              data,
              metadata: {
                row: row.number,
                ...main.plan.getMetadata(row),
              },
              source: row.cells.map((cell) => main.plan.showCell(cell)),
            });
          else if (!keep(rowProblems)) break;
        }
      if (lines && problems.length < maxProblems) keep(lines.findUnused());
      const { table } = main.plan;
      const source = {
        fileName: file.fileName,
        sheet: table.sheet,
        columns: table.columns.map(({ name }) => name),
      };
      return { problems, version, plan: main.plan, joined, source };
    } finally {
      for (const spool of spools) await spool.close();
    }
  }
}

interface RowItem {
  data: object;
  metadata: Record<string, unknown>;
  /** The cells of the row, as people see them in the file. */
  source: readonly unknown[];
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

function describeTable({ table, mapping }: TablePlan): InspectedTable {
  const { problems: _, ...rest } = table;
  return { ...rest, mapping };
}

/** Lines of JSON in a temporary file, so that they take no memory. */
class RowSpool {
  #end = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async open(folder: string): Promise<RowSpool> {
    return new RowSpool(await openUnlinkedFile(folder, rowsPrefix));
  }

  get fd(): number {
    return this.handle.fd;
  }

  async *rows(): AsyncGenerator<TableRow> {
    const stream = this.handle.createReadStream({
      encoding: "utf8",
      start: 0,
      autoClose: false,
    });
    let rest = "";
    for await (const chunk of stream) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      await answeringTurns.take();
      for (const line of lines) {
        // Only the reader of files writes these lines.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const [number, ...cells] = JSON.parse(line) as [number, ...unknown[]];
        yield { number, cells };
      }
    }
  }

  /** @returns where the text is. */
  async append(text: string): Promise<TextPlace> {
    const bytes = Buffer.from(text);
    const start = this.#end;
    await this.handle.write(bytes, 0, bytes.length, start);
    this.#end += bytes.length;
    return [start, bytes.length];
  }

  async read([start, length]: TextPlace): Promise<string> {
    const bytes = Buffer.alloc(length);
    await this.handle.read(bytes, 0, length, start);
    return bytes.toString("utf8");
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

type TextPlace = readonly [start: number, length: number];

/** The rows of the second table, by the row of the first that they belong to. */
class LineItems {
  readonly #places = new Map<string, { row: number; places: TextPlace[] }>();
  readonly #used = new Set<string>();

  constructor(
    private readonly store: RowSpool,
    private readonly path: string,
    private readonly keyColumn: number,
    private readonly sheet: string | null,
  ) {}

  async add(
    row: TableRow,
    column: number,
    plan: TablePlan,
  ): Promise<Problem[]> {
    const problems: Problem[] = [];
    const key = toKey(plan.getValue(row.cells[column]));
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
    const existing = this.#places.get(key);
    if (existing) existing.places.push(place);
    else this.#places.set(key, { row: row.number, places: [place] });
    return [];
  }

  async attach(
    data: Record<string, unknown>,
    plan: TablePlan,
    row: TableRow,
  ): Promise<void> {
    const key = toKey(plan.getValue(row.cells[this.keyColumn]));
    this.#used.add(key);
    const items: unknown[] = [];
    for (const place of this.#places.get(key)?.places ?? [])
      items.push(JSON.parse(await this.store.read(place)));
    setAt(data, this.path.split("."), items);
  }

  /** Line items that no document would show. */
  findUnused(): Problem[] {
    const problems: Problem[] = [];
    for (const [key, { row }] of this.#places) {
      if (this.#used.has(key)) continue;
      problems.push({
        path: `row ${row}${describeSheet(this.sheet)}`,
        code: "join",
        message: `No row has the key "${key.slice(0, 60)}" that this line belongs to.`,
      });
      if (problems.length === maxProblems) break;
    }
    return problems;
  }
}

function toKey(cell: unknown): string {
  return typeof cell === "string" || typeof cell === "number"
    ? String(cell).trim()
    : "";
}
