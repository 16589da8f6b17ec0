import type {
  Attachment,
  PlatformPlugin,
  TableScope,
} from "../../core/plugin-api/index.js";
import { type Addresses, FaultProxies } from "./fault-proxy.js";
import { findSecrets, type SharedSession } from "./suite-context.js";
import { type Cell, type CellLock, SuiteHost } from "./suite-host.js";

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

  get requestCount(): number {
    return this.host.requestCount;
  }

  /** Creates a row whose cell is empty. */
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
