import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { after, before, describe } from "mocha";
import { createConnection } from "mysql2/promise";
import {
  type DatabaseLocation,
  openStore,
  type Store,
} from "../../core/storage/database/index.js";
import { laySchema } from "./migrated-schema.js";
import { silentLog } from "./store-log.js";
import { suiteFolder } from "./store-folder.js";

/** Opens the suite's database, migrated; each call is one more store on it. All are closed at the suite's end. */
export type OpenDatabase = () => Promise<Store>;

/**
 * Runs a suite on SQLite, and on MySQL or MariaDB too when PLATEN_TEST_MYSQL_URL names a server. The database is
 * fresh, and dropped at the end; `location` says where it is.
 */
export function eachDatabase(
  suite: (open: OpenDatabase, location: DatabaseLocation) => void,
): void {
  onSqlite(suite);
  const server = process.env.PLATEN_TEST_MYSQL_URL;
  if (!server) return;
  describe("on MySQL or MariaDB", () => {
    runSuite(suite, { kind: "mysql", url: freshDatabase(server) });
  });
}

/** The same on SQLite alone. */
export function onSqlite(
  suite: (open: OpenDatabase, location: DatabaseLocation) => void,
): void {
  describe("on SQLite", () => {
    const file = join(suiteFolder(), "test.sqlite");
    runSuite(suite, { kind: "sqlite", file });
  });
}

function runSuite(
  suite: (open: OpenDatabase, location: DatabaseLocation) => void,
  database: DatabaseLocation,
): void {
  const stores: Store[] = [];
  let laid: Promise<void> | undefined;
  suite(async () => {
    if (database.kind === "mysql") await (laid ??= laySchema(database.url));
    const store = await openStore({ database, migrate: true, log: silentLog });
    stores.push(store);
    return store;
  }, database);
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
  });
}

/** Creates a database of a random name before the suite, drops it after, and says its URL. */
function freshDatabase(server: string): string {
  const name = `platen_test_${randomBytes(6).toString("hex")}`;
  const execute = async (sql: string) => {
    const connection = await createConnection(server);
    await connection.query(sql);
    await connection.end();
  };
  before(() => execute(`CREATE DATABASE ${name}`));
  after(() => execute(`DROP DATABASE IF EXISTS ${name}`));
  return new URL(`/${name}`, server).href;
}
