import type { Log } from "./observability.js";
import type { PluginMeta, SettingsSchema } from "./plugin.js";

// A platform plugin returns flat rows with complete link ids and writes files to a cell. The host does everything
// else, once for all platforms: the walk over links, the mapping to root data, pacing, retries, time limits, locks of
// cells, the ledger of write-backs and the checks of sizes.

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

export interface FieldInfo {
  id: string;
  name: string;
  kind: FieldKind;
  /** The platform's own word for its type. */
  native: string;
  writable: boolean;
  /** Of a link: where it leads, and whether to more than one row. */
  link?: { tableId: string; many: boolean };
}

export interface TableInfo {
  id: string;
  name: string;
  /** The field that names a row to people. */
  primaryFieldId?: string;
  fields: FieldInfo[];
}

export interface BaseInfo {
  id: string;
  name: string;
}

/** Where rows are: a table, in a base where the platform has bases. */
export interface TableScope {
  baseId?: string;
  tableId: string;
}

export interface Row {
  id: string;
  /**
   * By field id; links are not among them, and an empty cell is null or left out. By kind: a number, a boolean, for a
   * date text of ISO 8601 (a day, or a time with its offset), for a choice text or an array of it, for attachments an
   * array of `Attachment`; for all else any JSON.
   */
  fields: Record<string, unknown>;
  /** By field id: the ids of all linked rows, however many there are, in the platform's order. */
  links: Record<string, string[]>;
}

/** Rows for a person to choose from. */
export interface RowSearch {
  /** At most so many. */
  limit: number;
  /** Only rows whose field holds this text, whatever its case; always with `fieldId`. */
  text?: string;
  fieldId?: string;
}

export interface RowsFound {
  rows: Row[];
  /** Of the ids asked for, those that the table has not. */
  missing: string[];
}

/** A file to be written to a cell. */
export interface OutFile {
  /** Names these bytes: the same file has the same key in every attempt. */
  key: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  bytes(): Promise<Uint8Array>;
  /** A link from which it can be fetched for so long; absent where the platform could not reach the service. */
  publicUrl?(ttlSeconds: number): Promise<string>;
}

/** A file in a cell, as the platform lists it. */
export interface Attachment {
  remoteId: string;
  filename: string;
  sizeBytes?: number;
  url?: string;
}

export type WriteMode = "append" | "replace";

export interface PlatformRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

export interface PlatformReply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Read whole, within the time limit. */
  body: Uint8Array;
}

export interface PlatformJsonRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
}

export interface PlatformJsonReply extends Omit<PlatformReply, "body"> {
  /** What the JSON says. Of an error's reply that is no JSON, its text; null where there is no body. */
  body: unknown;
}

/** What the host hands to each call; its functions may be taken apart. */
export interface PlatformContext<C> {
  credentials: C;
  /** Ends when the host's time limit passes or the job is stopped. */
  signal: AbortSignal;
  log: Log;
  /**
   * Paced by `rate`, timed, its address checked; follows no redirect. A 429 is asked again after its wait, a few
   * times; any other status is a reply. Rejects with PlatformError: `unavailable` without an answer.
   */
  http: (url: string, request?: PlatformRequest) => Promise<PlatformReply>;
  /** The same for JSON. A 2xx that is no JSON rejects with `unavailable`: proxies and login pages answer so. */
  json: (
    url: string,
    request?: PlatformJsonRequest,
  ) => Promise<PlatformJsonReply>;
  /**
   * Runs `send`, one request of a client that speaks for itself, in its turn under `rate`. When it rejects with
   * PlatformError `rate_limited`, it is run again after the wait, a few times.
   */
  turn: <T>(scope: Partial<TableScope>, send: () => Promise<T>) => Promise<T>;
  /**
   * For a client that opens connections of its own: the IP address to connect to. Rejects with `bad_config` for a host
   * that the operator does not let the service call.
   */
  addressOf(host: string): Promise<string>;
  /** The path of a file that the operator has laid out for connections, by its name. @throws PlatformError `bad_config`. */
  fileAt(name: string): string;
}

