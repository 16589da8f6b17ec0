import pLimit from "p-limit";
import { chunksOf } from "../../lib/chunks.js";
import {
  type Attachment,
  type BaseInfo,
  type ChangeNotice,
  type ChangeSubscription,
  type Deadline,
  type OutFile,
  PlatenError,
  PlatformError,
  type RecordFiles,
  type Row,
  type RowSearch,
  type RowSelection,
  type RowsFound,
  type TableInfo,
  type TableScope,
  type WriteMode,
  type WrittenRecord,
} from "../../plugin-api/index.js";
import { ConnectedPlugin } from "./connected-plugin.js";
import { type CallLimits, parseResult } from "./plugin-calls.js";
import {
  createPluginBug,
  createRefusal,
  findPlatformError,
} from "./platform-errors.js";
import type { CallablePlatform } from "./plugin-contract.js";
import {
  platformMethods,
  rowsFound,
  writtenRecords,
} from "./plugin-methods.js";

export interface CellScope extends TableScope {
  recordId: string;
  fieldId: string;
}

export class ConnectedPlatform extends ConnectedPlugin<"platform"> {
  /** Whether records can be selected by a view or a filter. */
  get listsRows(): boolean {
    return this.plugin.listRows !== undefined;
  }

  /** Whether the platform can report changes, and what it needs for that; null when it cannot. */
  get changes(): { needsPublicUrl: boolean } | null {
    const { changes } = this.plugin;
    return changes ? { needsPublicUrl: changes.needsPublicUrl === true } : null;
  }

  check(limits: CallLimits = {}) {
    return this.call(platformMethods.check, {}, limits, (context) =>
      this.plugin.check(context),
    );
  }

  /** @returns null when the platform has no bases. */
  async listBases(limits: CallLimits = {}): Promise<BaseInfo[] | null> {
    if (!this.plugin.listBases) return null;
    return this.call(platformMethods.listBases, {}, limits, async (context) =>
      this.plugin.listBases?.(context),
    );
  }

  describe(baseId?: string, limits: CallLimits = {}): Promise<TableInfo[]> {
    const scope = baseId === undefined ? {} : { baseId };
    return this.call(platformMethods.describe, scope, limits, (context) =>
      this.plugin.describe(context, baseId),
    );
  }

  /** Any number of ids; rows are unique and in the order of the ids. */
  async fetchRows(
    scope: TableScope,
    ids: readonly string[],
    fieldIds?: readonly string[],
    limits: CallLimits = {},
  ): Promise<RowsFound> {
    const unique = [...new Set(ids)];
    const { maxIdsPerFetch } = this.plugin.capabilities;
    const limit = pLimit(this.plugin.rate.maxInFlight);
    // The first part shows whether the platform accepts requests; what the others fetched would be lost.
    const { maxWaitMs: _, ...later } = limits;
    const results = await limit.map(
      chunksOf(unique, maxIdsPerFetch),
      (part, index) =>
        this.call(
          { ...platformMethods.fetchRows, result: rowsFound(part) },
          scope,
          index === 0 ? limits : later,
          (context) => this.plugin.fetchRows(context, scope, part, fieldIds),
        ),
    );
    const rows = results.flatMap((result) => result.rows);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return {
      rows: unique.flatMap((id) => byId.get(id) ?? []),
      missing: results.flatMap(({ missing }) => missing),
    };
  }

  /** Ids of rows for a person to choose from; null when the platform cannot search. */
  async findRows(
    scope: TableScope,
    search: RowSearch,
    limits: CallLimits = {},
  ): Promise<string[] | null> {
    if (!this.plugin.findRows) return null;
    const ids = await this.call(
      platformMethods.findRows,
      scope,
      limits,
      async (context) => this.plugin.findRows?.(context, scope, search),
    );
    return [...new Set(ids)].slice(0, search.limit);
  }

