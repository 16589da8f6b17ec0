import type { FileReader } from "./file-reader.js";
import type { Log } from "./observability.js";
import type { PluginMeta, SettingsSchema } from "./plugin.js";

// A platform plugin returns flat rows with complete link ids and writes files to a cell. The host does everything else:
// following links, mapping fields, rate limits, retries, time limits, locks on cells, tracking of write-backs, and size
// limits.

export const FIELD_KINDS = [
  "text",
  "number",
  "boolean",
  "date",
  "select",
  "link",
  "attachment",
  "computed",
  "json",
  "other",
] as const;
export type FieldKind = (typeof FIELD_KINDS)[number];

/** Money; a percentage that is a fraction, 0.19 for 19 %; a percentage that is not, 19 for 19 %. */
export const NUMBER_FORMATS = ["currency", "percent", "wholePercent"] as const;
export type NumberFormat = (typeof NUMBER_FORMATS)[number];

export interface FieldInfo {
  id: string;
  name: string;
  kind: FieldKind;
  /** The platform's own name of its type. */
  native: string;
  writable: boolean;
  /** How the platform shows the values, which are numbers then: those of a `number` or of a formula. */
  format?: NumberFormat;
  /** Of the format `currency`: the ISO 4217 code; left out when the platform shows the amounts without a currency. */
  currency?: string;
  /** For a boolean: whether an empty cell is an unchecked box, and not a value that is missing. */
  isEmptyNo?: boolean;
  /** For a link: the table that it leads to, and whether it can lead to several rows. */
  link?: { tableId: string; many: boolean };
  /** For an attachment: what a written cell contains. Default: the file. */
  stores?: CellContent;
  /** The most files that a cell can hold; no limit when left out. */
  maxFiles?: number;
}

/** `expiring-link`: made by `OutFile.publicUrl`, so that it stops working when the document expires. */
export const CELL_CONTENTS = ["file", "link", "expiring-link"] as const;
export type CellContent = (typeof CELL_CONTENTS)[number];

export interface TableInfo {
  id: string;
  name: string;
  /** The field whose value names a row. */
  primaryFieldId?: string;
  fields: FieldInfo[];
  /** The views whose rows `listRows` lists; left out on platforms that have none. */
  views?: ViewInfo[];
}

/** A saved selection of a table's rows, in an order. */
export interface ViewInfo {
  id: string;
  name: string;
}

export interface BaseInfo {
  id: string;
  name: string;
}

/** A table, in a base if the platform has bases. */
export interface TableScope {
  baseId?: string;
  tableId: string;
}

export interface Row {
  id: string;
  /**
   * By field id, without links; an empty cell is null or left out. By kind: a number; a boolean; ISO 8601 text for a
   * date (a day, or a time with its offset); text or an array of it for a select; an array of `Attachment`; any JSON for
   * other kinds.
   */
  fields: Record<string, unknown>;
  /** By field id: the ids of all linked rows, in the platform's order. */
  links: Record<string, string[]>;
}

/** A search for rows that a person can choose from. */
export interface RowSearch {
  /** The most rows to return. */
  limit: number;
  /** Only rows whose field contains this text, ignoring case. Requires `fieldId`. */
  text?: string;
  fieldId?: string;
}

/** Which rows of a table are listed: those of a view, those that match a filter, or those whose field is empty. */
export type RowSelection =
  | { viewId: string }
  /**
   * Comes from the caller as JSON, and is not checked. The studio sends an object of conditions by the ids of fields, such
   * as `{ "Total": { "min": 100 } }`; a platform may take other filters beside it.
   */
  | { filter: unknown }
  | { emptyFieldId: string };

/** A part of the selected rows. */
export interface RowPage {
  ids: string[];
  /** Continues after these rows; left out with the last of them. */
  next?: string;
}

export interface RowsFound {
  rows: Row[];
  /** The requested ids that have no row. */
  missing: string[];
}

/** A file to write to a cell. */
export interface OutFile {
  /** Identifies the content: the same in every attempt. */
  key: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  bytes(): Promise<Uint8Array>;
  /** A URL from which the file can be fetched for that time; absent when the service has no public address. */
  publicUrl?(ttlSeconds: number): Promise<string>;
}

