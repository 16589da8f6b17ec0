import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import {
  type DatabaseLocation,
  openStore,
  findSchemaDrift,
} from "../core/storage/database/index.js";

// Migrates an empty database and asks TypeORM what it would still change: nothing, or an entity was changed without a
// migration. SQLite always; MySQL or MariaDB too when PLATEN_TEST_MYSQL_URL names a server.

const nothing = () => undefined;
const log = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => log,
};

async function check(database: DatabaseLocation): Promise<void> {
  const store = await openStore({ database, migrate: true, log });
  const drift = await findSchemaDrift(store);
  await store.close();
  if (drift.length === 0) {
    console.log(`schema: ${store.dialect} agrees with the entities`);
    return;
  }
  console.error(`schema: ${store.dialect} differs; a migration is missing for`);
  for (const statement of drift) console.error(`  ${statement}`);
  process.exitCode = 1;
}

async function checkServer(server: string): Promise<void> {
  const name = `platen_drift_${randomBytes(6).toString("hex")}`;
  const connection = await createConnection(server);
  try {
    await connection.query(`CREATE DATABASE ${name}`);
    await check({ kind: "mysql", url: new URL(`/${name}`, server).href });
  } finally {
    await connection.query(`DROP DATABASE IF EXISTS ${name}`);
    await connection.end();
  }
}

const folder = await mkdtemp(join(tmpdir(), "platen-drift-"));
await check({ kind: "sqlite", file: join(folder, "drift.sqlite") });
await rm(folder, { recursive: true });
const server = process.env.PLATEN_TEST_MYSQL_URL;
if (server) await checkServer(server);
