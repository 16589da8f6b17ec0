import type {
  Row,
  RowSearch,
  RowsFound,
  TableScope,
} from "../../core/plugin-api/index.js";
import { toRowsFound } from "../lib/cells.js";
import { toAttachments } from "./attachments.js";
import {
  type Catalog,
  getKey,
  getKind,
  isBlob,
  isPossibleKey,
  readCatalog,
  type SqlReference,
  type SqlTable,
} from "./catalog.js";
import {
  type Database,
  isNumeric,
  type SqlColumn,
  type SqlRow,
  toText,
  withDatabase,
} from "./database.js";
import type { SqlContext } from "./settings.js";

/** Reads the rows with these keys, with their links in both directions. */
export function fetchRows(
  context: SqlContext,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const isWanted = (id: string) => fieldIds?.includes(id) ?? true;
  return withDatabase(context, scope, false, async (database) => {
    const catalog = await readCatalog(database);
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
  });
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
  const found = await database.query(
    `SELECT ${list.join(", ")} FROM ${database.quoteTable(table.name)}
     WHERE ${database.quote(key.name)} IN (${database.placeholders(possibleIds.length, key)})`,
    possibleIds,
  );
  // A database that treats `a` and `A` as equal may find rows that were not asked for.
  const wanted = new Set(possibleIds);
  return found
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
  found: SqlRow,
): Row {
  const outgoing = catalog.findOutgoing(table);
  const row: Row = { id: toText(found["k"]), fields: {}, links: {} };
  columns.forEach((column, at) => {
    const value = found[`c${at}`] ?? null;
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
  if (isNumeric(column) && typeof value === "string") {
    const number = Number(value);
    const isExact = !Number.isInteger(number) || Number.isSafeInteger(number);
    return Number.isFinite(number) && isExact ? number : value;
  }
  return value;
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
  const found = await database.query(
    `SELECT ${otherKey} AS k, ${column} AS r FROM ${database.quoteTable(other.name)}
     WHERE ${column} IN (${database.placeholders(ids.length, key)}) ORDER BY ${otherKey}`,
    ids,
  );
  return found.map((row) => ({ from: toText(row["k"]), to: toText(row["r"]) }));
}

/** Finds the first rows, or those whose column contains the text, in the order of their keys. */
export function findRows(
  context: SqlContext,
  scope: TableScope,
  { limit, text = "", fieldId }: RowSearch,
): Promise<string[]> {
  return withDatabase(context, scope, false, async (database) => {
    const table = (await readCatalog(database)).getTable(scope.tableId);
    const key = database.quote(getKey(table).name);
    const column = table.columns.find(
      (one) => one.name === fieldId && !isBlob(one),
    );
    const isSearch = text !== "" && column !== undefined;
    const textType = database.engine === "mysql" ? "CHAR" : "TEXT";
    const filter = isSearch
      ? `WHERE LOWER(CAST(${database.quote(column.name)} AS ${textType})) LIKE ${database.placeholder(1)} ESCAPE '!'`
      : "";
    const found = await database.query(
      `SELECT ${key} AS k FROM ${database.quoteTable(table.name)} ${filter} ORDER BY ${key} LIMIT ${Math.trunc(limit)}`,
      isSearch ? [`%${text.toLowerCase().replaceAll(/[!%_]/g, "!$&")}%`] : [],
    );
    return found.map((row) => toText(row["k"]));
  });
}
