import type { BaseInfo } from "../../core/plugin-api/index.js";
import type { GoogleClient } from "./google-client.js";

const pages = 10;

/** Who the credentials belong to, and what they lack. @throws PlatformError when nothing can be read with them. */
export async function check(client: GoogleClient) {
  const { drive, sheets } = client;
  const { user } = await client.ask({ what: "Google Drive" }, () =>
    drive.about.get({ fields: "user(emailAddress)" }),
  );
  const account = user?.emailAddress ?? client.account;
  const [first] = await listPage(client, 1);
  const warnings = await folderWarnings(client);
  if (first)
    await client.ask({ what: `the spreadsheet ${first.name}` }, () =>
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

const noStorage =
  "A service account has no storage of its own: files can be written only to a folder in a Shared Drive. Set folderId.";

async function folderWarnings(client: GoogleClient): Promise<string[]> {
  const { folderId: fileId, subject } = client.context.credentials;
  const hasStorage = client.account === null || subject !== undefined;
  if (fileId === undefined) return hasStorage ? [] : [noStorage];
  const { driveId, capabilities } = await client.ask(
    { what: `the Drive folder ${fileId}` },
    () =>
      client.drive.files.get({
        fileId,
        supportsAllDrives: true,
        fields: "id,driveId,capabilities(canAddChildren)",
      }),
  );
  return [
    ...(hasStorage || typeof driveId === "string" ? [] : [noStorage]),
    ...(capabilities?.canAddChildren === false
      ? ["Files may not be added to the folder: share it as a contributor."]
      : []),
  ];
}

/** The spreadsheets that the account may see, the thousand that were last used. */
export async function listBases(client: GoogleClient): Promise<BaseInfo[]> {
  return listPage(client, 100, pages);
}

async function listPage(
  client: GoogleClient,
  pageSize: number,
  most = 1,
): Promise<BaseInfo[]> {
  const found: BaseInfo[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < most; page += 1) {
    const { files = [], nextPageToken } = await client.ask(
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
