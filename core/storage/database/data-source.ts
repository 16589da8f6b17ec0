import type Database from "better-sqlite3";
import { DataSource } from "typeorm";
import { SnakeCaseNaming } from "./naming.js";
import * as entities from "./entities/index.js";

const shared = {
  entities: Object.values(entities).filter(
    (entity) => typeof entity === "function",
  ),
  namingStrategy: new SnakeCaseNaming(),
  migrationsTableName: "migration",
  logging: false as const,
};

/** SQLite waits inside a call and would block all requests: so only shortly, and the unit of work tries again. */
const busyTimeoutMs = 25;

export function sqliteWriter(file: string): DataSource {
  return sqlite({
    database: file,
    enableWAL: true,
    prepareDatabase: (connection: Database.Database) => {
      connection.pragma("synchronous = NORMAL");
    },
  });
}

/** A connection of its own, which sees committed rows only, however long a unit of work takes. */
export function sqliteReader(file: string): DataSource {
  return sqlite({ database: file, readonly: true, timeout: 5000 });
}

function sqlite(options: {
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
  // SQLite takes any type whose name contains TEXT for text; TypeORM's list is shorter.
  dataSource.driver.supportedDataTypes.push("longtext");
  return dataSource;
}

export function mysqlSource(
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
