import { LRUCache } from "lru-cache";
import {
  type BaseInfo,
  type PlatformContext,
  type PlatformPlugin,
  type FieldKind,
  type Row,
  type RowPage,
  type RowSearch,
  type RowSelection,
  type RowsFound,
  type Attachment,
  type OutFile,
  type RecordFiles,
  PlatformError,
  type WriteMode,
  type WrittenRecord,
  fromWallClock,
  getColumnLetters,
  zoneOffset,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { getFilename, splitLines } from "../lib/cells.js";
import { meetsCondition, parseConditions } from "../lib/conditions.js";
import {
  type AccessTokens,
  authorizeWithGoogle,
  checkDriveFolder,
  driveBuckets,
  getUserKey,
  uploadToDrive,
} from "../lib/google.js";
import {
  SheetsClient,
  credentialsSchema,
  type GoogleCredentials,
  type LinkColumn,
  type SheetSettings,
} from "./client.js";
import {
  Spreadsheet,
  createColumnError,
  type Sheet,
  type SheetRow,
  type SheetShape,
  toText,
  toRange,
} from "./spreadsheet.js";

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
  const connect = (context: Context) => new SheetsClient(context, tokens);
  const open = (context: Context, baseId?: string) =>
    new Spreadsheet(connect(context), baseId);
  return {
    meta: createMeta("platform", "google-sheets", "Google Sheets"),
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
      // About as many as can be uploaded in seven seconds.
      writeMany: { maxRecords: 20 },
    },
    rate: {
      key: getUserKey,
      maxPerMinute,
      buckets: driveBuckets,
      maxInFlight: 4,
      cooldownMs: 15_000,
    },
    authorization: authorizeWithGoogle(connect),
    check: async (context) => check(connect(context)),
    listBases: async (context) => {
      const all = await listSpreadsheets(connect(context), 100, 10);
      return all.map(({ id, name }): BaseInfo => ({ id, name }));
    },
    describe: async (context, baseId) => open(context, baseId).describe(),
    fetchRows: async (context, { baseId, tableId }, ids, fieldIds) =>
      fetchRows(open(context, baseId), tableId, ids, fieldIds),
    findRows: async (context, { baseId, tableId }, search) =>
      findRows(open(context, baseId), tableId, search),
    listRows: async (context, { baseId, tableId }, selection) =>
      listRows(open(context, baseId), tableId, selection),
    writeBack: async (context, scope, recordId, fieldId, files, mode) => {
      const { baseId, tableId } = scope;
      const spreadsheet = open(context, baseId);
      const writes = [{ recordId, files }];
      const [written] = await writeCells(
        spreadsheet,
        tableId,
        fieldId,
        writes,
        { mode, upload: (file) => uploadFile(spreadsheet.client, file) },
      );
      if (written) return written.attachments;
      throw createRowError(tableId, recordId, fieldId);
    },
    writeBackMany: async (context, scope, fieldId, writes, mode) =>
      writeCells(open(context, scope.baseId), scope.tableId, fieldId, writes, {
        mode,
        // A client sends one request at a time.
        upload: (file) => uploadFile(connect(context), file),
      }),
    readAttachments: async (
      context,
      { baseId, tableId },
      recordId,
      fieldId,
    ) => {
      const cells = await findCells(open(context, baseId), tableId, fieldId);
      const cell = cells.get(recordId);
      if (cell) return parseFileLinks(cell.text);
      throw createRowError(tableId, recordId, fieldId);
    },
  };
}

export const googleSheetsPlugin = createGoogleSheetsPlugin();

