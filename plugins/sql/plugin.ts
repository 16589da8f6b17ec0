import {
  type PlatformPlugin,
  type Row,
  type RowPage,
  type RowSelection,
  type TableScope,
  type Attachment,
  type OutFile,
  PlatformError,
  type WriteMode,
  findNearestWord,
  parseLosslessNumber,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import {
  toRowsFound,
  addFilename,
  getFilename,
  splitLines,
} from "../lib/cells.js";
import { type Condition, parseConditions } from "../lib/conditions.js";
import {
  readCatalog,
  withCatalog,
  type Catalog,
  getKey,
  getKind,
  isBlob,
  isPossibleKey,
  type SqlReference,
  type SqlTable,
} from "./catalog.js";
import {
  withDatabase,
  credentialsSchema,
  isReadOnly,
  isRefused,
  type SqlContext,
  type SqlSettings,
  type SqlCredentials,
  type Database,
  isNumeric,
  type SqlColumn,
  type SqlRow,
  toText,
} from "./database.js";

/** Tables of PostgreSQL, MySQL, MariaDB and SQLite. Foreign keys are links in both directions. */
export const sqlPlugin: PlatformPlugin<SqlCredentials> = {
  meta: createMeta("platform", "sql", "SQL database"),
  credentials: { schema: credentialsSchema },
  capabilities: {
    links: true,
    attachments: "link-cell",
    modes: ["append", "replace"],
    maxFileBytes: 16 * 1024 * 1024,
    maxIdsPerFetch: 500,
    keepsFilename: true,
    readBack: true,
  },
  rate: { key: getRateKey, maxInFlight: 4 },

  async check(context) {
    const { tables, warnings: linkWarnings } = await withDatabase(
      context,
      {},
      false,
      async (database) => {
        const catalog = await readCatalog(database);
        return {
          tables: catalog.tables,
          warnings: checkLinkColumns(catalog, database.settings),
        };
      },
    );
    const withoutKey = Array.from(tables.values())
      .filter(({ key }) => key === null)
      .map(({ name }) => name);
    const warnings = [
      ...(tables.size === 0 ? ["The database user can see no tables."] : []),
      ...(withoutKey.length > 0
        ? [
            `Rows of these tables cannot be used, because they have no primary key of one column: ${withoutKey.join(", ")}.`,
          ]
        : []),
      ...linkWarnings,
      ...(await checkWriting(context)),
    ];
    return { account: `${tables.size} tables`, warnings };
  },
  describe: (context) =>
    withDatabase(context, {}, false, async (database) => {
      const catalog = await readCatalog(database);
      return Array.from(catalog.tables.values(), (table) =>
        catalog.toTableInfo(database.settings, table),
      );
    }),

  /** Reads the rows with these keys, with their links in both directions. */
  fetchRows(context, scope, ids, fieldIds) {
    const isWanted = (id: string) => fieldIds?.includes(id) ?? true;
    const read = async (database: Database, catalog: Catalog) => {
      const table = catalog.getTable(scope.tableId);
      const columns = table.columns.filter(({ name }) => isWanted(name));
      const rows = await readRows(database, catalog, table, ids, columns);
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const [fieldId, reference] of catalog.findIncoming(table)) {
        if (!isWanted(fieldId)) continue;
        for (const row of rows) row.links[fieldId] = [];
        if (rows.length === 0) continue;
        const other = catalog.getTable(reference.table);
        for (const { from, to } of await readIncomingLinks(
          database,
          other,
          reference,
          getKey(table),
          [...byId.keys()],
        ))
          byId.get(to)?.links[fieldId]?.push(from);
      }
      return toRowsFound(rows, ids);
    };
    return withDatabase(context, scope, false, (database) =>
      withCatalog(database, async (catalog) => {
        const table = catalog.getTable(scope.tableId);
        const isKnown = catalog.hasFields(table, fieldIds ?? []);
        return read(database, isKnown ? catalog : await readCatalog(database));
      }),
    );
  },

  /** Finds the first rows, or those whose column contains the text, in the order of their keys. */
  findRows(context, scope, { limit, text = "", fieldId }) {
    const find = async (database: Database, catalog: Catalog) => {
      const table = catalog.getTable(scope.tableId);
      const key = database.quote(getKey(table).name);
      const column = table.columns.find(
        (candidate) => candidate.name === fieldId && !isBlob(candidate),
      );
      const isSearch = text !== "" && column !== undefined;
      const textType = database.engine === "mysql" ? "CHAR" : "TEXT";
      const filter = isSearch
        ? `WHERE LOWER(CAST(${database.quote(column.name)} AS ${textType})) LIKE ${database.placeholder(1)} ESCAPE '!'`
        : "";
      const rows = await database.query(
        `SELECT ${key} AS k FROM ${database.quoteTable(table.name)} ${filter} ORDER BY ${key} LIMIT ${Math.trunc(limit)}`,
        isSearch ? [`%${text.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`] : [],
      );
      return rows.map((row) => toText(row["k"]));
    };
    return withDatabase(context, scope, false, (database) =>
      withCatalog(database, (catalog) => find(database, catalog)),
    );
  },

  /** Lists the keys that a view contains, in its order, or those of matching rows, in their order. */
  listRows(context, scope, selection, cursor) {
    return withDatabase(context, scope, false, (database) =>
      withCatalog(database, (catalog) => {
        const table = catalog.getTable(scope.tableId);
        return "viewId" in selection
          ? listViewRows(database, catalog, table, selection.viewId, cursor)
          : listTableRows(database, table, selection, cursor);
      }),
    );
  },

  writeBack(context, scope, recordId, fieldId, files, mode) {
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
  },

  readAttachments(context, scope, recordId, fieldId) {
    return withDatabase(context, scope, false, async (database) => {
      const cell = await findCell(database, scope, recordId, fieldId);
      return toAttachments(cell.column, await readCell(database, cell));
    });
  },
};