  /**
   * The ids of the selected rows page by page, each once, in the platform's order.
   * @param deadline of all pages together. @throws PlatenError `invalid_request` when the platform cannot list rows.
   */
  async *listRows(
    scope: TableScope,
    selection: RowSelection,
    deadline: Deadline,
  ): AsyncGenerator<string[]> {
    const { plugin, title } = this;
    if (!plugin.listRows)
      throw createRefusal(
        title,
        new PlatformError(
          "unsupported",
          "it cannot select records by a view or a filter. Send recordIds.",
        ),
      );
    const seen = new Set<string>();
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const method = platformMethods.listRows;
      const page = await this.call(
        method,
        scope,
        { timeoutMs: Math.min(method.timeoutMs, deadline.remainingMs) },
        async (context) => plugin.listRows?.(context, scope, selection, cursor),
      );
      // A row that moves while a table is listed can be on two pages.
      const fresh = page.ids.filter((id) => !seen.has(id));
      for (const id of fresh) seen.add(id);
      if (fresh.length > 0) yield [...new Set(fresh)];
      cursor = page.next;
      if (cursor !== undefined && cursors.has(cursor))
        throw createPluginBug(
          { id: this.id, method: "listRows" },
          `it returned the cursor "${cursor.slice(0, 40)}" twice`,
        );
      if (cursor !== undefined) cursors.add(cursor);
    } while (cursor !== undefined);
  }

  /** Tries once: after a failure, only `readAttachments` can tell what the cell contains. */
  async writeBack(
    cell: CellScope,
    files: readonly OutFile[],
    mode: WriteMode,
    limits: CallLimits = {},
  ): Promise<Attachment[]> {
    assertFilesAccepted(this.plugin, files, mode);
    const { recordId, fieldId, ...scope } = cell;
    return this.call(
      platformMethods.writeBack,
      scope,
      limits,
      async (context) =>
        this.plugin.writeBack?.(context, scope, recordId, fieldId, files, mode),
    );
  }

  /** Tries once. @returns the records that are known to be written; see `PlatformPlugin.writeBackMany`. */
  async writeBackMany(
    { fieldId, ...scope }: Omit<CellScope, "recordId">,
    writes: readonly RecordFiles[],
    mode: WriteMode,
    limits: CallLimits = {},
  ): Promise<WrittenRecord[]> {
    const files = writes.flatMap((write) => write.files);
    assertFilesAccepted(this.plugin, files, mode);
    const result = writtenRecords(writes.map(({ recordId }) => recordId));
    const method = { ...platformMethods.writeBackMany, result };
    return this.call(method, scope, limits, async (context) =>
      this.plugin.writeBackMany?.(context, scope, fieldId, writes, mode),
    );
  }

  /** @returns null when the platform cannot read attachments. */
  async readAttachments(
    cell: CellScope,
    limits: CallLimits = {},
  ): Promise<Attachment[] | null> {
    const { recordId, fieldId, ...scope } = cell;
    if (!this.plugin.readAttachments) return null;
    return this.call(
      platformMethods.readAttachments,
      scope,
      limits,
      async (context) =>
        this.plugin.readAttachments?.(context, scope, recordId, fieldId),
    );
  }

  /**
   * The root data of rows by the plugin's own mapping, or why one has none; null when the plugin leaves the mapping to
   * the host.
   */
  async mapRows(
    rows: readonly Row[],
    table: TableInfo,
  ): Promise<Map<Row, Record<string, unknown> | PlatenError> | null> {
    const { id, plugin } = this;
    if (!plugin.toRootData) return null;
    const method = platformMethods.toRootData;
    const mapped = new Map<Row, Record<string, unknown> | PlatenError>();
    for (const row of rows)
      try {
        const data: unknown = (await plugin.toRootData(row, table)) ?? null;
        if (data !== null)
          mapped.set(row, parseResult({ plugin, method }, data));
      } catch (error) {
        mapped.set(row, toMappingError(id, this.title, error));
      }
    return mapped;
  }

  /** See `PlatformChanges.subscribe`, which makes it repeatable. @throws PlatenError for a platform without `changes`. */
  subscribe(
    scope: TableScope,
    url: string,
    current?: string,
  ): Promise<ChangeSubscription> {
    const { plugin } = this;
    return this.call(
      platformMethods["changes.subscribe"],
      scope,
      {},
      async (context) =>
        plugin.changes?.subscribe(context, scope, url, current),
    );
  }

  /** @throws PlatenError for a platform without `changes`. */
  async unsubscribe(scope: TableScope, url: string): Promise<void> {
    const { plugin } = this;
    await this.call(
      platformMethods["changes.unsubscribe"],
      scope,
      {},
      async (context) => plugin.changes?.unsubscribe(context, scope, url),
    );
  }

  /** Whether the platform signed a notice with this secret. Rejects when the plugin cannot tell. */
  async verifyNotice(notice: ChangeNotice, secret: string): Promise<boolean> {
    return (await this.plugin.changes?.verify?.(notice, secret)) === true;
  }
}

function toMappingError(id: string, title: string, error: unknown) {
  if (error instanceof PlatenError) return error;
  const refusal = findPlatformError(error);
  if (refusal?.code === "unavailable") return createRefusal(title, refusal);
  return createPluginBug({ id, method: "toRootData" }, "it threw", error);
}

/** @throws PlatenError for files that the platform is known to refuse, before anything is sent. */
function assertFilesAccepted(
  plugin: CallablePlatform,
  files: readonly OutFile[],
  mode: WriteMode,
): void {
  const { meta, capabilities } = plugin;
  const { attachments: support, modes, maxFileBytes } = capabilities;
  const refuse = (
    code: "unsupported" | "too_large" | "bad_config",
    message: string,
  ) => createRefusal(meta.title, new PlatformError(code, message));
  if (support === "none" || !plugin.writeBack)
    throw refuse("unsupported", "files cannot be written to its records.");
  if (!modes.includes(mode))
    throw refuse(
      "unsupported",
      mode === "append"
        ? "it can only replace the files of a field. Set overwriteExisting to true."
        : "it can only add files to a field. Set overwriteExisting to false.",
    );
  const large = files.find(({ sizeBytes }) => sizeBytes > maxFileBytes);
  if (large)
    throw refuse(
      "too_large",
      `"${large.filename}" has ${large.sizeBytes} bytes; the maximum is ${maxFileBytes}. Use smaller images or fewer pages.`,
    );
  if (capabilities.needsPublicUrl && files.some((file) => !file.publicUrl))
    throw refuse(
      "bad_config",
      "it downloads files by their URL, but this service has no public URL. Set PLATEN_BASE_URL to its https address.",
    );
}