/** Returns the account, and what it lacks. @throws PlatformError when it can read nothing. */
async function check(client: SheetsClient) {
  const { drive, sheets } = client;
  const { user } = await client.send({ what: "Google Drive" }, () =>
    drive.about.get({ fields: "user(emailAddress)" }),
  );
  const account = user?.emailAddress ?? client.account;
  const spreadsheets = await listSpreadsheets(client, 100, 1);
  const [first] = spreadsheets;
  const warnings = [
    ...client.listMissingRights(),
    ...(await checkDriveFolder(client, client.context.credentials.folderId)),
  ];
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
  // People may see many that they only read; with a service account, each was shared for this.
  const meant = client.account === null ? [first] : spreadsheets;
  const readOnly = meant.filter(
    (spreadsheet) => spreadsheet?.isReadOnly === true,
  );
  if (readOnly.length > 0)
    warnings.push(
      `Links to files cannot be written to ${readOnly.map((spreadsheet) => `"${spreadsheet?.name}"`).join(", ")}. Open Share in the spreadsheet and make ${account ?? "the account"} an Editor.`,
    );
  return { ...(account !== null && { account }), warnings };
}

interface ListedSpreadsheet extends BaseInfo {
  /** Whether it is shared with the account for viewing or commenting. */
  isReadOnly: boolean;
}

/** The spreadsheets that the account can see, the most recently viewed first. */
async function listSpreadsheets(
  client: SheetsClient,
  pageSize: number,
  maxPages: number,
): Promise<ListedSpreadsheet[]> {
  const spreadsheets: ListedSpreadsheet[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { files = [], nextPageToken } = await client.send(
      { what: "the list of spreadsheets" },
      () =>
        client.drive.files.list({
          q: "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false",
          orderBy: "viewedByMeTime desc,name",
          pageSize,
          fields: "nextPageToken,files(id,name,capabilities(canEdit))",
          supportsAllDrives: true,
          includeItemsFromAllDrives: true,
          ...(pageToken !== undefined && { pageToken }),
        }),
    );
    for (const { id, name, capabilities } of files) {
      const isReadOnly = capabilities?.canEdit === false;
      if (id) spreadsheets.push({ id, name: name ?? id, isReadOnly });
    }
    if (!nextPageToken) break;
    pageToken = nextPageToken;
  }
  return spreadsheets;
}

/** Takes two requests for any number of ids: one for the kinds of the columns, one for the values of the sheets. */
export async function fetchRows(
  spreadsheet: Spreadsheet,
  title: string,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const { settings } = spreadsheet;
  const inverseLinks = settings
    .findInverseLinks(title)
    .filter(({ inverse }) => fieldIds?.includes(inverse) ?? true);
  const others = inverseLinks.map(({ sheet }) => sheet);
  const [shape] = await spreadsheet.readShapes([title]);
  const sheets = await spreadsheet.readSheets([...new Set([title, ...others])]);
  const sheet = sheets.find((candidate) => candidate.title === title);
  if (!shape || !sheet) throw new Error("a sheet that was read is missing");
  const columns = selectColumns(shape, settings, fieldIds);
  const inverse = inverseLinks.map((link) => ({
    field: link.inverse,
    keys: groupKeysByTarget(
      sheets.find((candidate) => candidate.title === link.sheet),
      link,
    ),
  }));
  const uniqueIds = [...new Set(ids)];
  const rows = uniqueIds.flatMap((id) => {
    const sheetRow = sheet.rows.get(id);
    if (!sheetRow) return [];
    const row = toRow(sheetRow, { ...shape, columns }, settings);
    for (const { field, keys } of inverse) {
      delete row.fields[field];
      row.links[field] = keys.get(id) ?? [];
    }
    return [row];
  });
  return { rows, missing: uniqueIds.filter((id) => !sheet.rows.has(id)) };
}

/** Finds the first rows, or those whose cell contains the text. Google has no search, so the sheet is read. */
export async function findRows(
  spreadsheet: Spreadsheet,
  title: string,
  { limit, text = "", fieldId = "" }: RowSearch,
): Promise<string[]> {
  const { columns, rows } = await spreadsheet.readSheet(title);
  const column = columns.find(({ name }) => name === fieldId);
  const wanted = text.toLowerCase();
  return [...rows.values()]
    .filter(
      ({ cells }) =>
        !column || toText(cells[column.index]).toLowerCase().includes(wanted),
    )
    .slice(0, limit)
    .map(({ key }) => key);
}

