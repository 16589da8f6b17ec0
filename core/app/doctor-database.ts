import { stat } from "node:fs/promises";
import type { Finding } from "../cli/services.js";
import type { DoctorContext } from "./doctor.js";
import {
  databaseNow,
  migrationState,
  openStore,
  serverVersion,
  type Store,
} from "../storage/database/index.js";

const check = "database";
/** Signatures of webhooks are refused after five minutes. */
const worstSkewMs = 60_000;
const skewMs = 2000;

/** Whether it can be reached, is new enough, has the tables of this version, and the same time as this machine. */
export async function checkDatabase({
  config: { database },
  log,
}: DoctorContext): Promise<Finding[]> {
  if (database.kind === "sqlite" && !(await isThere(database.file)))
    return [
      {
        check,
        state: "warn",
        message: `${database.file} does not exist yet.`,
        fix: "The first start creates it. If you expected one, check PLATEN_DATA and PLATEN_DATABASE_URL.",
      },
    ];
  const store = await openStore({ database, migrate: false, log });
  try {
    return [
      await versionFinding(store),
      await migrationFinding(store),
      await clockFinding(store),
    ];
  } finally {
    await store.close();
  }
}

async function versionFinding(store: Store): Promise<Finding> {
  const { name, version, isNewEnough } = await serverVersion(store);
  const message = `${name} ${version}`;
  if (isNewEnough) return { check, state: "ok", message, fix: null };
  const fix = "Upgrade to MySQL 8.0, MariaDB 10.6 or newer.";
  return { check, state: "fail", message: `${message} is too old.`, fix };
}

async function migrationFinding({ dataSource }: Store): Promise<Finding> {
  const { done, pending, newer } = await migrationState(dataSource);
  if (newer.length > 0)
    return {
      check,
      state: "fail",
      message: `A newer version of Platen has migrated it (${newer.join(", ")}).`,
      fix: "Run that version, or restore a backup from before the upgrade.",
    };
  if (pending.length > 0)
    return {
      check,
      state: "warn",
      message: `Migrations are pending (${pending.join(", ")}).`,
      fix: "Make a backup. The next start runs them.",
    };
  const message = `up to date (${done} migrations)`;
  return { check, state: "ok", message, fix: null };
}

async function clockFinding({ read }: Store): Promise<Finding> {
  const before = Date.now();
  const theirs = (await databaseNow(read)).getTime();
  // The database looked at its clock somewhere between these two.
  const ours = (before + Date.now()) / 2;
  const off = Math.round(Math.abs(theirs - ours));
  const state = off > worstSkewMs ? "fail" : off > skewMs ? "warn" : "ok";
  return {
    check: "clock",
    state,
    message: `${off} ms apart from the database's`,
    fix:
      state === "ok"
        ? null
        : "Synchronize the clocks of both machines with NTP.",
  };
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}
