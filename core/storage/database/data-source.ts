import type Database from "better-sqlite3";
import { DataSource, DefaultNamingStrategy, type Table } from "typeorm";
import * as entities from "./entities.js";

/** Columns in snake_case, foreign keys as `fk_<table>_<column without _id>`; entities name tables and indexes. */
class SnakeCaseNaming extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined): string {
    return custom || toSnakeCase(property);
  }

  override joinColumnName(relation: string, referenced: string): string {
    return `${toSnakeCase(relation)}_${referenced}`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    const column = columns.join("_").replace(/_id$/, "");
    return `fk_${typeof table === "string" ? table : table.name}_${column}`;
  }
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const shared = {
  entities: Object.values(entities).filter(
    (entity) => typeof entity === "function",
  ),
  namingStrategy: new SnakeCaseNaming(),
  migrationsTableName: "migration",
  logging: false as const,
};

/** Short, because SQLite waits synchronously, which blocks all requests; units of work retry. */
const busyTimeoutMs = 25;

export function createSqliteWriter(file: string): DataSource {
  return createSqliteSource({
    database: file,
    enableWAL: true,
    prepareDatabase: (connection: Database.Database) => {
      connection.pragma("synchronous = NORMAL");
    },
  });
}

/** A separate connection, which sees only committed rows, however long a unit of work takes. */
export function createSqliteReader(file: string): DataSource {
  return createSqliteSource({ database: file, readonly: true, timeout: 5000 });
}

function createSqliteSource(options: {
  database: string;
  enableWAL?: boolean;
  readonly?: boolean;
  timeout?: number;
  prepareDatabase?: (connection: Database.Database) => void;
}): DataSource {
  const dataSource = new DataSource({
    type: "better-sqlite3",
    timeout: busyTimeoutMs,
    ...shared,
    ...options,
  });
  // SQLite goes by parts of a type's name, such as TEXT and BLOB; TypeORM's list is shorter.
  dataSource.driver.supportedDataTypes.push("longtext", "longblob");
  return dataSource;
}

export function createMysqlSource(
  url: string,
  type: "mysql" | "mariadb",
): DataSource {
  return new DataSource({
    ...shared,
    type,
    url,
    timezone: "Z",
    charset: "utf8mb4",
    supportBigNumbers: true,
    bigNumberStrings: false,
    poolSize: 10,
  });
}
