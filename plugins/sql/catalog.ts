import { LRUCache } from "lru-cache";
import * as z from "zod";
import {
  type FieldInfo,
  type FieldKind,
  PlatformError,
  type TableInfo,
} from "../../core/plugin-api/index.js";
import { findNameColumn } from "../lib/cells.js";
import {
  type Database,
  isNumeric,
  type SqlColumn,
  type Engine,
  type SqlSettings,
} from "./database.js";

export interface SqlReference {
  /** The table and column that refer. */
  table: string;
  column: string;
  /** The table whose key is referred to. */
  to: string;
}

export interface SqlTable {
  name: string;
  columns: SqlColumn[];
  /** Null without a primary key, and for one of several columns. */
  key: SqlColumn | null;
}

export class Catalog {
  constructor(
    readonly tables: ReadonlyMap<string, SqlTable>,
    private readonly references: readonly SqlReference[],
  ) {}

  /** @throws PlatformError `not_found`. */
  getTable(name: string): SqlTable {
    const table = this.tables.get(name);
    if (table) return table;
    throw new PlatformError(
      "not_found",
      `The database has no table "${name}" that this user can see.`,
    );
  }

  /** Whether a table has all of these fields. */
  hasFields(table: SqlTable, fieldIds: readonly string[]): boolean {
    const names = new Set([
      ...table.columns.map(({ name }) => name),
      ...this.findIncoming(table).keys(),
    ]);
    return fieldIds.every((id) => names.has(id));
  }

  /** The references of a table to others, by the column that becomes a link field. */
  findOutgoing({ name }: SqlTable): Map<string, SqlReference> {
    return new Map(
      this.references
        .filter(({ table }) => table === name)
        .map((reference) => [reference.column, reference]),
    );
  }

  /** The references of other tables, by the id of their link field. Only tables with a key can be linked. */
  findIncoming({ name }: SqlTable): Map<string, SqlReference> {
    return new Map(
      this.references
        .filter(({ to, table }) => to === name && this.tables.get(table)?.key)
        .map((reference) => [
          `${reference.table}.${reference.column}`,
          reference,
        ]),
    );
  }

  /** The views of a database, and tables without a key, that contain the keys of a table under their name. */
  findViews({ key }: SqlTable): SqlTable[] {
    return Array.from(this.tables.values()).filter(
      (view) =>
        view.key === null &&
        view.columns.some(({ name }) => name === key?.name),
    );
  }

  toTableInfo(settings: SqlSettings, table: SqlTable): TableInfo {
    const outgoing = this.findOutgoing(table);
    const ownFields = table.columns.map((column): FieldInfo => {
      const reference = outgoing.get(column.name);
      const kind = reference ? "link" : getKind(settings, table, column);
      return {
        id: column.name,
        name: column.name,
        kind,
        native: column.type,
        // Only files are written.
        writable:
          settings.writable && !column.isGenerated && kind === "attachment",
        ...(isBlob(column) && { maxFiles: 1 }),
        ...(reference ? { link: { tableId: reference.to, many: false } } : {}),
        ...(kind === "attachment" &&
          !isBlob(column) && { stores: "expiring-link" }),
      };
    });
    const incoming = Array.from(
      this.findIncoming(table),
      ([id, reference]): FieldInfo => ({
        id,
        name: this.nameIncoming(table, id, reference),
        kind: "link",
        native: "foreign key of another table",
        writable: false,
        link: { tableId: reference.table, many: true },
      }),
    );
    return {
      id: table.name,
      name: table.name,
      ...(table.key
        ? { primaryFieldId: findNameColumn(ownFields) ?? table.key.name }
        : {}),
      fields: [...ownFields, ...incoming],
      ...(table.key && {
        views: this.findViews(table).map(({ name }) => ({ id: name, name })),
      }),
    };
  }

  /** The name of the other table, unless that is taken. */
  private nameIncoming(
    table: SqlTable,
    id: string,
    reference: SqlReference,
  ): string {
    const fromSameTable = this.references.filter(
      (other) => other.table === reference.table && other.to === table.name,
    );
    const isTaken =
      fromSameTable.length > 1 ||
      table.columns.some(({ name }) => name === reference.table);
    return isTaken ? id : reference.table;
  }
}

/** @throws PlatformError `unsupported` for a table without a primary key of one column. */
export function getKey({ key, name }: SqlTable): SqlColumn {
  if (key) return key;
  throw new PlatformError(
    "unsupported",
    `The table "${name}" has no primary key of one column, which Platen needs to identify its rows.`,
  );
}

/** Whether an id can be a value of the key. MySQL would read `1 or so` as 1, and PostgreSQL would reject the statement. */
export function isPossibleKey(key: SqlColumn, id: string): boolean {
  if (isNumeric(key)) return /^-?\d{1,20}$/.test(id) && fitsInteger(key, id);
  if (key.type === "uuid")
    return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
  return id.length <= 255 && !id.includes("\0");
}

/** PostgreSQL would reject the statement for an integer of more than 64 bits. */
function fitsInteger({ type }: SqlColumn, digits: string): boolean {
  const integer = BigInt(digits);
  return (
    integer ===
    (type.includes("unsigned")
      ? BigInt.asUintN(64, integer)
      : BigInt.asIntN(64, integer))
  );
}

export function isBlob({ type }: SqlColumn): boolean {
  return /blob|^bytea|binary/.test(type);
}

