import type { PlatformPlugin } from "../../core/contract/index.js";
import type { CellLock } from "./cell-lock.js";
import type { Door, Fault } from "./fault.js";
import { HttpDoor } from "./http-door.js";
import type { ContractSubject, Fixture, StartedServer } from "./subject.js";
import { type Cell, SuiteHost } from "./suite-host.js";
import { TcpDoor } from "./tcp-door.js";

/** A started server behind its fault proxies, with a host that calls the plugin. */
export class Session<C> {
  readonly #doors: ReadonlyMap<string, Door>;

  private constructor(
    readonly plugin: PlatformPlugin<C>,
    readonly host: SuiteHost<C>,
    /** With credentials that are wrong; null where there are none. */
    readonly stranger: SuiteHost<C> | null,
    readonly secrets: readonly string[],
    private readonly server: StartedServer<C>,
    doors: ReadonlyMap<string, Door>,
  ) {
    this.#doors = doors;
  }

  static async start<C>(
    subject: ContractSubject<C>,
    lock: CellLock,
  ): Promise<Session<C>> {
    const { plugin } = subject;
    const server = await subject.start();
    const doors = new Map<string, Door>();
    for (const [name, address] of Object.entries(server.addresses))
      doors.set(name, await openDoor(address));
    const urls = Object.fromEntries(
      Array.from(doors, ([name, { url }]) => [name, url]),
    );
    const credentials = server.credentials(urls);
    const wrong = server.wrongCredentials?.(urls);
    return new Session(
      plugin,
      new SuiteHost(plugin, credentials, lock),
      wrong === undefined ? null : new SuiteHost(plugin, wrong, lock),
      secretsOf(plugin, credentials),
      server,
      doors,
    );
  }

  get fixture(): Fixture {
    return this.server.fixture;
  }

  get doors(): readonly Door[] {
    return [...this.#doors.values()];
  }

  get seesRequests(): boolean {
    return (
      this.doors.length > 0 && this.doors.every((door) => door.seesRequests)
    );
  }

  /** How many requests `work` sends, through all doors. */
  async countRequests(work: () => Promise<unknown>): Promise<number> {
    for (const door of this.doors) door.watch(null);
    await work();
    return this.doors.reduce((sum, door) => sum + door.requests, 0);
  }

  /** Runs `work` while the fault meets each request from the given one on, at every door. */
  async under<T>(
    fault: Fault,
    work: () => Promise<T>,
    { from = 1, to = Infinity }: { from?: number; to?: number } = {},
  ): Promise<T> {
    for (const door of this.doors) door.watch({ fault, from, to });
    try {
      return await work();
    } finally {
      for (const door of this.doors) door.watch(null);
    }
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
    await Promise.all(this.doors.map((door) => door.close()));
    await this.server.close();
  }
}

function openDoor(address: string): Promise<Door> {
  return address.startsWith("tcp:")
    ? TcpDoor.open(address)
    : HttpDoor.open(address);
}

/** The credentials that the plugin's schema calls secret. */
function secretsOf<C>(plugin: PlatformPlugin<C>, credentials: C): string[] {
  const { properties } = plugin.credentials.schema;
  if (typeof properties !== "object" || properties === null) return [];
  const values = new Map(Object.entries(credentials ?? {}));
  return Object.entries(properties)
    .filter(([, property]) => isWriteOnly(property))
    .map(([name]) => values.get(name))
    .filter((value) => typeof value === "string" && value !== "")
    .map(String);
}

function isWriteOnly(property: unknown): boolean {
  return (
    typeof property === "object" &&
    property !== null &&
    "writeOnly" in property &&
    property.writeOnly === true
  );
}