/** A file in a cell. */
export interface Attachment {
  remoteId: string;
  filename: string;
  sizeBytes?: number;
  url?: string;
}

/** The files for one record, in the order in which its cell lists them. */
export interface RecordFiles {
  recordId: string;
  files: readonly OutFile[];
}

/** A record whose cell contains the files that were written to it. */
export interface WrittenRecord {
  recordId: string;
  /** The written files, as the cell lists them. */
  attachments: Attachment[];
}

export type WriteMode = "append" | "replace";

export interface PlatformRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The name of the bucket of `rate.buckets` that it counts for, instead of the common limits. */
  bucket?: string;
}

export interface PlatformReply {
  status: number;
  /** Names are in lower case. */
  headers: Record<string, string>;
  /** The complete body. */
  body: Uint8Array;
}

export interface PlatformJsonRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
}

export interface PlatformJsonReply extends Omit<PlatformReply, "body"> {
  /** The parsed JSON; the text of an error reply that is not JSON; null without a body. */
  body: unknown;
}

/** The context of each call. Its functions can be destructured. */
export interface PlatformContext<C> {
  credentials: C;
  /** Aborted when the host's time limit passes or the job is stopped. */
  signal: AbortSignal;
  log: Log;
  /**
   * Sends a request under `rate`, with a time limit and a checked address. Does not follow redirects. Retries a 429
   * after its wait a few times; returns any other status. Rejects with PlatformError `unavailable` without an answer.
   */
  http: (url: string, request?: PlatformRequest) => Promise<PlatformReply>;
  /** The same for JSON. Rejects with `unavailable` for a 2xx that is not JSON, such as a login page. */
  json: (
    url: string,
    request?: PlatformJsonRequest,
  ) => Promise<PlatformJsonReply>;
  /**
   * Runs `send`, which sends one request through a client library, under `rate`. When it rejects with PlatformError
   * `rate_limited`, it is retried after the wait a few times.
   */
  turn: <T>(scope: Partial<TableScope>, send: () => Promise<T>) => Promise<T>;
  /**
   * The IP address to connect to, for a client that opens its own connections. Rejects with `bad_config` for a host
   * that the operator does not allow.
   */
  addressOf(host: string): Promise<string>;
  /** The path of a file that the operator provides for connections, by its name. @throws PlatformError `bad_config`. */
  fileAt(name: string): string;
}

export interface PlatformCapabilities {
  links: boolean;
  /** `link-cell`: the cell contains links to files instead of files. */
  attachments: "native" | "link-cell" | "none";
  modes: readonly WriteMode[];
  maxFileBytes: number;
  /** The most row ids in one `fetchRows`. */
  maxIdsPerFetch: number;
  keepsFilename: boolean;
  /** Whether the plugin has `readAttachments`. */
  readBack: boolean;
  needsPublicUrl?: boolean;
  /** Whether it reads uploaded files (`files`), and so needs no connection. */
  files?: boolean;
  /** How `writeBackMany` is called. Required with this method, and only then. */
  writeMany?: {
    /** The most records in one call. */
    maxRecords: number;
    /** Those in which it loses nothing that a person adds to a cell meanwhile. Default: all of the platform's. */
    modes?: readonly WriteMode[];
    /** Fewer are written one by one, because that takes no more requests. Default 2. */
    minRecords?: number;
    /** Whether it needs `OutFile.publicUrl`. Without a public address, records are written one by one. */
    needsPublicUrl?: boolean;
  };
}

export interface PlatformRate<C> {
  /** Calls with the same key share one limit. */
  key(credentials: C, scope: Partial<TableScope>): string;
  maxPerSecond?: number;
  /** Used instead when the limit depends on the credentials, such as self-hosted or cloud; null: no limit. */
  perSecond?(credentials: C): number | null;
  maxPerMinute?: number;
  maxInFlight: number;
  /** How long to wait after a 429 that names no time. */
  cooldownMs?: number;
  /**
   * Texts in the body of a 429 that mean a used-up quota instead of too many requests at once: it is neither waited for
   * nor sent again. The plugin rejects with `quota_exceeded` then.
   */
  quotaErrors?: readonly string[];
  /** Limits for a part of the requests, which do not count for `maxPerSecond` and `maxPerMinute` then. */
  buckets?: Readonly<Record<string, { maxPerSecond: number }>>;
}