/** Lists the matching rows on one page, since a sheet can only be read whole. */
async function listRows(
  spreadsheet: Spreadsheet,
  title: string,
  selection: RowSelection,
): Promise<RowPage> {
  if ("viewId" in selection)
    throw new PlatformError(
      "unsupported",
      "Google does not say which rows a filter view shows. Use filter with conditions on columns.",
    );
  if ("emptyFieldId" in selection) {
    const { columns, rows } = await spreadsheet.readSheet(title);
    const name = selection.emptyFieldId;
    const column = columns.find((candidate) => candidate.name === name);
    if (!column) throw createColumnError(title, name);
    const empty = [...rows.values()].filter(
      ({ cells }) => toText(cells[column.index]) === "",
    );
    return { ids: empty.map(({ key }) => key) };
  }
  const [shape] = await spreadsheet.readShapes([title]);
  if (!shape) throw new Error("a sheet that was read is missing");
  const { columns, timeZone } = shape;
  const conditions = parseConditions(
    selection.filter,
    columns.map(({ name }) => name),
  );
  const { rows } = await spreadsheet.readSheet(title);
  const matching = [...rows.values()].filter(({ cells }) =>
    conditions.every(([name, condition]) => {
      const column = columns.find((candidate) => candidate.name === name);
      const { index = -1, kind = "text", native = "" } = column ?? {};
      const value = toFieldValue(cells[index], kind, native, timeZone);
      return meetsCondition(value, condition);
    }),
  );
  return { ids: matching.map(({ key }) => key) };
}

/** @throws PlatformError `invalid_field` for a field that the sheet does not have. */
function selectColumns(
  { title, columns }: SheetShape,
  settings: SheetSettings,
  fieldIds: readonly string[] | undefined,
): SheetShape["columns"] {
  if (fieldIds === undefined) return columns;
  const names = new Set([
    ...columns.map(({ name }) => name),
    ...settings.findInverseLinks(title).map(({ inverse }) => inverse),
  ]);
  const unknown = fieldIds.find((id) => !names.has(id));
  if (unknown !== undefined) throw createColumnError(title, unknown);
  return columns.filter(({ name }) => fieldIds.includes(name));
}

function toRow(
  { key, cells }: SheetRow,
  { title, timeZone, columns }: SheetShape,
  settings: SheetSettings,
): Row {
  const row: Row = { id: key, fields: {}, links: {} };
  for (const { name, index, kind, native } of columns) {
    const link = settings.findLink(title, name);
    if (link) {
      row.links[name] = splitKeys(cells[index], link.many);
      continue;
    }
    const fieldKind = settings.acceptsFiles(name) ? "attachment" : kind;
    const value = toFieldValue(cells[index], fieldKind, native, timeZone);
    if (value !== null) row.fields[name] = value;
  }
  return row;
}

/** Keys are separated by commas, semicolons or line breaks. */
function splitKeys(value: unknown, many = true): string[] {
  const text = toText(value);
  const keys = many ? text.split(/[,;\n]/) : [text];
  return [
    ...new Set(keys.map((key) => key.trim()).filter((key) => key !== "")),
  ];
}

/** For each row of the other sheet, the keys of the rows that link to it, in their order. */
function groupKeysByTarget(
  sheet: Sheet | undefined,
  { column: name, many }: LinkColumn,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  if (!sheet) return groups;
  const column = sheet.columns.find((candidate) => candidate.name === name);
  if (!column) throw createColumnError(sheet.title, name);
  for (const { key, cells } of sheet.rows.values())
    for (const target of splitKeys(cells[column.index], many))
      groups.set(target, [...(groups.get(target) ?? []), key]);
  return groups;
}

/** Google counts days from 1899-12-30. */
const epochMs = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

