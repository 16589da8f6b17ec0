import pLimit from "p-limit";
import {
  type Attachment,
  type OutFile,
  type PlatformPlugin,
  type Row,
  type RowSearch,
  type RowsFound,
  type TableInfo,
  type TableScope,
  type WriteMode,
} from "../../plugin-api/index.js";
import {
  type CallTarget,
  PluginCalls,
  type PluginCallsParts,
} from "./call/plugin-calls.js";
import {
  attachments,
  bases,
  checkResult,
  rootData,
  rowIds,
  rowsFound,
  tables,
} from "./call/result-shapes.js";
import type { CallLimits } from "./call-limits.js";
import type { CellScope, OpenPlatform } from "./open-platform.js";
import { pluginFault } from "./platform-fault.js";
import { refuseFiles } from "./refuse-files.js";

const checkMs = 10_000;
const describeMs = 20_000;
const workMs = 120_000;

/** A plugin of one's own choice with credentials, called as the host calls those that are installed. */
export function connectPlatform(
  plugin: PlatformPlugin,
  credentials: unknown,
  parts: PluginCallsParts,
): OpenPlatform {
  return new ConnectedPlatform(plugin, credentials, new PluginCalls(parts));
}

/** A plugin with the credentials of a connection. */
export class ConnectedPlatform implements OpenPlatform {
  constructor(
    private readonly plugin: PlatformPlugin,
    private readonly credentials: unknown,
    private readonly calls: PluginCalls,
  ) {}

  get id(): string {
    return this.plugin.meta.id;
  }

  get title(): string {
    return this.plugin.meta.title;
  }

  get capabilities(): PlatformPlugin["capabilities"] {
    return this.plugin.capabilities;
  }

  check(limits: CallLimits = {}) {
    return this.calls.call(
      this.target("check", {}),
      { timeoutMs: checkMs, ...limits },
      checkResult,
      (context) => this.plugin.check(context),
    );
  }

  async listBases(limits: CallLimits = {}) {
    if (!this.plugin.listBases) return null;
    return this.calls.call(
      this.target("listBases", {}),
      { timeoutMs: describeMs, ...limits },
      bases,
      async (context) => this.plugin.listBases?.(context),
    );
  }

  describe(baseId?: string, limits: CallLimits = {}): Promise<TableInfo[]> {
    return this.calls.call(
      this.target("describe", baseId === undefined ? {} : { baseId }),
      { timeoutMs: describeMs, ...limits },
      tables,
      (context) => this.plugin.describe(context, baseId),
    );
  }

  async fetchRows(
    scope: TableScope,
    ids: readonly string[],
    fieldIds?: readonly string[],
    limits: CallLimits = {},
  ): Promise<RowsFound> {
    const { maxIdsPerFetch } = this.plugin.capabilities;
    const parts = inParts([...new Set(ids)], maxIdsPerFetch);
    const limit = pLimit(this.plugin.rate.maxInFlight);
    const found = await limit.map(parts, (part) =>
      this.fetchPart(scope, part, fieldIds, limits),
    );
    return {
      rows: inOrder(
        ids,
        found.flatMap(({ rows }) => rows),
      ),
      missing: found.flatMap(({ missing }) => missing),
    };
  }

  async findRows(
    scope: TableScope,
    search: RowSearch,
    limits: CallLimits = {},
  ): Promise<string[] | null> {
    if (!this.plugin.findRows) return null;
    const ids = await this.calls.call(
      this.target("findRows", scope),
      { timeoutMs: describeMs, ...limits },
      rowIds,
      async (context) => this.plugin.findRows?.(context, scope, search),
    );
    return [...new Set(ids)].slice(0, search.limit);
  }

  async writeBack(
    cell: CellScope,
    files: readonly OutFile[],
    mode: WriteMode,
    limits: CallLimits = {},
  ): Promise<Attachment[]> {
    refuseFiles(this.plugin, files, mode);
    const { recordId, fieldId, ...scope } = cell;
    return this.calls.call(
      { ...this.target("writeBack", scope), isRepeatable: false },
      { timeoutMs: workMs, ...limits },
      attachments,
      async (context) =>
        this.plugin.writeBack?.(context, scope, recordId, fieldId, files, mode),
    );
  }

  async readAttachments(
    cell: CellScope,
    limits: CallLimits = {},
  ): Promise<Attachment[] | null> {
    const { recordId, fieldId, ...scope } = cell;
    if (!this.plugin.readAttachments) return null;
    return this.calls.call(
      this.target("readAttachments", scope),
      { timeoutMs: workMs, ...limits },
      attachments,
      async (context) =>
        this.plugin.readAttachments?.(context, scope, recordId, fieldId),
    );
  }

  toRootData(row: Row, table: TableInfo): Record<string, unknown> | null {
    const { id, plugin } = this;
    try {
      const mapped: unknown = plugin.toRootData?.(row, table) ?? null;
      return mapped === null ? null : rootData.parse(mapped);
    } catch (fault) {
      throw pluginFault({ id, what: "toRootData" }, "it threw", fault);
    }
  }

  private fetchPart(
    scope: TableScope,
    ids: readonly string[],
    fieldIds: readonly string[] | undefined,
    limits: CallLimits,
  ): Promise<RowsFound> {
    return this.calls.call(
      this.target("fetchRows", scope),
      { timeoutMs: workMs, ...limits },
      rowsFound(ids),
      (context) => this.plugin.fetchRows(context, scope, ids, fieldIds),
    );
  }

  private target(what: string, scope: Partial<TableScope>): CallTarget {
    const { plugin, credentials } = this;
    return { plugin, credentials, scope, what, isRepeatable: true };
  }
}

function inParts(ids: readonly string[], size: number): string[][] {
  const count = Math.ceil(ids.length / size);
  return Array.from({ length: count }, (_, part) =>
    ids.slice(part * size, (part + 1) * size),
  );
}

function inOrder(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}