/** A request to an address that `PlatformChanges.subscribe` was given. */
export interface ChangeNotice {
  body: Uint8Array;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** A webhook on the platform. */
export interface ChangeSubscription {
  id: string;
  /** What the platform signs its notices with; left out when it signs none, or when it reveals this only once. */
  secret?: string;
  /** When the platform ends it, as ISO 8601 text, unless `subscribe` is called again before. */
  expiresAt?: string;
}

/**
 * Webhooks of a table. A notice only says that something may have changed: the host reads the records itself, and at
 * intervals too, so a lost or forged notice does no harm.
 */
export interface PlatformChanges<C> {
  /** Whether the platform calls https addresses on the internet only. */
  needsPublicUrl?: boolean;
  /**
   * Has the platform send a POST request to this URL when records of the table are added or changed. Called again every
   * day: extends the webhook with the id `current` if it still works. Deletes every other webhook with this URL, such as
   * one whose reply was lost.
   */
  subscribe(
    context: PlatformContext<C>,
    scope: TableScope,
    url: string,
    current?: string,
  ): Promise<ChangeSubscription>;
  /** Deletes all webhooks of the table with this URL; succeeds when there are none. */
  unsubscribe(
    context: PlatformContext<C>,
    scope: TableScope,
    url: string,
  ): Promise<void>;
  /** Whether a notice was signed with the secret. Required when subscriptions have secrets. Sends no requests. */
  verify?(notice: ChangeNotice, secret: string): boolean;
}

/** All methods reject with PlatformError; any other error is reported as a bug of the plugin. */
export interface PlatformPlugin<C = unknown> {
  meta: PluginMeta & { kind: "platform" };
  credentials: { schema: SettingsSchema };
  capabilities: PlatformCapabilities;
  rate: PlatformRate<C>;
  authorization?: PluginAuthorization<C>;
  /** Tests the connection. Its errors and warnings name missing permissions. */
  check(
    context: PlatformContext<C>,
  ): Promise<{ account?: string; warnings?: string[] }>;
  listBases?(context: PlatformContext<C>): Promise<BaseInfo[]>;
  describe(context: PlatformContext<C>, baseId?: string): Promise<TableInfo[]>;
  /** Reads at most `maxIdsPerFetch` ids; all fields without `fieldIds`. */
  fetchRows(
    context: PlatformContext<C>,
    scope: TableScope,
    ids: readonly string[],
    fieldIds?: readonly string[],
  ): Promise<RowsFound>;
  /** The ids of the first matching rows, in the platform's order. Without this method, people have to enter ids. */
  findRows?(
    context: PlatformContext<C>,
    scope: TableScope,
    search: RowSearch,
  ): Promise<string[]>;
  /**
   * A page of the ids of the selected rows, in the order of the view, else of the platform. `next` of a page is the
   * `cursor` of the next call. Rejects with `unsupported` for a selection that the platform does not have, `not_found`
   * for an unknown view, `invalid_field` for an invalid filter.
   */
  listRows?(
    context: PlatformContext<C>,
    scope: TableScope,
    selection: RowSelection,
    cursor?: string,
  ): Promise<RowPage>;
  /** Adds the files to the cell, or replaces its files with them. @returns the written files, as the cell lists them. */
  writeBack?(
    context: PlatformContext<C>,
    scope: TableScope,
    recordId: string,
    fieldId: string,
    files: readonly OutFile[],
    mode: WriteMode,
  ): Promise<Attachment[]>;
  /**
   * `writeBack` for several records of a table in few requests. Returns the records that it knows to be written. The host
   * reads the cell of each other one before it writes its files by `writeBack`, which also reports its error; so requires
   * `readAttachments`. Rejects with `unavailable` when any of the records may be written, and with any other code only
   * when none is. Each record occurs once; at most `capabilities.writeMany.maxRecords`.
   */
  writeBackMany?(
    context: PlatformContext<C>,
    scope: TableScope,
    fieldId: string,
    writes: readonly RecordFiles[],
    mode: WriteMode,
  ): Promise<WrittenRecord[]>;
  readAttachments?(
    context: PlatformContext<C>,
    scope: TableScope,
    recordId: string,
    fieldId: string,
  ): Promise<Attachment[]>;
  /** Without it, changes are found at intervals only. */
  changes?: PlatformChanges<C>;
  /** Reads tables from uploaded files. Only a platform that ships with Platen can have it. */
  files?: FileReader;
  /** Replaces the host's mapping of fields. */
  toRootData?(row: Row, table: TableInfo): Record<string, unknown>;
}

/** The meaning of a failure. The host decides by it whether to retry. */
export const PLATFORM_ERROR_CODES = [
  "auth",
  "forbidden",
  "not_found",
  "invalid_field",
  "rate_limited",
  "quota_exceeded",
  "too_large",
  "conflict",
  "unavailable",
  "try_later",
  "unsupported",
  "bad_config",
] as const;
export type PlatformErrorCode = (typeof PLATFORM_ERROR_CODES)[number];

export interface PlatformErrorDetail {
  cause?: unknown;
  /** How long the platform asks to wait, in milliseconds. */
  retryAfterMs?: number;
  /** The HTTP status of the reply. */
  status?: number;
  recordId?: string;
  fieldId?: string;
}

const retryableCodes: ReadonlySet<PlatformErrorCode> = new Set([
  "rate_limited",
  "unavailable",
  "try_later",
  "conflict",
]);

const statusCodes: Readonly<Record<number, PlatformErrorCode>> = {
  400: "invalid_field",
  401: "auth",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  410: "not_found",
  413: "too_large",
  422: "invalid_field",
  429: "rate_limited",
};

/** The code for an HTTP status, for replies without a more specific error. */
export function getPlatformErrorCode(status: number): PlatformErrorCode {
  return statusCodes[status] ?? (status < 500 ? "bad_config" : "unavailable");
}

/**
 * The error that plugins throw. The host recognizes it by `name` and `code`, so a plugin can bring its own class.
 * `message` is shown to users: it says what is wrong and how to fix it, and contains no secret.
 */
export class PlatformError extends Error {
  override readonly name = "PlatformError";
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly recordId: string | undefined;
  readonly fieldId: string | undefined;

