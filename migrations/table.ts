import { type QueryRunner, Table, type TableColumnOptions } from "typeorm";

// Helpers for migrations. Existing migrations depend on their results: add to this file, but never change what a helper
// creates.

type ColumnType = Omit<TableColumnOptions, "name">;

export const varchar = (length: number): ColumnType => ({
  type: "varchar",
  length: String(length),
});
export const id = varchar(64);
export const text: ColumnType = { type: "text" };
export const longtext: ColumnType = { type: "longtext" };
export const longblob: ColumnType = { type: "longblob" };
export const boolean: ColumnType = { type: "boolean" };
export const integer: ColumnType = { type: "integer" };
export const bigint: ColumnType = { type: "bigint" };
export const datetime: ColumnType = { type: "datetime", precision: 3 };

export const nullable = (type: ColumnType): ColumnType => ({
  ...type,
  isNullable: true,
});
export const primary = (type: ColumnType): ColumnType => ({
  ...type,
  isPrimary: true,
});

export interface TableShape {
  columns: Record<string, ColumnType>;
  /** By the name of the foreign key: its column, and the table whose `id` it references. */
  references?: Record<string, [column: string, table: string]>;
  indexes?: Record<string, string[]>;
  uniques?: Record<string, string[]>;
}

/**
 * Creates a table unless it exists: MySQL commits after every statement, so an interrupted migration runs again there.
 */
export async function createTable(
  runner: QueryRunner,
  name: string,
  shape: TableShape,
): Promise<void> {
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const columns = Object.entries(shape.columns).map(([column, type]) => ({
    name: column,
    ...type,
    ...(isMysql && isText(type) ? binaryText : {}),
  }));
  const table = new Table({
    name,
    columns,
    foreignKeys: createForeignKeys(shape),
    indices: [
      ...createIndexes(shape.indexes, false),
      ...createIndexes(shape.uniques, true),
    ],
  });
  await runner.createTable(table, true);
}

/** Adds a column that is null in all rows, unless the table has it. */
export async function addColumn(
  runner: QueryRunner,
  table: string,
  name: string,
  type: ColumnType,
): Promise<void> {
  if (await runner.hasColumn(table, name)) return;
  const isMysql = runner.dataSource.options.type !== "better-sqlite3";
  const { charset, collation } = binaryText;
  const encoding =
    isMysql && isText(type)
      ? ` CHARACTER SET ${charset} COLLATE ${collation}`
      : "";
  await runner.query(
    `ALTER TABLE ${table} ADD COLUMN ${name} ${type.type}${encoding}`,
  );
}

/** Compares text by bytes, as SQLite does: ids and hashes that differ only in case are different. */
const binaryText = { charset: "utf8mb4", collation: "utf8mb4_bin" };

function isText({ type }: ColumnType): boolean {
  return ["varchar", "text", "longtext"].includes(type);
}

function createForeignKeys({ references = {} }: TableShape) {
  return Object.entries(references).map(([name, [column, table]]) => ({
    name,
    columnNames: [column],
    referencedTableName: table,
    referencedColumnNames: ["id"],
    onDelete: "NO ACTION",
    onUpdate: "NO ACTION",
  }));
}

function createIndexes(
  indexes: Record<string, string[]> = {},
  isUnique: boolean,
) {
  return Object.entries(indexes).map(([name, columnNames]) => ({
    name,
    columnNames,
    isUnique,
  }));
}
