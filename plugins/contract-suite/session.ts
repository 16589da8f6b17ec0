import type { PlatformPlugin } from "../../core/plugin-api/index.js";
import type { CellLock } from "./cell-lock.js";
import { Doors } from "./doors.js";
import type { Door, Fault } from "./fault.js";
import type { ContractSubject, Fixture, StartedServer } from "./subject.js";
import { type Cell, SuiteHost } from "./suite-host.js";
import { secretsOf } from "./secrets-of.js";

/** A started server behind its fault proxies, with a host that calls the plugin. */
export class Session<C> {
  private constructor(
    readonly plugin: PlatformPlugin<C>,
    readonly host: SuiteHost<C>,
    /** With credentials that are wrong; null where there are none. */
    readonly stranger: SuiteHost<C> | null,
    readonly secrets: readonly string[],
    private readonly server: StartedServer<C>,
    private readonly entries: Doors,
  ) {}

  static async start<C>(
    subject: ContractSubject<C>,
    lock: CellLock,
  ): Promise<Session<C>> {
    const { plugin } = subject;
    const server = await subject.start();
    const doors = await Doors.open(server.addresses);
    const { urls } = doors;
    const credentials = server.credentials(urls);
    const wrong = server.wrongCredentials?.(urls);
    return new Session(
      plugin,
      new SuiteHost(plugin, credentials, lock),
      wrong === undefined ? null : new SuiteHost(plugin, wrong, lock),
      secretsOf(plugin.credentials.schema, credentials),
      server,
      doors,
    );
  }

  get fixture(): Fixture {
    return this.server.fixture;
  }

  get doors(): readonly Door[] {
    return this.entries.all;
  }

  get seesRequests(): boolean {
    return this.entries.seeRequests;
  }

  /** How many requests `work` sends, through all doors. */
  countRequests(work: () => Promise<unknown>): Promise<number> {
    return this.entries.count(work);
  }

  /** Runs `work` while the fault meets each request from the given one on, at every door. */
  under<T>(
    fault: Fault,
    work: () => Promise<T>,
    range: { from?: number; to?: number } = {},
  ): Promise<T> {
    return this.entries.under(fault, work, range);
  }

  /** A fresh cell without files. */
  async emptyCell(): Promise<Cell> {
    const { attachments, scope } = this.fixture;
    if (!attachments)
      throw new Error("the fixture needs `attachments` for this plugin");
    const recordId = await attachments.newRecord();
    return { scope, recordId, fieldId: attachments.fieldId };
  }

  async close(): Promise<void> {
    await this.entries.close();
    await this.server.close();
  }
}
