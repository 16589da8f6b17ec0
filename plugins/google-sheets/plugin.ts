import { LRUCache } from "lru-cache";
import {
  type BaseInfo,
  PLUGIN_API,
  type PlatformContext,
  type PlatformPlugin,
} from "../../core/plugin-api/index.js";
import { type AccessTokens, GoogleClient } from "./client.js";
import { FileCell } from "./files.js";
import { fetchRows, findRows } from "./rows.js";
import { credentialsSchema, type GoogleCredentials } from "./settings.js";
import { Spreadsheet } from "./spreadsheet.js";

type Context = PlatformContext<GoogleCredentials>;

/**
 * Google Sheets: rows by their keys, links between sheets, and links to files in Drive.
 * @param maxPerMinute Google's limit per user.
 */
export function createGoogleSheetsPlugin(
  maxPerMinute = 60,
): PlatformPlugin<GoogleCredentials> {
  /** Saves a request for a token in most calls. */
  const tokens: AccessTokens = new LRUCache({ max: 500 });
  const connect = (context: Context) => new GoogleClient(context, tokens);
  const open = (context: Context, baseId?: string) =>
    new Spreadsheet(connect(context), baseId);
  return {
    meta: {
      kind: "platform",
      id: "google-sheets",
      title: "Google Sheets",
      version: "1.0.0",
      api: PLUGIN_API,
      platen: "*",
    },
    credentials: { schema: credentialsSchema },
    capabilities: {
      links: true,
      attachments: "link-cell",
      modes: ["append", "replace"],
      maxFileBytes: 1_000_000_000,
      // A sheet is read whole, with the same two requests for any number of ids.
      maxIdsPerFetch: 5000,
      keepsFilename: true,
      readBack: true,
    },
    rate: {
      key: getRateKey,
      maxPerMinute,
      maxInFlight: 4,
      cooldownMs: 15_000,
    },
    check: async (context) => check(connect(context)),
    listBases: async (context) => listSpreadsheets(connect(context), 100, 10),
    describe: async (context, baseId) => open(context, baseId).describe(),
    fetchRows: async (context, { baseId, tableId }, ids, fieldIds) =>
      fetchRows(open(context, baseId), tableId, ids, fieldIds),
    findRows: async (context, { baseId, tableId }, search) =>
      findRows(open(context, baseId), tableId, search),
    writeBack: async (context, scope, recordId, fieldId, files, mode) =>
      new FileCell(
        open(context, scope.baseId),
        scope.tableId,
        recordId,
        fieldId,
      ).write(files, mode),
    readAttachments: async (context, scope, recordId, fieldId) =>
      new FileCell(
        open(context, scope.baseId),
        scope.tableId,
        recordId,
        fieldId,
      ).read(),
  };
}

export const googleSheetsPlugin = createGoogleSheetsPlugin();

/** Google's limits are per user. */
function getRateKey({
  serviceAccount,
  clientId,
  refreshToken,
  subject,
  endpointUrl,
}: GoogleCredentials): string {
  const user = [serviceAccount, subject, clientId, refreshToken];
  return JSON.stringify([endpointUrl, ...user]);
}

/** Returns the account, and what it lacks. @throws PlatformError when it can read nothing. */
async function check(client: GoogleClient) {
  const { drive, sheets } = client;
  const { user } = await client.send({ what: "Google Drive" }, () =>
    drive.about.get({ fields: "user(emailAddress)" }),
  );
  const account = user?.emailAddress ?? client.account;
  const [first] = await listSpreadsheets(client, 1, 1);
  const warnings = await checkFolder(client);
  if (first)
    await client.send({ what: `the spreadsheet ${first.name}` }, () =>
      sheets.spreadsheets.get({
        spreadsheetId: first.id,
        fields: "spreadsheetId",
      }),
    );
  else
    warnings.push(
      `No spreadsheet is shared with ${account ?? "this account"} yet.`,
    );
  return { ...(account !== null && { account }), warnings };
}

const noStorageWarning =
  "A service account has no storage of its own, so files can be written only to a folder in a Shared Drive. Set folderId.";

async function checkFolder(client: GoogleClient): Promise<string[]> {
  const { folderId: fileId, subject } = client.context.credentials;
  const hasStorage = client.account === null || subject !== undefined;
  if (fileId === undefined) return hasStorage ? [] : [noStorageWarning];
  const { driveId, capabilities } = await client.send(
    { what: `the Drive folder ${fileId}` },
    () =>
      client.drive.files.get({
        fileId,
        supportsAllDrives: true,
        fields: "id,driveId,capabilities(canAddChildren)",
      }),
  );
  return [
    ...(hasStorage || typeof driveId === "string" ? [] : [noStorageWarning]),
    ...(capabilities?.canAddChildren === false
      ? [
          "Files cannot be added to the folder. Share it with the account as a contributor.",
        ]
      : []),
  ];
}

/** The spreadsheets that the account can see, the most recently viewed first. */
async function listSpreadsheets(
  client: GoogleClient,
  pageSize: number,
  maxPages: number,
): Promise<BaseInfo[]> {
  const found: BaseInfo[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { files = [], nextPageToken } = await client.send(
      { what: "the list of spreadsheets" },
      () =>
        client.drive.files.list({
          q: "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false",
          orderBy: "viewedByMeTime desc,name",
          pageSize,
          fields: "nextPageToken,files(id,name)",
          supportsAllDrives: true,
          includeItemsFromAllDrives: true,
          ...(pageToken !== undefined && { pageToken }),
        }),
    );
    for (const { id, name } of files)
      if (id) found.push({ id, name: name ?? id });
    if (!nextPageToken) break;
    pageToken = nextPageToken;
  }
  return found;
}