/** The most keys that one page has. */
const maxPageSize = 1000;

/** A view has no key by which its rows could be continued, so they are counted. */
async function listViewRows(
  database: Database,
  catalog: Catalog,
  table: SqlTable,
  viewId: string,
  cursor = "0",
): Promise<RowPage> {
  const view = catalog.findViews(table).find(({ name }) => name === viewId);
  if (!view)
    throw new PlatformError(
      "not_found",
      `The database has no view "${viewId}" with the column "${getKey(table).name}".`,
    );
  const key = database.quote(getKey(table).name);
  const offset = Math.trunc(Number(cursor));
  const rows = await database.query(
    `SELECT ${key} AS k FROM ${database.quoteTable(view.name)} WHERE ${key} IS NOT NULL LIMIT ${maxPageSize} OFFSET ${offset}`,
  );
  return {
    ids: rows.map((row) => toText(row["k"])),
    ...(rows.length === maxPageSize && {
      next: String(offset + maxPageSize),
    }),
  };
}

async function listTableRows(
  database: Database,
  table: SqlTable,
  selection: Exclude<RowSelection, { viewId: string }>,
  cursor?: string,
): Promise<RowPage> {
  const key = getKey(table);
  const keyName = database.quote(key.name);
  const values: unknown[] = [];
  const add = (value: unknown) => {
    values.push(value);
    return database.placeholder(values.length);
  };
  const terms =
    "filter" in selection
      ? parseConditions(
          selection.filter,
          table.columns
            .filter((column) => !isBlob(column))
            .map(({ name }) => name),
        ).map(([name, condition]) =>
          toTerm(database, findColumn(table, name), condition, add),
        )
      : [toEmptyTerm(database, findColumn(table, selection.emptyFieldId))];
  if (cursor !== undefined && isPossibleKey(key, cursor)) {
    values.push(cursor);
    const last = database.placeholder(values.length, key);
    terms.push(`${keyName} > ${last}`);
  }
  const rows = await database.query(
    `SELECT ${keyName} AS k FROM ${database.quoteTable(table.name)} WHERE ${terms.join(" AND ")} ORDER BY ${keyName} LIMIT ${maxPageSize}`,
    values,
  );
  const ids = rows.map((row) => toText(row["k"]));
  const last = ids.at(-1);
  return {
    ids,
    ...(ids.length === maxPageSize && last !== undefined && { next: last }),
  };
}

function findColumn(table: SqlTable, name: string): SqlColumn {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column) return column;
  throw new PlatformError(
    "invalid_field",
    `The table "${table.name}" has no column "${name}".`,
    { fieldId: name },
  );
}

function toEmptyTerm(database: Database, column: SqlColumn): string {
  const name = database.quote(column.name);
  return isBlob(column)
    ? `${name} IS NULL`
    : `(${name} IS NULL OR ${name} = '')`;
}