/** Converts a cell: dates to ISO 8601, an empty cell to null. */
function toFieldValue(
  value: unknown,
  kind: FieldKind,
  native: string,
  timeZone: string,
): unknown {
  if (value === undefined || value === null || value === "") return null;
  if (kind === "attachment") return parseFileLinks(toText(value));
  if (kind !== "date" || typeof value !== "number") return value;
  return native === "DATE"
    ? new Date(epochMs + Math.floor(value) * dayMs).toISOString().slice(0, 10)
    : toIsoTime(value, timeZone);
}

/**
 * Times in a sheet are in the zone of the spreadsheet: an IANA zone or, where Google has none, an offset such as
 * "GMT-07:00".
 */
function toIsoTime(serial: number, timeZone: string): string {
  const clock = epochMs + Math.round(serial * 86_400) * 1000;
  const zone = timeZone.replace(/^GMT(?=[-+])/, "");
  const time = fromWallClock(clock, zone);
  const offset = zoneOffset(time, zone);
  const local = new Date(time + offset).toISOString().slice(0, -1);
  return local + formatOffset(offset);
}

/** "Z", or hours and minutes: "-07:00". */
function formatOffset(offsetMs: number): string {
  if (offsetMs === 0) return "Z";
  const size = new Date(Math.abs(offsetMs)).toISOString().slice(11, 16);
  return (offsetMs < 0 ? "-" : "+") + size;
}

const driveFilePattern = /^https:\/\/drive\.google\.com\/file\/d\/([\w-]+)\//;

