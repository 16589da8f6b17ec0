import { fail } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import pLimit, { type LimitFunction } from "p-limit";
import type {
  Attachment,
  OutFile,
  PlatformContext,
  PlatformPlugin,
  RowSearch,
  RowsFound,
  TableInfo,
  TableScope,
  WriteMode,
} from "../../core/plugin-api/index.js";
import {
  createContext,
  getErrorCode,
  RateLimiter,
  withTimeout,
} from "./suite-context.js";

export interface Cell {
  scope: TableScope;
  recordId: string;
  fieldId: string;
}

/** Runs work on one cell after all earlier work on it. */
export type CellLock = <T>(cell: string, work: () => Promise<T>) => Promise<T>;

/** A lock for each cell, within this process. */
export function createCellLock(): CellLock {
  const locks = new Map<string, LimitFunction>();
  return (cell, work) => {
    const lock = locks.get(cell) ?? pLimit(1);
    locks.set(cell, lock);
    return lock(work);
  };
}

/** A small text file with unique content. No server listens at its public URL: platforms are not expected to fetch it. */
export function createFile(filename: string): OutFile {
  const id = randomBytes(8).toString("hex");
  const content = Buffer.from(`${filename} ${id}`);
  return {
    key: `contract-suite/${id}`,
    filename,
    contentType: "text/plain",
    sizeBytes: content.length,
    bytes: () => Promise.resolve(content),
    publicUrl: () => Promise.resolve(`https://files.example.com/${id}`),
  };
}

/** Calls a platform plugin as the service does: rate-limited, with a time limit, and with locked cells. */
export class SuiteHost<C> {
  readonly #limiter: RateLimiter<C>;

  constructor(
    private readonly plugin: PlatformPlugin<C>,
    readonly credentials: C,
    private readonly lock: CellLock = createCellLock(),
  ) {
    this.#limiter = new RateLimiter(plugin.rate, credentials);
  }

  /** How many requests the plugin has sent through its context. */
  get requestCount(): number {
    return this.#limiter.requestCount;
  }

  check(): Promise<{ account?: string; warnings?: string[] }> {
    return this.call((context) => this.plugin.check(context));
  }

  describe(baseId?: string): Promise<TableInfo[]> {
    return this.call((context) => this.plugin.describe(context, baseId));
  }

  async fetchRows(
    scope: TableScope,
    ids: readonly string[],
    fieldIds?: readonly string[],
    stop?: AbortSignal,
  ): Promise<RowsFound> {
    const found = await this.call(
      (context) => this.plugin.fetchRows(context, scope, ids, fieldIds),
      stop,
    );
    assertRowsFound(found, ids);
    return found;
  }

  findRows(scope: TableScope, search: RowSearch): Promise<string[]> {
    return this.call(async (context) => {
      const { plugin } = this;
      if (!plugin.findRows) throw new Error("the plugin has no findRows");
      return plugin.findRows(context, scope, search);
    });
  }

  read(cell: Cell): Promise<Attachment[]> {
    return this.call(async (context) => {
      const { scope, recordId, fieldId } = cell;
      const { plugin } = this;
      if (!plugin.readAttachments)
        throw new Error(
          "capabilities.readBack is true, so the plugin needs readAttachments",
        );
      return plugin.readAttachments(context, scope, recordId, fieldId);
    });
  }

  /** Writes once, under the cell's lock. */
  write(
    cell: Cell,
    files: readonly OutFile[],
    mode: WriteMode,
  ): Promise<Attachment[]> {
    return this.lock(JSON.stringify(cell), () =>
      this.call(async (context) => {
        const { scope, recordId, fieldId } = cell;
        const { plugin } = this;
        if (!plugin.writeBack)
          throw new Error(
            "capabilities.attachments is set, so the plugin needs writeBack",
          );
        return plugin.writeBack(context, scope, recordId, fieldId, files, mode);
      }),
    );
  }

  /** Appends a file as the service does: after a failure, it reads the cell before it writes again. */
  async writeWithRetry(cell: Cell, file: OutFile): Promise<void> {
    const before = await this.read(cell);
    try {
      await this.write(cell, [file], "append");
    } catch (error) {
      if (getErrorCode(error) === null) throw error;
      const after = await this.read(cell);
      if (after.length === before.length)
        await this.write(cell, [file], "append");
    }
  }

  call<T>(
    work: (context: PlatformContext<C>) => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T> {
    return withTimeout(
      (signal) => work(createContext(this.credentials, signal, this.#limiter)),
      stop,
    );
  }
}

/** Fails unless rows and missing ids together are the requested ids, each once, and links are apart from fields. */
function assertRowsFound(
  { rows, missing }: RowsFound,
  ids: readonly string[],
): void {
  const returned = [...rows.map(({ id }) => id), ...missing].toSorted();
  const requested = [...new Set(ids)].toSorted();
  if (JSON.stringify(returned) !== JSON.stringify(requested))
    fail(
      `fetchRows must return each id once, in rows or in missing. Requested: ${toList(requested)}. Returned: ${toList(returned)}.`,
    );
  for (const { id, fields, links } of rows) {
    const duplicates = Object.keys(links).filter((field) => field in fields);
    if (duplicates.length > 0)
      fail(
        `fetchRows returned ${toList(duplicates)} of row ${id} in links and in fields. Return links in links only.`,
      );
    for (const [field, linked] of Object.entries(links))
      if (new Set(linked).size !== linked.length)
        fail(
          `fetchRows returned the same id twice in links.${field} of row ${id}. Return each linked row once.`,
        );
  }
}

function toList(ids: readonly string[]): string {
  const text = ids.slice(0, 12).join(", ");
  return ids.length > 12 ? `${text}, … (${ids.length})` : text;
}
