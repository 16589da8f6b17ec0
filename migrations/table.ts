import { type QueryRunner, Table, type TableColumnOptions } from "typeorm";

// The words in which migrations are written. Old migrations lean on them: add to this file, change nothing in it.

type Kind = Omit<TableColumnOptions, "name">;

export const id: Kind = { type: "varchar", length: "64" };
export const word: Kind = { type: "varchar", length: "32" };
export const line: Kind = { type: "varchar", length: "255" };
export const text: Kind = { type: "text" };
export const long: Kind = { type: "longtext" };
export const flag: Kind = { type: "boolean" };
export const count: Kind = { type: "integer" };
export const big: Kind = { type: "bigint" };
export const instant: Kind = { type: "datetime", precision: 3 };

export const sized = (length: number): Kind => ({
  type: "varchar",
  length: String(length),
});
export const optional = (kind: Kind): Kind => ({ ...kind, isNullable: true });
export const primary = (kind: Kind): Kind => ({ ...kind, isPrimary: true });

export interface TableShape {
  columns: Record<string, Kind>;
  /** A foreign key's name to its column and the table whose `id` that names. */
  references?: Record<string, [column: string, table: string]>;
  indexes?: Record<string, string[]>;
  uniques?: Record<string, string[]>;
}

/**
 * Creates a table. One that exists is left alone: MySQL commits after every statement, so a migration that was cut
 * off there is run again.
 */
export async function createTable(
  runner: QueryRunner,
  name: string,
  shape: TableShape,
): Promise<void> {
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const columns = Object.entries(shape.columns).map(([column, kind]) => ({
    name: column,
    ...kind,
    ...(isMysql && isText(kind) ? bytewise : {}),
  }));
  const table = new Table({
    name,
    columns,
    foreignKeys: foreignKeysOf(shape),
    indices: [
      ...indexesOf(shape.indexes, false),
      ...indexesOf(shape.uniques, true),
    ],
  });
  await runner.createTable(table, true);
}

/** Text compares byte by byte, as it does in SQLite: ids and hashes must not be equal but for their case. */
const bytewise = { charset: "utf8mb4", collation: "utf8mb4_bin" };

function isText(kind: Kind): boolean {
  return ["varchar", "text", "longtext"].includes(kind.type);
}

function foreignKeysOf({ references = {} }: TableShape) {
  return Object.entries(references).map(([name, [column, table]]) => ({
    name,
    columnNames: [column],
    referencedTableName: table,
    referencedColumnNames: ["id"],
    onDelete: "NO ACTION",
    onUpdate: "NO ACTION",
  }));
}

function indexesOf(indexes: Record<string, string[]> = {}, isUnique: boolean) {
  return Object.entries(indexes).map(([name, columnNames]) => ({
    name,
    columnNames,
    isUnique,
  }));
}
