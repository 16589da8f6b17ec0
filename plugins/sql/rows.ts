import type {
  Row,
  RowsFound,
  TableScope,
} from "../../core/plugin-api/index.js";
import { attachmentsOf } from "./attachments.js";
import {
  type Catalog,
  readCatalog,
  type SqlColumn,
  type SqlTable,
} from "./catalog.js";
import type { SqlContext } from "./credentials.js";
import { type Database, type SqlRow, withDatabase } from "./database.js";
import {
  columnKind,
  isBlob,
  keyOf,
  linksIn,
  linksOut,
  tableNamed,
} from "./fields.js";
import {
  couldBe,
  from,
  isNumber,
  places,
  quoted,
  textOf,
} from "./statement.js";

type Wants = (fieldId: string) => boolean;

/** The rows with these keys; their links both ways. */
export function fetchRows(
  context: SqlContext,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const wants: Wants = (id) => fieldIds?.includes(id) ?? true;
  return withDatabase(context, scope, false, async (database) => {
    const catalog = await readCatalog(database);
    const table = tableNamed(catalog, scope.tableId);
    const rows = await readRows(database, catalog, table, ids, wants);
    await addLinksIn(database, catalog, table, rows, wants);
    const has = new Set(rows.map(({ id }) => id));
    return { rows, missing: ids.filter((id) => !has.has(id)) };
  });
}

async function readRows(
  database: Database,
  catalog: Catalog,
  table: SqlTable,
  ids: readonly string[],
  wants: Wants,
): Promise<Row[]> {
  const { engine } = database;
  const key = keyOf(table);
  const asked = ids.filter((id) => couldBe(key, id));
  if (asked.length === 0) return [];
  const columns = table.columns.filter(({ name }) => wants(name));
  const list = [`${read(database, key)} AS k`].concat(
    columns.map((column, at) => `${read(database, column)} AS c${at}`),
  );
  const found = await database.rows(
    `SELECT ${list.join(", ")} FROM ${from(database, table.name)}
     WHERE ${quoted(engine, key.name)} IN (${places(engine, asked.length, key)})`,
    asked,
  );
  // A database that holds `a` and `A` for the same may find what was not asked for.
  const wanted = new Set(asked);
  return found
    .filter((one) => wanted.has(textOf(one["k"])))
    .map((one) => toRow(database, catalog, table, columns, one));
}

/** How a column is read: files by their size alone, times of PostgreSQL with their offset. */
function read({ engine }: Database, column: SqlColumn): string {
  const name = quoted(engine, column.name);
  if (isBlob(column))
    return engine === "postgres" ? `octet_length(${name})` : `LENGTH(${name})`;
  const isTime = /^date|^timestamp/.test(column.type);
  return engine === "postgres" && isTime ? `to_json(${name}) #>> '{}'` : name;
}

function toRow(
  { settings }: Database,
  catalog: Catalog,
  table: SqlTable,
  columns: readonly SqlColumn[],
  found: SqlRow,
): Row {
  const out = linksOut(catalog, table);
  const row: Row = { id: textOf(found["k"]), fields: {}, links: {} };
  columns.forEach((column, at) => {
    const value = found[`c${at}`] ?? null;
    const kind = columnKind(settings, table, column);
    if (out.has(column.name))
      row.links[column.name] = value === null ? [] : [textOf(value)];
    else if (kind === "attachment")
      row.fields[column.name] = attachmentsOf(column, value);
    else if (value !== null)
      row.fields[column.name] = plainValue(column, kind, value);
  });
  return row;
}

/** Numbers that drivers hand over as text, and times with a blank in the middle, as the contract has them. */
function plainValue(column: SqlColumn, kind: string, value: unknown): unknown {
  if (kind === "boolean")
    return Buffer.isBuffer(value) ? value[0] === 1 : Boolean(value);
  if (kind === "date" && typeof value === "string")
    return value.replace(" ", "T");
  if (isNumber(column) && typeof value === "string") {
    const number = Number(value);
    const isExact = !Number.isInteger(number) || Number.isSafeInteger(number);
    return Number.isFinite(number) && isExact ? number : value;
  }
  return value;
}

async function addLinksIn(
  database: Database,
  catalog: Catalog,
  table: SqlTable,
  rows: readonly Row[],
  wants: Wants,
): Promise<void> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const [fieldId, reference] of linksIn(catalog, table)) {
    if (!wants(fieldId)) continue;
    for (const row of rows) row.links[fieldId] = [];
    if (rows.length === 0) continue;
    const other = tableNamed(catalog, reference.table);
    const pairs = await readPairs(database, other, reference.column, table, [
      ...byId.keys(),
    ]);
    for (const [id, to] of pairs) byId.get(to)?.links[fieldId]?.push(id);
  }
}

/** The rows of another table that refer to these, as [its key, the key referred to], in the order of its keys. */
async function readPairs(
  database: Database,
  other: SqlTable,
  column: string,
  table: SqlTable,
  ids: readonly string[],
): Promise<(readonly [string, string])[]> {
  const { engine } = database;
  const key = quoted(engine, keyOf(other).name);
  const reference = quoted(engine, column);
  const list = places(engine, ids.length, keyOf(table));
  const found = await database.rows(
    `SELECT ${key} AS k, ${reference} AS r FROM ${from(database, other.name)}
     WHERE ${reference} IN (${list}) ORDER BY ${key}`,
    ids,
  );
  return found.map((one) => [textOf(one["k"]), textOf(one["r"])]);
}
