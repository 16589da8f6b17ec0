import { randomBytes } from "node:crypto";
import type { RowDataPacket } from "mysql2/promise";

const isTestWorker = process.env.MOCHA_WORKER_ID !== undefined;
/** Names begin with the process of the whole run, which drops the databases of its workers. */
const prefix = `platen_test_${isTestWorker ? process.ppid : process.pid}_`;

/** Creates a database before the suite, drops it after. @returns its URL */
export function useNewDatabase(server: string): string {
  const name = `${prefix}${randomBytes(6).toString("hex")}`;
  before(() => execute(server, `CREATE DATABASE ${name}`));
  after(() => execute(server, `DROP DATABASE IF EXISTS ${name}`));
  return new URL(`/${name}`, server).href;
}

let created: Promise<void> | undefined;

/**
 * Empties the one database of this process before the suite: creating tables takes seconds.
 * @param migrate creates the tables
 * @returns its URL
 */
export function useEmptyDatabase(
  server: string,
  migrate: (url: string) => Promise<void>,
): string {
  const name = `${prefix}${process.pid}`;
  const { href: url } = new URL(`/${name}`, server);
  const create = async () => {
    const left = `DROP DATABASE IF EXISTS ${name}`;
    await execute(server, left, `CREATE DATABASE ${name}`);
    await migrate(url);
  };
  before(async () => {
    await (created ??= create());
    await deleteAllRows(url);
  });
  return url;
}

async function deleteAllRows(url: string): Promise<void> {
  const tables = await execute(url, "SHOW TABLES");
  const deletions = tables
    .map(([name]) => String(name))
    .filter((name) => name !== "migration")
    .map((name) => `DELETE FROM ${name}`);
  await execute(url, "SET foreign_key_checks = 0", ...deletions);
}

/** Drops all databases of this run. */
export async function dropDatabases(): Promise<void> {
  const server = process.env.PLATEN_TEST_MYSQL_URL;
  if (!server) return;
  const names = `${prefix.replaceAll("_", "\\_")}%`;
  const left = await execute(server, `SHOW DATABASES LIKE '${names}'`);
  const drops = left.map(([name]) => `DROP DATABASE ${String(name)}`);
  await execute(server, ...drops);
}

/** @returns the rows of the last statement */
async function execute(
  url: string,
  ...statements: string[]
): Promise<unknown[][]> {
  const { createConnection } = await import("mysql2/promise");
  const connection = await createConnection(url);
  try {
    let rows: unknown[][] = [];
    for (const sql of statements) {
      const query = { sql, rowsAsArray: true };
      const [result] = await connection.query<RowDataPacket[][]>(query);
      rows = result;
    }
    return rows;
  } finally {
    await connection.end();
  }
}