const kinds: readonly (readonly [RegExp, FieldKind])[] = [
  [/^bool|^tinyint\(1\)|^bit\(1\)/, "boolean"],
  [/^bit\(/, "number"],
  [/^date|^timestamp/, "date"],
  [/^json/, "json"],
  [/^enum|^set\(/, "select"],
];

export function getKind(
  { linkColumns }: SqlSettings,
  table: SqlTable,
  column: SqlColumn,
): FieldKind {
  if (isBlob(column) || linkColumns.includes(`${table.name}.${column.name}`))
    return "attachment";
  const [, kind] = kinds.find(([type]) => type.test(column.type)) ?? [];
  return kind ?? (isNumeric(column) ? "number" : "text");
}

const flag = z
  .union([z.boolean(), z.number(), z.string(), z.null()])
  .transform((value) => value === true || Number(value) === 1);
const columnRow = z.object({
  t: z.string(),
  c: z.string(),
  type: z.string(),
  pk: flag,
  generated: flag,
});
const referenceRow = z.object({
  name: z.string(),
  t: z.string(),
  c: z.string(),
  rt: z.string(),
  /** SQLite returns null for the other table's key. */
  rc: z.string().nullable(),
});

const columnsSql: Readonly<Record<Engine, string>> = {
  mysql: `SELECT table_name AS t, column_name AS c, LOWER(column_type) AS type, column_key = 'PRI' AS pk,
    extra LIKE '%GENERATED' AND extra <> 'DEFAULT_GENERATED' AS generated
    FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`,
  postgres: `SELECT c.relname AS t, a.attname AS c, format_type(a.atttypid, NULL) AS type,
    EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND a.attnum = ANY (i.indkey)) AS pk,
    a.attgenerated <> '' AS generated
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = to_regnamespace(quote_ident($1)) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    ORDER BY c.relname, a.attnum`,
  sqlite: `SELECT m.name AS t, p.name AS c, LOWER(p.type) AS type, p.pk > 0 AS pk, p.hidden > 1 AS generated
    FROM sqlite_master m JOIN pragma_table_xinfo(m.name) p
    WHERE m.type IN ('table', 'view') AND substr(m.name, 1, 7) <> 'sqlite_' AND p.hidden <> 1
    ORDER BY m.name, p.cid`,
};

const referencesSql: Readonly<Record<Engine, string>> = {
  mysql: `SELECT constraint_name AS name, table_name AS t, column_name AS c, referenced_table_name AS rt,
    referenced_column_name AS rc FROM information_schema.key_column_usage
    WHERE table_schema = DATABASE() AND referenced_table_schema = DATABASE()`,
  postgres: `SELECT k.conname AS name, c.relname AS t, a.attname AS c, r.relname AS rt, b.attname AS rc
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_class r ON r.oid = k.confrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (k.conkey)
    JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = k.confkey[1]
    WHERE k.contype = 'f' AND c.relnamespace = to_regnamespace(quote_ident($1)) AND r.relnamespace = c.relnamespace`,
  sqlite: `SELECT f.id AS name, m.name AS t, f."from" AS c, f."table" AS rt, f."to" AS rc
    FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`,
};

/** For how long a catalog is used without reading it again, in milliseconds. */
const catalogAgeMs = 60_000;
const catalogs = new LRUCache<string, Catalog>({
  max: 200,
  ttl: catalogAgeMs,
});

/** Runs `work`, which writes nothing, with the known catalog, and again with a new one if it fails: tables change. */
export async function withCatalog<T>(
  database: Database,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T> {
  const cached = catalogs.get(database.key);
  if (cached)
    try {
      return await work(cached);
    } catch {
      catalogs.delete(database.key);
    }
  return work(await readCatalog(database));
}

/** Reads tables, views and references from the database. All names in statements come from here. */
export async function readCatalog(database: Database): Promise<Catalog> {
  const { engine, settings } = database;
  const values = settings.engine === "postgres" ? [settings.schema] : [];
  const columns = await database.query(columnsSql[engine], values);
  const tables = groupColumns(z.array(columnRow).parse(columns));
  const references = await database.query(referencesSql[engine], values);
  const rows = references.map((row) => ({ ...row, name: String(row["name"]) }));
  const catalog = new Catalog(
    tables,
    selectReferences(z.array(referenceRow).parse(rows), tables),
  );
  catalogs.set(database.key, catalog);
  return catalog;
}

function groupColumns(
  rows: readonly z.infer<typeof columnRow>[],
): Map<string, SqlTable> {
  const tables = new Map<string, SqlTable>();
  const keys = new Map<string, SqlColumn[]>();
  for (const { t, c, type, pk, generated } of rows) {
    const table = tables.get(t) ?? { name: t, columns: [], key: null };
    const column = { name: c, type, isGenerated: generated };
    table.columns.push(column);
    tables.set(t, table);
    if (pk) keys.set(t, [...(keys.get(t) ?? []), column]);
  }
  for (const [name, [only, ...others]] of keys) {
    const table = tables.get(name);
    if (table && only && others.length === 0) table.key = only;
  }
  return tables;
}

/** Keeps references of one column to another table's key: only these can be followed by ids. */
function selectReferences(
  rows: readonly z.infer<typeof referenceRow>[],
  tables: ReadonlyMap<string, SqlTable>,
): SqlReference[] {
  const getId = ({ t, name }: z.infer<typeof referenceRow>) =>
    JSON.stringify([t, name]);
  const counts = new Map<string, number>();
  for (const row of rows)
    counts.set(getId(row), (counts.get(getId(row)) ?? 0) + 1);
  return rows
    .filter((row) => counts.get(getId(row)) === 1)
    .filter(({ rt, rc }) => {
      const key = tables.get(rt)?.key?.name;
      return key !== undefined && (rc === null || rc === key);
    })
    .map(({ t, c, rt }) => ({ table: t, column: c, to: rt }));
}
