import { randomBytes } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { createConnection } from "mysql2/promise";
import { Client } from "pg";
import type { SqlCredentials, Engine } from "../../../plugins/sql/database.js";
import { suiteFolder } from "../../support/store-folder.js";

/** A shop in a fresh database. */
export interface Shop {
  /** `tcp://host:port`, for a proxy; null for a file. */
  address: string | null;
  /** Credentials of its owner, or of the same behind a proxy. */
  credentials(address?: string): SqlCredentials;
  execute(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Runs a suite on SQLite, and on the servers that PLATEN_TEST_MYSQL_URL and PLATEN_TEST_POSTGRES_URL name. */
export function eachEngine(suite: (open: () => Promise<Shop>) => void): void {
  const { PLATEN_TEST_POSTGRES_URL } = process.env;
  describe("on SQLite", () => {
    const folder = suiteFolder();
    suite(() => openSqlite(folder));
  });
  onMysql((_url, open) => suite(open));
  if (PLATEN_TEST_POSTGRES_URL)
    describe("on PostgreSQL", () => {
      suite(() => openPostgres(PLATEN_TEST_POSTGRES_URL));
    });
}

/** Runs a suite on MySQL or MariaDB, if there is a server for the tests. */
export function onMysql(
  suite: (url: string, open: () => Promise<Shop>) => void,
): void {
  const { PLATEN_TEST_MYSQL_URL } = process.env;
  if (PLATEN_TEST_MYSQL_URL)
    describe("on MySQL or MariaDB", () => {
      suite(PLATEN_TEST_MYSQL_URL, () => openMysql(PLATEN_TEST_MYSQL_URL));
    });
}

/** Opens a shop for the suite that calls this, by its first test. */
export function shopFor(open: () => Promise<Shop>): () => Promise<Shop> {
  let shop: Promise<Shop> | undefined;
  after(async () => (await shop)?.close());
  return () => (shop ??= open());
}

const common = { writable: true, linkColumns: ["invoice.papers"] };

function freshName(): string {
  return `platen_shop_${randomBytes(6).toString("hex")}`;
}

export async function openSqlite(folder: string): Promise<Shop> {
  const file = join(folder, `${freshName()}.sqlite`);
  const database = new Database(file);
  database.exec(["BEGIN", ...shopSql("sqlite"), "COMMIT"].join(";\n"));
  return Promise.resolve({
    address: null,
    credentials: () => ({ engine: "sqlite", file, ...common }),
    execute: async (sql) => {
      await Promise.resolve(database.exec(sql));
    },
    close: async () => {
      await Promise.resolve(database.close());
    },
  });
}

/** Where a server is, and with what user. */
function settingsFrom(url: string, address?: string) {
  const { hostname, port, username, password } = new URL(url);
  const proxy = address === undefined ? null : new URL(address);
  return {
    host: proxy?.hostname ?? hostname,
    port: Number(proxy?.port ?? port),
    user: username,
    password: decodeURIComponent(password),
    tls: false,
    ...common,
  };
}

async function openMysql(server: string): Promise<Shop> {
  const database = freshName();
  const connection = await createConnection(server);
  const execute = async (sql: string) => {
    await connection.query(sql);
  };
  await execute(`CREATE DATABASE ${database}`);
  await execute(`USE ${database}`);
  for (const sql of shopSql("mysql")) await execute(sql);
  return {
    address: `tcp://${new URL(server).host}`,
    credentials: (address) => ({
      engine: "mysql",
      database,
      ...settingsFrom(server, address),
    }),
    execute,
    close: async () => {
      await execute(`DROP DATABASE ${database}`);
      await connection.end();
    },
  };
}

async function openPostgres(server: string): Promise<Shop> {
  const schema = freshName();
  const client = new Client({ connectionString: `${server}postgres` });
  await client.connect();
  const execute = async (sql: string) => {
    await client.query(sql);
  };
  await execute(`CREATE SCHEMA ${schema}`);
  await execute(`SET search_path TO ${schema}`);
  for (const sql of shopSql("postgres")) await execute(sql);
  return {
    address: `tcp://${new URL(server).host}`,
    credentials: (address) => ({
      engine: "postgres",
      database: "postgres",
      schema,
      ...settingsFrom(server, address),
    }),
    execute,
    close: async () => {
      await execute(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** Of rows: invoices with none, 30 and 210 lines; a customer; a table without a usable key. */
const lineCounts = [0, 30, 210] as const;

const types: Readonly<Record<Engine, { blob: string; time: string }>> = {
  postgres: { blob: "bytea", time: "timestamptz" },
  mysql: { blob: "mediumblob", time: "datetime" },
  sqlite: { blob: "blob", time: "datetime" },
};

/** The statements that make a small shop. The names hold what only careful quoting survives. */
function shopSql(engine: Engine): string[] {
  const q = (name: string) =>
    engine === "mysql" ? `\`${name}\`` : `"${name}"`;
  const { blob, time } = types[engine];
  const lines = lineCounts.flatMap((count, invoice) =>
    Array.from({ length: count }, () => invoice + 1),
  );
  return [
    "CREATE TABLE customer (id varchar(36) PRIMARY KEY, name varchar(80) NOT NULL)",
    `CREATE TABLE invoice (id integer PRIMARY KEY, ${q("no. of order; --")} varchar(80), total decimal(12, 2),
      paid boolean, due date, made ${time}, customer_id varchar(36) REFERENCES customer (id), scan ${blob}, papers text
      ${engine === "mysql" ? ", FOREIGN KEY (customer_id) REFERENCES customer (id)" : ""})`,
    `CREATE TABLE line (id integer PRIMARY KEY, invoice_id integer REFERENCES invoice (id), what varchar(80)
      ${engine === "mysql" ? ", FOREIGN KEY (invoice_id) REFERENCES invoice (id)" : ""})`,
    "CREATE TABLE pair (a integer, b integer, PRIMARY KEY (a, b))",
    "INSERT INTO customer VALUES ('c-1', 'Ada')",
    ...lineCounts.map(
      (_count, at) =>
        `INSERT INTO invoice (id, total, paid, due, made, customer_id, ${q("no. of order; --")}) VALUES
         (${at + 1}, 1234.50, true, '2026-01-02', '2026-01-02 10:00:00', ${at === 1 ? "'c-1'" : "NULL"}, 'R-${at}')`,
    ),
    ...lines.map(
      (invoice, at) =>
        `INSERT INTO line VALUES (${at + 1}, ${invoice}, 'line ${at + 1}')`,
    ),
  ];
}

/** The ids of each invoice's lines. */
export function getLines(): Record<string, string[]> {
  let next = 1;
  return Object.fromEntries(
    lineCounts.map((count, at) => [
      String(at + 1),
      Array.from({ length: count }, () => String(next++)),
    ]),
  );
}