  constructor(
    readonly code: PlatformErrorCode,
    message: string,
    detail: PlatformErrorDetail = {},
  ) {
    super(message, detail.cause === undefined ? {} : { cause: detail.cause });
    this.retryAfterMs = detail.retryAfterMs;
    this.status = detail.status;
    this.recordId = detail.recordId;
    this.fieldId = detail.fieldId;
  }

  get retryable(): boolean {
    return retryableCodes.has(this.code);
  }
}

/** What the page of the other side is asked. */
export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  /** Of the method S256. */
  codeChallenge: string;
}

/** What that page answers. */
export interface AuthorizationCode {
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

/**
 * Secrets that a platform or the receiver of deliveries issues when a person consents on its page, so that nobody has to
 * paste them: an OAuth 2.0 authorization code with PKCE, for a client that the person has registered.
 */
export interface PluginAuthorization<C> {
  /** Names the account there, as in "Continue with Google". */
  title: string;
  /** The credentials that are entered before, such as the client's id and secret. */
  needs: readonly string[];
  /** The credentials that the consent gives; all are texts. */
  grants: readonly string[];
  /** The address of the page. */
  createUrl(
    context: PlatformContext<C>,
    request: AuthorizationRequest,
  ): Promise<string>;
  /** Never repeated. @returns the values of `grants`. */
  exchangeCode(
    context: PlatformContext<C>,
    code: AuthorizationCode,
  ): Promise<Readonly<Record<string, string>>>;
}
