import * as z from "zod";
import type { Engine } from "./credentials.js";
import type { Database } from "./database.js";

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
  /** SQLite: null stands for the other table's key. */
  rc: z.string().nullable(),
});

export interface SqlColumn {
  name: string;
  /** As the database writes it, in lower case. */
  type: string;
  isGenerated: boolean;
}

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
  /** Null: none, or one of several columns. */
  key: SqlColumn | null;
}

export interface Catalog {
  tables: ReadonlyMap<string, SqlTable>;
  references: readonly SqlReference[];
}

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

/** Tables, views and references, as the database describes them: the only place that names come from. */
export async function readCatalog(database: Database): Promise<Catalog> {
  const { engine, settings } = database;
  const values = settings.engine === "postgres" ? [settings.schema] : [];
  const columns = await database.rows(columnsSql[engine], values);
  const tables = tablesOf(z.array(columnRow).parse(columns));
  const found = await database.rows(referencesSql[engine], values);
  const named = found.map((row) => ({ ...row, name: String(row["name"]) }));
  const references = z.array(referenceRow).parse(named);
  return { tables, references: singleReferences(references, tables) };
}

function tablesOf(
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

function nameOf({ t, name }: z.infer<typeof referenceRow>): string {
  return JSON.stringify([t, name]);
}

/** References of one column to another table's key: others cannot be followed by ids. */
function singleReferences(
  rows: readonly z.infer<typeof referenceRow>[],
  tables: ReadonlyMap<string, SqlTable>,
): SqlReference[] {
  const count = new Map<string, number>();
  for (const row of rows)
    count.set(nameOf(row), (count.get(nameOf(row)) ?? 0) + 1);
  return rows
    .filter((row) => count.get(nameOf(row)) === 1)
    .filter(({ rt, rc }) => {
      const key = tables.get(rt)?.key?.name;
      return key !== undefined && (rc === null || rc === key);
    })
    .map(({ t, c, rt }) => ({ table: t, column: c, to: rt }));
}
