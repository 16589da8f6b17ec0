import {
  type Attachment,
  type OutFile,
  PlatformError,
  type TableScope,
  type WriteMode,
} from "../../core/plugin-api/index.js";
import { readCatalog, type SqlColumn, type SqlTable } from "./catalog.js";
import type { SqlContext } from "./credentials.js";
import { type Database, withDatabase } from "./database.js";
import { columnKind, isBlob, keyOf, linksOut, tableNamed } from "./fields.js";
import { couldBe, from, place, quoted, textOf } from "./statement.js";

/** How long a link in a column should open, in seconds: ten years, or as long as the service keeps the file. */
const linkSeconds = 10 * 366 * 24 * 3600;

/** What a cell holds: a column of bytes one file, of which `value` is the size; a text column a link on each line. */
export function attachmentsOf(column: SqlColumn, value: unknown): Attachment[] {
  if (value === null || value === undefined) return [];
  if (isBlob(column)) {
    const file = { remoteId: column.name, filename: column.name };
    return [{ ...file, sizeBytes: Number(value) }];
  }
  return textOf(value)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((url) => ({ remoteId: url, filename: filenameIn(url), url }));
}

/** Links end in `#` and the file's name, which whoever opens them disregards. */
function linkTo(url: string, filename: string): string {
  const link = new URL(url);
  link.hash = encodeURIComponent(filename);
  return link.href;
}

function filenameIn(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hash, pathname } = new URL(url);
  const last = hash === "" ? pathname.split("/").at(-1) : hash.slice(1);
  try {
    return decodeURIComponent(last ?? "");
  } catch {
    return last ?? "";
  }
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
    return attachmentsOf(cell.column, await readCell(database, cell));
  });
}

export async function writeBack(
  context: SqlContext,
  scope: TableScope,
  recordId: string,
  fieldId: string,
  files: readonly OutFile[],
  mode: WriteMode,
): Promise<Attachment[]> {
  return withDatabase(context, scope, true, async (database) => {
    const cell = await findCell(database, scope, recordId, fieldId);
    const held = await readCell(database, cell);
    if (isBlob(cell.column))
      return writeBytes(database, cell, held, files, mode);
    const links = await Promise.all(files.map(linkOf));
    const text = links.join("\n");
    await (mode === "append"
      ? appendLine(database, cell, text)
      : setCell(database, cell, text));
    return attachmentsOf(cell.column, text);
  });
}

async function linkOf(file: OutFile): Promise<string> {
  const url = await file.publicUrl?.(linkSeconds);
  if (url !== undefined) return linkTo(url, file.filename);
  throw new PlatformError(
    "bad_config",
    "This column takes links, but the service has no public address: set PLATEN_BASE_URL, or choose a column of bytes.",
  );
}

async function writeBytes(
  database: Database,
  cell: Cell,
  held: unknown,
  files: readonly OutFile[],
  mode: WriteMode,
): Promise<Attachment[]> {
  const [file, ...others] = files;
  const isFull = mode === "append" && held !== null;
  if (!file || others.length > 0 || isFull)
    throw new PlatformError(
      "unsupported",
      `The column "${cell.column.name}" holds one file. ${isFull ? "It has one already: let it be overwritten, or use" : "Use"} a column for links.`,
      { fieldId: cell.column.name },
    );
  const bytes = await file.bytes();
  await setCell(database, cell, Buffer.from(bytes));
  return attachmentsOf(cell.column, bytes.length);
}

/** Names come from the catalog. @throws PlatformError `invalid_field` for a column that takes no files. */
async function findCell(
  database: Database,
  { tableId }: TableScope,
  recordId: string,
  fieldId: string,
): Promise<Cell> {
  const catalog = await readCatalog(database);
  const table = tableNamed(catalog, tableId);
  const column = table.columns.find(({ name }) => name === fieldId);
  const takesFiles =
    column !== undefined &&
    !linksOut(catalog, table).has(column.name) &&
    columnKind(database.settings, table, column) === "attachment";
  if (takesFiles) return { table, column, recordId };
  throw new PlatformError(
    "invalid_field",
    `"${tableId}.${fieldId}" takes no files: choose a column of bytes, or name a text column in linkColumns of the connection.`,
    { fieldId },
  );
}

/** @throws PlatformError `not_found`. */
async function readCell(
  database: Database,
  { table, column, recordId }: Cell,
): Promise<unknown> {
  const { engine } = database;
  const key = keyOf(table);
  const name = quoted(engine, column.name);
  const size = engine === "postgres" ? "octet_length" : "LENGTH";
  const [row] = couldBe(key, recordId)
    ? await database.rows(
        `SELECT ${quoted(engine, key.name)} AS k, ${isBlob(column) ? `${size}(${name})` : name} AS v
         FROM ${from(database, table.name)} WHERE ${quoted(engine, key.name)} = ${place(engine, 1, key)}`,
        [recordId],
      )
    : [];
  if (row && textOf(row["k"]) === recordId) return row["v"] ?? null;
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
  const { engine } = database;
  const key = keyOf(table);
  return database.run(
    `UPDATE ${from(database, table.name)} SET ${quoted(engine, column.name)} = ${place(engine, 1)}
     WHERE ${quoted(engine, key.name)} = ${place(engine, 2, key)}`,
    [value, recordId],
  );
}

/** In one statement: whoever writes at the same time loses nothing. */
function appendLine(
  database: Database,
  { table, column, recordId }: Cell,
  text: string,
): Promise<void> {
  const { engine } = database;
  const key = keyOf(table);
  const name = quoted(engine, column.name);
  const joined =
    engine === "mysql"
      ? `CONCAT(${name}, ?)`
      : `${name} || ${place(engine, 1)}`;
  const first = place(engine, 2);
  return database.run(
    `UPDATE ${from(database, table.name)}
     SET ${name} = CASE WHEN ${name} <> '' THEN ${joined} ELSE ${first} END
     WHERE ${quoted(engine, key.name)} = ${place(engine, 3, key)}`,
    [`\n${text}`, text, recordId],
  );
}
