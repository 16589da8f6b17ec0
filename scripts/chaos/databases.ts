import { execFile } from "node:child_process";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { createConnection } from "mysql2/promise";
import type { DatabaseLocation } from "../../core/storage/database/index.js";
import { retryWhileBusy } from "../../core/storage/database/transactions.js";

/** The database of a run, which can be taken away for a while. */
export interface ChaosDatabase {
  location: DatabaseLocation;
  /** For PLATEN_DATABASE_URL. */
  url: string;
  outage(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

/** A file that another program locks at times, as a backup might. */
export function sqliteDatabase(folder: string): ChaosDatabase {
  const file = join(folder, "chaos.sqlite");
  return {
    location: { kind: "sqlite", file },
    url: `sqlite:${file}`,
    outage: async (milliseconds) => {
      const lock = new Database(file, { timeout: 50 });
      // A process that another fault has stopped may hold the lock until a timer of this process lets it go on.
      await retryWhileBusy(async () => lock.exec("BEGIN IMMEDIATE"));
      await pause(milliseconds);
      lock.exec("ROLLBACK");
      lock.close();
    },
    close: () => Promise.resolve(),
  };
}

const run = promisify(execFile);
const script = fileURLToPath(new URL("../mariadb.sh", import.meta.url));

/** A server of its own, which is killed and started again at times. */
export async function mariadbDatabase(folder: string): Promise<ChaosDatabase> {
  const home = join(folder, "mariadb");
  await mkdir(home);
  // The server runs as another user, who has to pass through.
  await chmod(folder, 0o755);
  const start = async () => (await run(script, ["start", home])).stdout.trim();
  const server = await start();
  const connection = await createConnection(server);
  await connection.query("CREATE DATABASE platen_chaos");
  await connection.end();
  const url = new URL("/platen_chaos", server).href;
  return {
    location: { kind: "mysql", url },
    url,
    outage: async (milliseconds) => {
      process.kill(
        Number(await readFile(join(home, "pid"), "utf8")),
        "SIGKILL",
      );
      await pause(milliseconds);
      await start();
    },
    close: async () => void (await run(script, ["stop", home])),
  };
}