/** @param add adds a value to the statement's and returns its placeholder. */
function toTerm(
  database: Database,
  column: SqlColumn,
  { is, not, min, max }: Condition,
  add: (value: unknown) => string,
): string {
  const name = database.quote(column.name);
  const toPlaceholder = (value: string | number | boolean) =>
    add(toParameter(database, column, value));
  const terms: string[] = [];
  if (is) {
    const placeholders = is.flatMap((value) =>
      value === null ? [] : toPlaceholder(value),
    );
    const any =
      placeholders.length > 0
        ? [`${name} IN (${placeholders.join(", ")})`]
        : [];
    if (is.includes(null)) any.push(`${name} IS NULL`);
    terms.push(`(${any.join(" OR ")})`);
  }
  if (not === null) terms.push(`${name} IS NOT NULL`);
  else if (not !== undefined)
    terms.push(`(${name} <> ${toPlaceholder(not)} OR ${name} IS NULL)`);
  if (min !== undefined) terms.push(`${name} >= ${toPlaceholder(min)}`);
  if (max !== undefined) terms.push(`${name} <= ${toPlaceholder(max)}`);
  return terms.join(" AND ");
}

/** MySQL would compare `1 or so` with a number as 1. @throws PlatformError `invalid_field`. */
function toParameter(
  { engine }: Database,
  column: SqlColumn,
  value: string | number | boolean,
): string | number | bigint | boolean {
  if (typeof value === "boolean")
    return engine === "postgres" ? value : Number(value);
  if (!isNumeric(column))
    return typeof value === "number" && engine === "sqlite"
      ? value
      : String(value);
  const number = Number(value);
  if (typeof value === "string" && !Number.isSafeInteger(number))
    // As a text, MySQL would compare it with a decimal as a binary fraction.
    if (/^-?\d+$/.test(value))
      return engine === "mysql" ? BigInt(value) : value;
  if (value !== "" && Number.isFinite(number)) return number;
  throw new PlatformError(
    "invalid_field",
    `The filter compares the column "${column.name}", which holds numbers, with a text.`,
    { fieldId: column.name },
  );
}

/** Names the columns of `linkColumns` that do not exist. */
function checkLinkColumns(
  { tables }: Catalog,
  { linkColumns }: SqlSettings,
): string[] {
  const names = Array.from(tables.values()).flatMap(({ name, columns }) =>
    columns.map((column) => `${name}.${column.name}`),
  );
  return linkColumns
    .filter((wanted) => !names.includes(wanted))
    .map((wanted) => {
      const nearest = findNearestWord(wanted, names);
      const hint =
        nearest === undefined
          ? "Name a table and a column that the database user can see, as table.column."
          : `Did you mean "${nearest}"?`;
      return `linkColumns names "${wanted}", which does not exist. ${hint}`;
    });
}

/** The most columns whose right to be written is checked. */
const maxCheckedColumns = 50;

/** Names the columns for files that the database user may not write, without writing anything. */
async function checkWriting(context: SqlContext): Promise<string[]> {
  if (context.credentials.writable !== true) return [];
  const refused: string[] = [];
  try {
    await withDatabase(context, {}, true, async (database) => {
      const { tables } = await readCatalog(database);
      if (database.engine === "sqlite") return database.checkWritable();
      const cells = Array.from(tables.values()).flatMap((table) =>
        table.columns
          .filter(
            (column) =>
              table.key !== null &&
              !column.isGenerated &&
              getKind(database.settings, table, column) === "attachment",
          )
          .map((column) => ({ table, column })),
      );
      for (const { table, column } of cells.slice(0, maxCheckedColumns))
        if (!(await mayUpdate(database, table, column)))
          refused.push(`${table.name}.${column.name}`);
    });
  } catch (error) {
    // Another program is writing at this moment, so it can be written.
    if (error instanceof PlatformError && error.code === "conflict") return [];
    if (!isReadOnly(error)) throw error;
    return [
      "The database can only be read, so no files can be written. Give the database user, or the service's user for an SQLite file, the right to write.",
    ];
  }
  return refused.length === 0
    ? []
    : [
        `The database user may not write to these columns: ${refused.join(", ")}. Give it the UPDATE right, or files cannot be written.`,
      ];
}

/** Explaining a statement needs the same rights as running it. */
async function mayUpdate(
  database: Database,
  { name }: SqlTable,
  column: SqlColumn,
): Promise<boolean> {
  try {
    await database.query(
      `EXPLAIN UPDATE ${database.quoteTable(name)} SET ${database.quote(column.name)} = NULL WHERE 1 = 0`,
    );
    return true;
  } catch (error) {
    return !isRefused(error);
  }
}

/** The limit applies to a database, for all its users. */
function getRateKey(credentials: SqlCredentials): string {
  if (credentials.engine === "sqlite") return credentials.file;
  const { engine, host, port, database } = credentials;
  return JSON.stringify([engine, host, port, database]);
}

