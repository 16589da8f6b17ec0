import { LRUCache } from "lru-cache";
import {
  PLUGIN_API,
  type PlatformContext,
  type PlatformPlugin,
  type PlatformRate,
  type RowSearch,
  type TableScope,
} from "../../core/plugin-api/index.js";
import type { AccessTokens } from "./auth.js";
import { check, listBases } from "./check.js";
import { credentialsSchema, type GoogleCredentials } from "./credentials.js";
import { describeSheets, spreadsheetOf } from "./describe.js";
import { fetchRows } from "./fetch-rows.js";
import { findRows } from "./find-rows.js";
import { FileCell } from "./file-cell.js";
import { GoogleClient } from "./google-client.js";
import { SheetSettings } from "./sheet-settings.js";

type Context = PlatformContext<GoogleCredentials>;

/** Google Sheets: rows by their keys, links between sheets, and links to files in Drive. */
export class GoogleSheets implements PlatformPlugin<GoogleCredentials> {
  readonly meta = {
    kind: "platform",
    id: "google-sheets",
    title: "Google Sheets",
    version: "1.0.0",
    api: PLUGIN_API,
    platen: "*",
  } as const;
  readonly credentials = { schema: credentialsSchema };
  readonly capabilities = {
    links: true,
    attachments: "link-cell",
    modes: ["append", "replace"],
    maxFileBytes: 1_000_000_000,
    // A sheet is read whole, in the same two requests for any number.
    maxIdsPerFetch: 5000,
    keepsFilename: true,
    readBack: true,
  } as const;
  readonly rate: PlatformRate<GoogleCredentials>;
  /** So that not every call begins with asking for a token. */
  private readonly tokens: AccessTokens = new LRUCache({ max: 500 });

  /** @param maxPerMinute Google's limit for each user. */
  constructor(maxPerMinute = 60) {
    const cooldownMs = 15_000;
    this.rate = { key: rateKey, maxPerMinute, maxInFlight: 4, cooldownMs };
  }

  check(context: Context) {
    return check(this.open(context));
  }

  listBases(context: Context) {
    return listBases(this.open(context));
  }

  async describe(context: Context, baseId?: string) {
    const id = spreadsheetOf(baseId === undefined ? {} : { baseId });
    const settings = new SheetSettings(context.credentials);
    return describeSheets(this.open(context), settings, id);
  }

  async fetchRows(
    context: Context,
    scope: TableScope,
    ids: readonly string[],
    fieldIds?: readonly string[],
  ) {
    const settings = new SheetSettings(context.credentials);
    return fetchRows(this.open(context), settings, scope, ids, fieldIds);
  }

  async findRows(context: Context, scope: TableScope, search: RowSearch) {
    const settings = new SheetSettings(context.credentials);
    return findRows(this.open(context), settings, scope, search);
  }

  async writeBack(
    context: Context,
    ...[scope, recordId, fieldId, files, mode]: WriteBackRest
  ) {
    return this.cell(context, scope, recordId, fieldId).write(files, mode);
  }

  async readAttachments(
    context: Context,
    scope: TableScope,
    recordId: string,
    fieldId: string,
  ) {
    return this.cell(context, scope, recordId, fieldId).read();
  }

  private cell(
    context: Context,
    scope: TableScope,
    recordId: string,
    fieldId: string,
  ): FileCell {
    const settings = new SheetSettings(context.credentials);
    const client = this.open(context);
    return new FileCell(client, settings, scope, recordId, fieldId);
  }

  private open(context: Context): GoogleClient {
    return new GoogleClient(context, this.tokens);
  }
}

/** One for each user. */
function rateKey({
  serviceAccount,
  clientId,
  refreshToken,
  subject,
  endpointUrl,
}: GoogleCredentials): string {
  const user = [serviceAccount, subject, clientId, refreshToken];
  return JSON.stringify([endpointUrl, ...user]);
}

type WriteBack = NonNullable<PlatformPlugin<GoogleCredentials>["writeBack"]>;
type WriteBackRest =
  Parameters<WriteBack> extends [unknown, ...infer Rest] ? Rest : never;

export const googleSheetsPlugin: PlatformPlugin<GoogleCredentials> =
  new GoogleSheets();
