import type {
  Attachment,
  PlatformPlugin,
  TableScope,
} from "../../core/plugin-api/index.js";

/** Rows whose links are known. The suite is worth as much as these: make one row with more than 100. */
export interface KnownLinks {
  fieldId: string;
  /** By record id: the ids of all rows that it is linked to. */
  expected: Readonly<Record<string, readonly string[]>>;
}

export interface KnownAttachments {
  fieldId: string;
  /** Makes a row whose cell is empty. @returns its id. */
  newRecord(): Promise<string>;
  /** Reads a file back as the platform gives it out; without it, contents are not compared. */
  bytesOf?(attachment: Attachment): Promise<Uint8Array>;
}

/** What the server holds while the suite runs; the suite adds files to cells and changes nothing else. */
export interface Fixture {
  scope: TableScope;
  /** Three or more rows of that table. */
  recordIds: readonly string[];
  /** An id of the platform's form that no row has. */
  unknownRecordId: string;
  /** A table of the platform's form that is not there. */
  unknownScope: TableScope;
  /** A field that takes text, and no file. */
  textFieldId: string;
  /** Needed when the plugin's capability `links` is true. */
  links?: KnownLinks;
  /** Needed when the plugin writes files. */
  attachments?: KnownAttachments;
}

/** Where a server listens, by a name that the author chooses: `http://…`, or `tcp://host:port`. */
export type Addresses = Readonly<Record<string, string>>;

export interface StartedServer<C> {
  /** The suite puts its fault proxy before each. Empty for what has no server, such as a file. */
  addresses: Addresses;
  /** Credentials that reach the server under these addresses: those of the proxies. */
  credentials(addresses: Addresses): C;
  /** The same, refused by the server; left out where there is nothing to refuse. */
  wrongCredentials?(addresses: Addresses): C;
  fixture: Fixture;
  close(): Promise<void>;
}

/** What an author hands to the suite. */
export interface ContractSubject<C> {
  plugin: PlatformPlugin<C>;
  /** Starts a server, real or faithful, and fills it. Called once, by the first check that runs. */
  start(): Promise<StartedServer<C>>;
}