export interface PlatformCapabilities {
  links: boolean;
  /** `link-cell`: the cell takes a link to the file instead of the file. */
  attachments: "native" | "link-cell" | "none";
  modes: readonly WriteMode[];
  maxFileBytes: number;
  /** Of row ids, in one `fetchRows`. */
  maxIdsPerFetch: number;
  keepsFilename: boolean;
  /** Whether `readAttachments` tells what a cell holds. */
  readBack: boolean;
  needsPublicUrl?: boolean;
}

export interface PlatformRate<C> {
  /** Calls with the same key share one limit. */
  key(credentials: C, scope: Partial<TableScope>): string;
  maxPerSecond?: number;
  /** In its place where the credentials decide, as between a server of one's own and a service; null: no such limit. */
  perSecond?(credentials: C): number | null;
  maxPerMinute?: number;
  maxInFlight: number;
  /** Wait after a 429 that names no time. */
  cooldownMs?: number;
}

/** All methods reject with PlatformError; anything else counts as a fault of the plugin. */
export interface PlatformPlugin<C = unknown> {
  meta: PluginMeta & { kind: "platform" };
  credentials: { schema: SettingsSchema };
  capabilities: PlatformCapabilities;
  rate: PlatformRate<C>;
  /** "Test the connection": names the permission that is missing. */
  check(
    context: PlatformContext<C>,
  ): Promise<{ account?: string; warnings?: string[] }>;
  listBases?(context: PlatformContext<C>): Promise<BaseInfo[]>;
  describe(context: PlatformContext<C>, baseId?: string): Promise<TableInfo[]>;
  /** At most `maxIdsPerFetch` ids. Without `fieldIds`, all fields. */
  fetchRows(
    context: PlatformContext<C>,
    scope: TableScope,
    ids: readonly string[],
    fieldIds?: readonly string[],
  ): Promise<RowsFound>;
  /** Ids of the first rows that fit, in the platform's order. Without it, people have to know a row's id. */
  findRows?(
    context: PlatformContext<C>,
    scope: TableScope,
    search: RowSearch,
  ): Promise<string[]>;
  /** Adds the files to the cell, or makes them all that it holds. @returns what the cell holds of them. */
  writeBack?(
    context: PlatformContext<C>,
    scope: TableScope,
    recordId: string,
    fieldId: string,
    files: readonly OutFile[],
    mode: WriteMode,
  ): Promise<Attachment[]>;
  readAttachments?(
    context: PlatformContext<C>,
    scope: TableScope,
    recordId: string,
    fieldId: string,
  ): Promise<Attachment[]>;
  /** In place of the host's own mapping. */
  toRootData?(row: Row, table: TableInfo): Record<string, unknown>;
}

/** What a platform's refusal means for whoever asked; the host decides by it whether to try again. */
export const PLATFORM_ERROR_CODES = [
  "auth",
  "forbidden",
  "not_found",
  "invalid_field",
  "rate_limited",
  "too_large",
  "conflict",
  "unavailable",
  "unsupported",
  "bad_config",
] as const;
export type PlatformErrorCode = (typeof PLATFORM_ERROR_CODES)[number];

export interface PlatformErrorDetail {
  cause?: unknown;
  /** How long the platform asks us to wait, in milliseconds. */
  retryAfterMs?: number;
  /** The HTTP status of its reply. */
  status?: number;
  recordId?: string;
  fieldId?: string;
}

const retryable: ReadonlySet<PlatformErrorCode> = new Set([
  "rate_limited",
  "unavailable",
  "conflict",
]);

const codes: Readonly<Record<number, PlatformErrorCode>> = {
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

/** What an HTTP status says where the platform's own error says no more. */
export function platformErrorCode(status: number): PlatformErrorCode {
  return codes[status] ?? (status < 500 ? "bad_config" : "unavailable");
}

/**
 * What a platform plugin throws. The host knows it by `name` and `code`, so that a plugin that is installed from
 * elsewhere may bring its own class. `message` is shown to users: it says what is wrong and how to mend it, no secret. */
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
    return retryable.has(this.code);
  }
}
