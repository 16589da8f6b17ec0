import { randomBytes } from "node:crypto";
import {
  type Connection,
  createConnection,
  type RowDataPacket,
} from "mysql2/promise";
import { openStore } from "../../core/storage/database/index.js";
import { silentLog } from "./store-log.js";

/** What makes all tables, in any order, and the lines of those that have some. */
interface Schema {
  tables: string[];
  migrations: unknown[][];
}

let known: Promise<Schema> | undefined;

/**
 * Makes all tables in a database of MySQL or MariaDB that has none, as the migrations leave them: each at once, which
 * takes a quarter of the time. The tests of migrations begin without it.
 */
export async function laySchema(url: string): Promise<void> {
  known ??= schemaOf(url);
  const { tables, migrations } = await known;
  await connected(url, async (connection) => {
    if ((await rowsOf(connection, "SHOW TABLES")).length > 0) return;
    await connection.query("SET foreign_key_checks = 0");
    for (const table of tables) await connection.query(table);
    await connection.query("INSERT INTO migration VALUES ?", [migrations]);
  });
}

/** Read from a database that the migrations have made. */
async function schemaOf(server: string): Promise<Schema> {
  const name = `platen_test_${randomBytes(6).toString("hex")}`;
  const { href: url } = new URL(`/${name}`, server);
  return connected(new URL("/", server).href, async (connection) => {
    await connection.query(`CREATE DATABASE ${name}`);
    const database = { kind: "mysql", url } as const;
    const store = await openStore({ database, migrate: true, log: silentLog });
    await store.close();
    await connection.query(`USE ${name}`);
    const tables: string[] = [];
    for (const [table] of await rowsOf(connection, "SHOW TABLES")) {
      const [made] = await rowsOf(
        connection,
        `SHOW CREATE TABLE ${String(table)}`,
      );
      tables.push(String(made?.[1]));
    }
    const migrations = await rowsOf(connection, "SELECT * FROM migration");
    await connection.query(`DROP DATABASE ${name}`);
    return { tables, migrations };
  });
}

async function rowsOf(
  connection: Connection,
  sql: string,
): Promise<unknown[][]> {
  const query = { sql, rowsAsArray: true };
  const [rows] = await connection.query<RowDataPacket[][]>(query);
  return rows;
}

async function connected<T>(
  url: string,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await createConnection(url);
  try {
    return await act(connection);
  } finally {
    await connection.end();
  }
}
