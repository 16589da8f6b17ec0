import { fail } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import pLimit, { type LimitFunction } from "p-limit";
import type {
  Attachment,
  ChangeSubscription,
  PlatformChanges,
  PlatformPlugin,
  TableScope,
  OutFile,
  PlatformContext,
  RowSearch,
  RowSelection,
  RowsFound,
  TableInfo,
  WriteMode,
} from "../../core/plugin-api/index.js";
import {
  createSuiteAuthorization,
  type SuiteAuthorization,
} from "./authorization-checks.js";
import { type Addresses, FaultProxies } from "./fault-proxy.js";
import {
  findSecrets,
  type SharedSession,
  createContext,
  getErrorCode,
  RateLimiter,
  withTimeout,
} from "./suite-context.js";

/** Rows with known links. Include a row with more than 100: most platforms truncate long lists. */
export interface KnownLinks {
  fieldId: string;
  /** By record id: the ids of all rows that it is linked to. */
  expected: Readonly<Record<string, readonly string[]>>;
}

export interface KnownAttachments {
  fieldId: string;
  /** Creates a row whose cell is empty. @returns its id. */
  newRecord(): Promise<string>;
  /** Reads a file as the platform serves it. Without it, contents are not compared. */
  bytesOf?(attachment: Attachment): Promise<Uint8Array>;
}

/** Rows that a view or a filter selects. */
export interface KnownSelection {
  selection: RowSelection;
  /** The ids of all of these rows, in their order. */
  expected: readonly string[];
}

/** What the server contains while the suite runs. The suite adds files to cells and changes nothing else. */
export interface Fixture {
  scope: TableScope;
  /** Three or more rows of that table. */
  recordIds: readonly string[];
  /** A well-formed id that no row has. */
  unknownRecordId: string;
  /** A well-formed scope of a table that does not exist. */
  unknownScope: TableScope;
  /** A field that accepts text, and no files. */
  textFieldId: string;
  /** Required when the plugin's capability `links` is true. */
  links?: KnownLinks;
  /** Required when the plugin writes files. */
  attachments?: KnownAttachments;
  /**
   * Required when the plugin has `authorization`. Consents on the page at this address.
   * @returns the code that the page sends back.
   */
  consent?(page: string): Promise<string>;
  /** Required when the plugin has `listRows`. Rows that the suite adds must not be among them. */
  selections?: readonly KnownSelection[];
  /** Required when the plugin has `changes`. @returns how many webhooks of the table in `scope` have this URL. */
  countWebhooks?(url: string): Promise<number>;
}

export interface StartedServer<C> {
  /** The suite puts a fault proxy in front of each. Empty without a server, such as for a file. */
  addresses: Addresses;
  /** Credentials that reach the server at these addresses, which are those of the proxies. */
  credentials(addresses: Addresses): C;
  /** Credentials that the server refuses; left out when it cannot refuse any. */
  wrongCredentials?(addresses: Addresses): C;
  fixture: Fixture;
  close(): Promise<void>;
}

/** What an author passes to the suite. */
export interface ContractSubject<C> {
  plugin: PlatformPlugin<C>;
  /** Starts a server, real or fake, and fills it. Called once, by the first check that runs. */
  start(): Promise<StartedServer<C>>;
}

/** One requirement. `run` rejects with an error that says what is wrong. */
export interface PlatformCheck {
  title: string;
  /** Left out: applies to every plugin. */
  appliesTo?(plugin: PlatformPlugin<never>): boolean;
  run<C>(session: PlatformSession<C>): Promise<void>;
}

/** A started server behind its fault proxies, with a host that calls the plugin. */
export class PlatformSession<C> implements SharedSession {
  readonly host: SuiteHost<C>;
  /** A host with wrong credentials; null when the server cannot refuse any. */
  readonly unauthorizedHost: SuiteHost<C> | null;
  readonly secrets: readonly string[];

  private constructor(
    readonly plugin: PlatformPlugin<C>,
    readonly proxies: FaultProxies,
    private readonly server: StartedServer<C>,
    lock: CellLock,
  ) {
    const { addresses } = proxies;
    const credentials = server.credentials(addresses);
    const wrong = server.wrongCredentials?.(addresses);
    this.host = new SuiteHost(plugin, credentials, lock);
    this.unauthorizedHost =
      wrong === undefined ? null : new SuiteHost(plugin, wrong, lock);
    this.secrets = findSecrets(plugin.credentials.schema, credentials);
  }

