import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";

const SCRIPT = fileURLToPath(new URL("../scripts/mariadb.sh", import.meta.url));

/** A server on which benches make databases of their own. */
export interface MariaDb {
  /** @returns the URL of a new, empty database. */
  newDatabase(): Promise<string>;
  /** Drops what was made, and ends the server if it was started for this. */
  end(): Promise<void>;
}

/** The server that PLATEN_TEST_MYSQL_URL names, or a private one; null where none is installed. */
export async function startMariaDb(): Promise<MariaDb | null> {
  const named = process.env.PLATEN_TEST_MYSQL_URL;
  if (named) return databasesOn(named, async () => undefined);
  if (!isInstalled()) return null;
  const folder = await mkdtemp(join(tmpdir(), "platen-bench-mariadb-"));
  const run = (command: string) =>
    promisify(execFile)(SCRIPT, [command, join(folder, "server")]);
  await promisify(execFile)("chmod", ["755", folder]);
  const { stdout } = await run("start");
  return databasesOn(stdout.trim(), async () => {
    await run("stop");
    await rm(folder, { recursive: true, force: true });
  });
}

function isInstalled(): boolean {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [...folders, "/usr/sbin"].some((folder) =>
    existsSync(join(folder, "mariadbd")),
  );
}

function databasesOn(server: string, end: () => Promise<void>): MariaDb {
  const made: string[] = [];
  const execute = async (sql: string) => {
    const connection = await createConnection(server);
    await connection.query(sql);
    await connection.end();
  };
  return {
    newDatabase: async () => {
      const name = `platen_bench_${process.pid}_${made.length}`;
      await execute(`CREATE DATABASE ${name}`);
      made.push(name);
      return new URL(`/${name}`, server).href;
    },
    end: async () => {
      for (const name of made) await execute(`DROP DATABASE ${name}`);
      await end();
    },
  };
}