async function readRows(
  database: Database,
  catalog: Catalog,
  table: SqlTable,
  ids: readonly string[],
  columns: readonly SqlColumn[],
): Promise<Row[]> {
  const key = getKey(table);
  const possibleIds = ids.filter((id) => isPossibleKey(key, id));
  if (possibleIds.length === 0) return [];
  const list = [`${toExpression(database, key)} AS k`].concat(
    columns.map((column, at) => `${toExpression(database, column)} AS c${at}`),
  );
  const rows = await database.query(
    `SELECT ${list.join(", ")} FROM ${database.quoteTable(table.name)}
     WHERE ${database.quote(key.name)} IN (${database.placeholders(possibleIds.length, key)})`,
    possibleIds,
  );
  // A database that treats `a` and `A` as equal may find rows that were not asked for.
  const wanted = new Set(possibleIds);
  return rows
    .filter((row) => wanted.has(toText(row["k"])))
    .map((row) => toRow(database, catalog, table, columns, row));
}

/** How a column is read: files by their size only, times of PostgreSQL with their offset. */
function toExpression(database: Database, column: SqlColumn): string {
  if (isBlob(column)) return database.getSizeExpression(column);
  const name = database.quote(column.name);
  const isTime = /^date|^timestamp/.test(column.type);
  return database.engine === "postgres" && isTime
    ? `to_json(${name}) #>> '{}'`
    : name;
}

function toRow(
  { settings }: Database,
  catalog: Catalog,
  table: SqlTable,
  columns: readonly SqlColumn[],
  record: SqlRow,
): Row {
  const outgoing = catalog.findOutgoing(table);
  const row: Row = { id: toText(record["k"]), fields: {}, links: {} };
  columns.forEach((column, at) => {
    const value = record[`c${at}`] ?? null;
    const kind = getKind(settings, table, column);
    if (outgoing.has(column.name))
      row.links[column.name] = value === null ? [] : [toText(value)];
    else if (kind === "attachment")
      row.fields[column.name] = toAttachments(column, value);
    else if (value !== null)
      row.fields[column.name] = toFieldValue(column, kind, value);
  });
  return row;
}

/** Converts what drivers return: numbers as text, times with a space. Numbers that would lose digits remain text. */
function toFieldValue(
  column: SqlColumn,
  kind: string,
  value: unknown,
): unknown {
  if (kind === "boolean")
    return Buffer.isBuffer(value) ? value[0] === 1 : Boolean(value);
  if (kind === "date" && typeof value === "string")
    return value.replace(" ", "T");
  // MySQL returns the bits of `bit(n)`.
  if (kind === "number" && Buffer.isBuffer(value))
    return parseLosslessNumber(
      BigInt(`0x${value.toString("hex") || "0"}`).toString(),
    );
  if (isFloat(column, value)) return Number(Number(value).toPrecision(15));
  if (isNumeric(column) && typeof value === "string") {
    return Number.isFinite(Number(value)) ? parseLosslessNumber(value) : value;
  }
  return value;
}

/** Whether it is a binary fraction, whose last digits are noise: 0.1 + 0.2 is 0.3. */
function isFloat({ type }: SqlColumn, value: unknown): boolean {
  return typeof value === "number"
    ? !Number.isInteger(value)
    : /^(float|double|real)/.test(type) && Number.isFinite(Number(value));
}

/** The rows of another table that refer to these, in the order of their keys. */
async function readIncomingLinks(
  database: Database,
  other: SqlTable,
  reference: SqlReference,
  key: SqlColumn,
  ids: readonly string[],
): Promise<{ from: string; to: string }[]> {
  const otherKey = database.quote(getKey(other).name);
  const column = database.quote(reference.column);
  const rows = await database.query(
    `SELECT ${otherKey} AS k, ${column} AS r FROM ${database.quoteTable(other.name)}
     WHERE ${column} IN (${database.placeholders(ids.length, key)}) ORDER BY ${otherKey}`,
    ids,
  );
  return rows.map((row) => ({ from: toText(row["k"]), to: toText(row["r"]) }));
}

/** How long a link in a column should work, in seconds: ten years, or as long as Platen keeps the file. */
const linkTtlSeconds = 10 * 366 * 24 * 3600;

/** The files of a cell. A column of bytes holds one, and `value` is its size; a text column has one link per line. */
function toAttachments(column: SqlColumn, value: unknown): Attachment[] {
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
  return withCatalog(database, async (catalog) => {
    const table = catalog.getTable(tableId);
    const column = table.columns.find(({ name }) => name === fieldId);
    const acceptsFiles =
      column !== undefined &&
      !catalog.findOutgoing(table).has(column.name) &&
      getKind(database.settings, table, column) === "attachment";
    if (acceptsFiles) return Promise.resolve({ table, column, recordId });
    throw new PlatformError(
      "invalid_field",
      `"${tableId}.${fieldId}" does not accept files. Choose a column of bytes, or add a text column to linkColumns of the connection.`,
      { fieldId },
    );
  });
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