/** The links in a cell, one per line. Other lines are ignored. */
function parseFileLinks(text: string): Attachment[] {
  return splitLines(text)
    .filter((line) => /^https?:\/\//.test(line) && URL.canParse(line))
    .map((url) => ({
      remoteId: driveFilePattern.exec(url)?.[1] ?? url,
      filename: getFilename(url),
      url,
    }));
}

/** The link to a Drive file. The name after `#` can be read back without a request. */
function createFileLink(id: string, filename: string): string {
  return `https://drive.google.com/file/d/${id}/view#${encodeURIComponent(filename)}`;
}

function createRowError(
  sheet: string,
  recordId: string,
  fieldId: string,
): PlatformError {
  return new PlatformError(
    "not_found",
    `The sheet "${sheet}" has no row with the key "${recordId.slice(0, 60)}".`,
    { recordId, fieldId },
  );
}

async function deleteFile(client: SheetsClient, fileId: string): Promise<void> {
  await client
    .send({ what: `the file ${fileId}` }, () =>
      client.drive.files.delete({ fileId, supportsAllDrives: true }),
    )
    .catch((error: unknown) => {
      client.context.log.warn(
        { err: error, file: fileId },
        "could not delete an uploaded file from Drive",
      );
    });
}

/** @throws PlatformError `invalid_field`. */
function assertAcceptsFiles(settings: SheetSettings, fieldId: string): void {
  if (settings.acceptsFiles(fieldId)) return;
  throw new PlatformError(
    "invalid_field",
    `The column "${fieldId}" does not accept links to files. Add it to fileColumns of the connection.`,
    { fieldId },
  );
}

/** A record's files in Drive, and the links to them. */
interface Uploaded {
  recordId: string;
  fileIds: string[];
  links: string[];
}

/**
 * Uploads the files of records and sets their cells in one request, which changes all or none. The cells are looked up
 * after the upload, because their rows may move meanwhile. Files whose links are in no cell at the end are deleted.
 * @returns the records whose cells contain their links.
 */
async function writeCells(
  spreadsheet: Spreadsheet,
  sheet: string,
  fieldId: string,
  writes: readonly RecordFiles[],
  {
    mode,
    upload,
  }: { mode: WriteMode; upload: (file: OutFile) => Promise<string> },
): Promise<WrittenRecord[]> {
  const { client, settings } = spreadsheet;
  assertAcceptsFiles(settings, fieldId);
  const uploaded = writes.map(({ recordId }): Uploaded => ({
    recordId,
    fileIds: [],
    links: [],
  }));
  try {
    const uploads = await Promise.allSettled(
      writes.map(async ({ files }, at) => {
        for (const file of files) {
          const id = await upload(file);
          uploaded[at]?.fileIds.push(id);
          uploaded[at]?.links.push(createFileLink(id, file.filename));
        }
      }),
    );
    for (const result of uploads)
      if (result.status === "rejected") throw result.reason;
    const cells = await findCells(spreadsheet, sheet, fieldId);
    const written = uploaded.filter(({ recordId }) => cells.has(recordId));
    await setTexts(
      spreadsheet,
      written.flatMap(({ recordId, links }) => {
        const cell = cells.get(recordId);
        if (!cell) return [];
        const existingLinks = mode === "append" ? splitLines(cell.text) : [];
        return [
          { range: cell.range, text: [...existingLinks, ...links].join("\n") },
        ];
      }),
    );
    await deleteFiles(
      client,
      uploaded.filter((record) => !written.includes(record)),
    );
    return toWritten(written);
  } catch (error) {
    const written = await findWritten(
      spreadsheet,
      sheet,
      fieldId,
      uploaded,
      error,
    );
    if (written === null) throw error;
    await deleteFiles(
      client,
      uploaded.filter((record) => !written.includes(record)),
    );
    if (written.length === 0) throw error;
    return toWritten(written);
  }
}

function toWritten(uploaded: readonly Uploaded[]): WrittenRecord[] {
  return uploaded.map(({ recordId, links }) => ({
    recordId,
    attachments: parseFileLinks(links.join("\n")),
  }));
}

async function deleteFiles(
  client: SheetsClient,
  uploaded: readonly Uploaded[],
): Promise<void> {
  for (const id of uploaded.flatMap(({ fileIds }) => fileIds))
    await deleteFile(client, id);
}

/** The records whose cells contain their links after a failed write; null when this cannot be known. */
async function findWritten(
  spreadsheet: Spreadsheet,
  sheet: string,
  fieldId: string,
  uploaded: readonly Uploaded[],
  error: unknown,
): Promise<Uploaded[] | null> {
  if (error instanceof PlatformError && error.code !== "unavailable") return [];
  try {
    const cells = await findCells(spreadsheet, sheet, fieldId);
    return uploaded.filter(({ recordId, links }) => {
      const lines = splitLines(cells.get(recordId)?.text ?? "");
      return links.length > 0 && links.every((link) => lines.includes(link));
    });
  } catch {
    return null;
  }
}

/** The cells of a column by the keys of their rows. */
async function findCells(
  spreadsheet: Spreadsheet,
  sheet: string,
  fieldId: string,
): Promise<Map<string, { range: string; text: string }>> {
  const { columns, rows } = await spreadsheet.readSheet(sheet);
  const column = columns.find(({ name }) => name === fieldId);
  if (!column) throw createColumnError(sheet, fieldId);
  const letters = getColumnLetters(column.index);
  return new Map(
    Array.from(rows, ([key, { number, cells }]) => [
      key,
      {
        range: toRange(sheet, `${letters}${number}`),
        text: toText(cells[column.index]),
      },
    ]),
  );
}

/** Writes the texts unchanged: nothing in them is read as a formula. */
async function setTexts(
  { client, id: spreadsheetId }: Spreadsheet,
  texts: readonly { range: string; text: string }[],
): Promise<void> {
  if (texts.length === 0) return;
  const [first] = texts;
  const what =
    texts.length === 1 ? `the cell ${first?.range}` : `${texts.length} cells`;
  await client.send({ what }, () =>
    client.sheets.spreadsheets.values.batchUpdate({
      spreadsheetId,
      requestBody: {
        valueInputOption: "RAW",
        data: texts.map(({ range, text }) => ({ range, values: [[text]] })),
      },
    }),
  );
}

/** Uploads a file to the connection's folder in Drive. @returns its id. */
async function uploadFile(
  client: SheetsClient,
  file: OutFile,
): Promise<string> {
  const { folderId } = client.context.credentials;
  const { id } = await uploadToDrive(
    client,
    { ...file, open: async () => [await file.bytes()] },
    { folderId },
  );
  return id;
}
