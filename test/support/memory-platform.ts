import { setImmediate as turn } from "node:timers/promises";
import {
  type Attachment,
  type FieldInfo,
  type OutFile,
  PlatformError,
  type PlatformPlugin,
  type Row,
  type RowsFound,
  type TableInfo,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";

/** A spreadsheet platform that lives in a test: tables, rows, cells with files, and what was asked of it. */
export class MemoryPlatform {
  readonly tables: TableInfo[] = [];
  readonly reads: { tableId: string; ids: readonly string[] }[] = [];
  readonly writes: { filename: string; mode: WriteMode }[] = [];
  /** Called before each call; what it throws, the call throws. */
  refuse: (what: "describe" | "fetchRows" | "writeBack") => void = () =>
    undefined;
  /** What a description waits for. */
  stall: Promise<void> = Promise.resolve();
  /** Called after each write, before it is answered. */
  loseAnswer: () => void = () => undefined;
  maxIdsPerFetch = 100;
  readonly #rows = new Map<string, Map<string, Row>>();
  readonly #cells = new Map<string, Attachment[]>();
  #lastId = 0;

  table(id: string, name: string, fields: readonly FieldInfo[]): void {
    this.tables.push({ id, name, fields: [...fields] });
    this.#rows.set(id, new Map());
  }

  row(tableId: string, row: Partial<Row> & { id: string }): void {
    const whole = { fields: {}, links: {}, ...row };
    this.#rows.get(tableId)?.set(row.id, whole);
  }

  remove(tableId: string, rowId: string): void {
    this.#rows.get(tableId)?.delete(rowId);
  }

  /** The names of the files in a cell. */
  filesOf(recordId: string, fieldId = "fldFile"): string[] {
    const cell = this.#cells.get(`${recordId}/${fieldId}`) ?? [];
    return cell.map(({ filename }) => filename);
  }

  put(recordId: string, filename: string, fieldId = "fldFile"): void {
    const cell = this.#cells.get(`${recordId}/${fieldId}`) ?? [];
    const attachment = { remoteId: this.#newId(), filename, sizeBytes: 1 };
    this.#cells.set(`${recordId}/${fieldId}`, [...cell, attachment]);
  }

  fetchRows(tableId: string, ids: readonly string[]): RowsFound {
    this.refuse("fetchRows");
    this.reads.push({ tableId, ids });
    const table = this.#rows.get(tableId) ?? new Map<string, Row>();
    return {
      rows: ids.flatMap((id) => table.get(id) ?? []),
      missing: ids.filter((id) => !table.has(id)),
    };
  }

  /** Reads the cell, takes its time, writes it: two at the same time lose one of them, as on real platforms. */
  async writeBack(
    key: string,
    files: readonly OutFile[],
    mode: WriteMode,
  ): Promise<Attachment[]> {
    this.refuse("writeBack");
    const before = mode === "append" ? (this.#cells.get(key) ?? []) : [];
    const added: Attachment[] = [];
    for (const file of files) {
      const { filename, sizeBytes } = file;
      const { length } = await file.bytes();
      if (length !== sizeBytes)
        throw new PlatformError("bad_config", "The file is not whole.");
      this.writes.push({ filename, mode });
      added.push({ remoteId: this.#newId(), filename, sizeBytes });
    }
    await turn();
    this.#cells.set(key, [...before, ...added]);
    this.loseAnswer();
    return added;
  }

  attachments(key: string): Attachment[] {
    return this.#cells.get(key) ?? [];
  }

  #newId(): string {
    this.#lastId += 1;
    return `att${this.#lastId}`;
  }
}

const keyOf = (recordId: string, fieldId: string) => `${recordId}/${fieldId}`;

/** The plugin by which the service reaches it; `id` is its place in the REST path. */
export function memoryPlugin(
  platform: MemoryPlatform,
  changes: Partial<PlatformPlugin["capabilities"]> = {},
): PlatformPlugin {
  return {
    meta: {
      kind: "platform",
      id: "memory",
      title: "Memory",
      version: "1.0.0",
      api: 1,
      platen: "*",
    },
    credentials: { schema: { type: "object" } },
    capabilities: {
      links: true,
      attachments: "native",
      modes: ["append", "replace"],
      maxFileBytes: 5_000_000,
      maxIdsPerFetch: platform.maxIdsPerFetch,
      keepsFilename: true,
      readBack: true,
      ...changes,
    },
    rate: { key: () => "memory", maxInFlight: 50 },
    check: async () => ({}),
    describe: async () => {
      platform.refuse("describe");
      await platform.stall;
      return platform.tables;
    },
    fetchRows: async (_context, scope: TableScope, ids) =>
      platform.fetchRows(scope.tableId, ids),
    writeBack: (_context, _scope, recordId, fieldId, files, mode) =>
      platform.writeBack(keyOf(recordId, fieldId), files, mode),
    readAttachments: async (_context, _scope, recordId, fieldId) =>
      platform.attachments(keyOf(recordId, fieldId)),
  };
}

/** A field of a table. */
export function field(
  id: string,
  name: string,
  more: Partial<FieldInfo> = {},
): FieldInfo {
  const kind = more.link ? "link" : "text";
  return { id, name, kind, native: kind, writable: true, ...more };
}
