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
import { assertRowsFound } from "./assert-rows.js";
import type { CellLock } from "./cell-lock.js";
import { errorCodeOf } from "./error-code-of.js";
import { SuiteContext, Turns } from "./suite-context.js";
import { withinLimit } from "./within-limit.js";

export interface Cell {
  scope: TableScope;
  recordId: string;
  fieldId: string;
}

/** Calls a plugin as the service's host does: in turn, with a limit of time, cells locked, a write never repeated blindly. */
export class SuiteHost<C> {
  readonly #turns: Turns<C>;

  constructor(
    private readonly plugin: PlatformPlugin<C>,
    readonly credentials: C,
    private readonly lock: CellLock,
  ) {
    this.#turns = new Turns(plugin.rate, credentials);
  }

  get turns(): number {
    return this.#turns.granted;
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
      if (!plugin.findRows) throw new Error("this plugin has no findRows");
      return plugin.findRows(context, scope, search);
    });
  }

  read(cell: Cell): Promise<Attachment[]> {
    return this.call(async (context) => {
      const { scope, recordId, fieldId } = cell;
      const { plugin } = this;
      if (!plugin.readAttachments)
        throw new Error("capabilities.readBack needs readAttachments");
      return plugin.readAttachments(context, scope, recordId, fieldId);
    });
  }

  /** One attempt, in the cell's turn. */
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
          throw new Error("capabilities.attachments needs writeBack");
        return plugin.writeBack(context, scope, recordId, fieldId, files, mode);
      }),
    );
  }

  /** Appends a file as the service does: after a failure that may have come too late, it looks before it writes again. */
  async writeSurely(cell: Cell, file: OutFile): Promise<void> {
    const before = await this.read(cell);
    try {
      await this.write(cell, [file], "append");
    } catch (error) {
      if (errorCodeOf(error) === null) throw error;
      const after = await this.read(cell);
      if (after.length === before.length)
        await this.write(cell, [file], "append");
    }
  }

  call<T>(
    work: (context: PlatformContext<C>) => Promise<T>,
    stop?: AbortSignal,
  ): Promise<T> {
    return withinLimit(
      (signal) => work(new SuiteContext(this.credentials, signal, this.#turns)),
      stop,
    );
  }
}
