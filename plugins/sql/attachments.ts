import {
  type Attachment,
  type OutFile,
  PlatformError,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import { addFilename, getFilename, splitLines } from "../lib/cells.js";
import {
  getKey,
  getKind,
  isBlob,
  isPossibleKey,
  readCatalog,
  type SqlTable,
} from "./catalog.js";
import {
  type Database,
  type SqlColumn,
  toText,
  withDatabase,
} from "./database.js";
import type { SqlContext } from "./settings.js";

/** How long a link in a column should work, in seconds: ten years, or as long as Platen keeps the file. */
const linkTtlSeconds = 10 * 366 * 24 * 3600;

/** The files of a cell. A column of bytes holds one, and `value` is its size; a text column has one link per line. */
export function toAttachments(column: SqlColumn, value: unknown): Attachment[] {
  if (value === null || value === undefined) return [];
  if (isBlob(column)) {
    const file = { remoteId: column.name, filename: column.name };
    return [{ ...file, sizeBytes: Number(value) }];
  }
  return splitLines(toText(value)).map((url) => ({
    remoteId: url,
    filename: getFilename(url),
    url,
  }));
}

interface Cell {
  table: SqlTable;
  column: SqlColumn;
  recordId: string;
}

export function readAttachments(
  context: SqlContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
): Promise<Attachment[]> {
  return withDatabase(context, scope, false, async (database) => {
    const cell = await findCell(database, scope, recordId, fieldId);
    return toAttachments(cell.column, await readCell(database, cell));
  });
}

export function writeBack(
  context: SqlContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
  files: readonly OutFile[],
  mode: WriteMode,
): Promise<Attachment[]> {
  return withDatabase(context, scope, true, async (database) => {
    const cell = await findCell(database, scope, recordId, fieldId);
    const value = await readCell(database, cell);
    if (isBlob(cell.column))
      return writeBytes(database, cell, value, files, mode);
    const links = await Promise.all(files.map(createLink));
    const text = links.join("\n");
    await (mode === "append"
      ? appendLine(database, cell, text)
      : setCell(database, cell, text));
    return toAttachments(cell.column, text);
  });
}

async function createLink(file: OutFile): Promise<string> {
  const url = await file.publicUrl?.(linkTtlSeconds);
  if (url !== undefined) return addFilename(url, file.filename);
  throw new PlatformError(
    "bad_config",
    "This column holds links, but Platen has no public address. Set PLATEN_BASE_URL, or choose a column of bytes.",
  );
}

async function writeBytes(
  database: Database,
  cell: Cell,
  value: unknown,
  files: readonly OutFile[],
  mode: WriteMode,
): Promise<Attachment[]> {
  const [file, ...others] = files;
  const isFull = mode === "append" && value !== null;
  if (!file || others.length > 0 || isFull)
    throw new PlatformError(
      "unsupported",
      `The column "${cell.column.name}" can hold only one file. ${isFull ? "It already has one: overwrite it, or use" : "Use"} a column for links.`,
      { fieldId: cell.column.name },
    );
  const bytes = await file.bytes();
  await setCell(database, cell, Buffer.from(bytes));
  return toAttachments(cell.column, bytes.length);
}

/** @throws PlatformError `invalid_field` for a column that does not accept files. */
async function findCell(
  database: Database,
  { tableId }: TableScope,
  recordId: string,
  fieldId: string,
): Promise<Cell> {
  const catalog = await readCatalog(database);
  const table = catalog.getTable(tableId);
  const column = table.columns.find(({ name }) => name === fieldId);
  const acceptsFiles =
    column !== undefined &&
    !catalog.findOutgoing(table).has(column.name) &&
    getKind(database.settings, table, column) === "attachment";
  if (acceptsFiles) return { table, column, recordId };
  throw new PlatformError(
    "invalid_field",
    `"${tableId}.${fieldId}" does not accept files. Choose a column of bytes, or add a text column to linkColumns of the connection.`,
    { fieldId },
  );
}

/** @throws PlatformError `not_found`. */
async function readCell(
  database: Database,
  { table, column, recordId }: Cell,
): Promise<unknown> {
  const key = getKey(table);
  const keyName = database.quote(key.name);
  const value = isBlob(column)
    ? database.getSizeExpression(column)
    : database.quote(column.name);
  const [row] = isPossibleKey(key, recordId)
    ? await database.query(
        `SELECT ${keyName} AS k, ${value} AS v
         FROM ${database.quoteTable(table.name)} WHERE ${keyName} = ${database.placeholder(1, key)}`,
        [recordId],
      )
    : [];
  if (row && toText(row["k"]) === recordId) return row["v"] ?? null;
  throw new PlatformError(
    "not_found",
    `The table "${table.name}" has no row ${recordId}.`,
    { recordId },
  );
}

function setCell(
  database: Database,
  { table, column, recordId }: Cell,
  value: string | Buffer,
): Promise<void> {
  const key = getKey(table);
  return database.execute(
    `UPDATE ${database.quoteTable(table.name)} SET ${database.quote(column.name)} = ${database.placeholder(1)}
     WHERE ${database.quote(key.name)} = ${database.placeholder(2, key)}`,
    [value, recordId],
  );
}

/** Appends in one statement, so that concurrent writes by other programs are kept. */
function appendLine(
  database: Database,
  { table, column, recordId }: Cell,
  text: string,
): Promise<void> {
  const key = getKey(table);
  const name = database.quote(column.name);
  const appended =
    database.engine === "mysql"
      ? `CONCAT(${name}, ?)`
      : `${name} || ${database.placeholder(1)}`;
  return database.execute(
    `UPDATE ${database.quoteTable(table.name)}
     SET ${name} = CASE WHEN ${name} <> '' THEN ${appended} ELSE ${database.placeholder(2)} END
     WHERE ${database.quote(key.name)} = ${database.placeholder(3, key)}`,
    [`\n${text}`, text, recordId],
  );
}