  static async start<C>(
    subject: ContractSubject<C>,
    lock: CellLock,
  ): Promise<PlatformSession<C>> {
    const server = await subject.start();
    const proxies = await FaultProxies.start(server.addresses);
    return new PlatformSession(subject.plugin, proxies, server, lock);
  }

  get fixture(): Fixture {
    return this.server.fixture;
  }

  get credentials(): C {
    return this.host.credentials;
  }

  get requestCount(): number {
    return this.host.requestCount;
  }

  get authorization(): SuiteAuthorization {
    const { plugin, host, fixture } = this;
    return createSuiteAuthorization(
      plugin,
      (work) => host.call(work),
      fixture.consent?.bind(fixture),
    );
  }

  async createEmptyCell(): Promise<Cell> {
    const { attachments, scope } = this.fixture;
    if (!attachments)
      throw new Error(
        "The plugin writes files, so the subject's fixture needs `attachments`.",
      );
    const recordId = await attachments.newRecord();
    return { scope, recordId, fieldId: attachments.fieldId };
  }

  async close(): Promise<void> {
    await this.proxies.close();
    await this.server.close();
  }
}

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

/** @throws Error for a plugin without. */
export function getChanges<C>({
  changes,
}: PlatformPlugin<C>): PlatformChanges<C> {
  if (!changes) throw new Error("the plugin has no changes");
  return changes;
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
    const result = await this.call(
      (context) => this.plugin.fetchRows(context, scope, ids, fieldIds),
      stop,
    );
    assertRowsFound(result, ids);
    return result;
  }

  findRows(scope: TableScope, search: RowSearch): Promise<string[]> {
    return this.call(async (context) => {
      const { plugin } = this;
      if (!plugin.findRows) throw new Error("the plugin has no findRows");
      return plugin.findRows(context, scope, search);
    });
  }

  /** All pages. */
  async listRows(
    scope: TableScope,
    selection: RowSelection,
  ): Promise<string[]> {
    const ids: string[] = [];
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await this.call(async (context) => {
        const { plugin } = this;
        if (!plugin.listRows) throw new Error("the plugin has no listRows");
        return plugin.listRows(context, scope, selection, cursor);
      });
      ids.push(...page.ids);
      cursor = page.next;
      if (cursor !== undefined && cursors.has(cursor))
        fail(`listRows returned \`next\` "${cursor}" twice, so it never ends`);
      if (cursor !== undefined) cursors.add(cursor);
    } while (cursor !== undefined);
    return ids;
  }

  subscribe(
    scope: TableScope,
    url: string,
    current?: string,
  ): Promise<ChangeSubscription> {
    return this.call((context) =>
      getChanges(this.plugin).subscribe(context, scope, url, current),
    );
  }

  unsubscribe(scope: TableScope, url: string): Promise<void> {
    return this.call((context) =>
      getChanges(this.plugin).unsubscribe(context, scope, url),
    );
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

  /** Writes several records once, as the service does; then each that is not known to be written, alone. */
  async writeManyWithRetry(
    cells: readonly Cell[],
    writes: readonly (readonly OutFile[])[],
    mode: WriteMode,
  ): Promise<PromiseSettledResult<unknown>[]> {
    const [first] = cells;
    const written = new Set<string>();
    let canBeThere = true;
    if (first)
      try {
        const records = cells.map(({ recordId }, at) => ({
          recordId,
          files: writes[at] ?? [],
        }));
        const results = await this.call(async (context) => {
          const { plugin } = this;
          const { scope, fieldId } = first;
          return plugin.writeBackMany?.(context, scope, fieldId, records, mode);
        });
        for (const { recordId } of results ?? []) written.add(recordId);
      } catch (error) {
        const code = getErrorCode(error);
        if (code === null) throw error;
        canBeThere = code === "unavailable";
      }
    const writeAlone = async (at: number, isUnclear: boolean) => {
      const cell = cells[at];
      const files = writes[at] ?? [];
      if (cell && mode === "replace") await this.write(cell, files, mode);
      else if (cell)
        for (const file of files) {
          const held = isUnclear ? await this.read(cell) : [];
          const isThere = held.some((attachment) =>
            this.plugin.capabilities.keepsFilename
              ? attachment.filename === file.filename
              : attachment.sizeBytes === file.sizeBytes,
          );
          if (!isThere) await this.write(cell, [file], mode);
        }
    };
    return Promise.allSettled(
      cells.map(async ({ recordId }, at) => {
        if (written.has(recordId)) return;
        try {
          await writeAlone(at, canBeThere);
        } catch (error) {
          if (getErrorCode(error) !== "unavailable") throw error;
          await writeAlone(at, true);
        }
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
