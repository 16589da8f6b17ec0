import { stat } from "node:fs/promises";
import type { Finding } from "../cli/finding.js";
import type { Patient } from "./doctor.js";
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
}: Patient): Promise<Finding[]> {
  if (database.kind === "sqlite" && !(await isThere(database.file)))
    return [
      {
        check,
        state: "warn",
        message: `${database.file} is not there yet.`,
        mend: "The first start makes it. If there was one, look at PLATEN_DATA and PLATEN_DATABASE_URL.",
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
  if (isNewEnough) return { check, state: "ok", message, mend: null };
  const mend = "MySQL 8.0, MariaDB 10.6 or newer is needed.";
  return { check, state: "fail", message: `${message} is too old.`, mend };
}

async function migrationFinding({ dataSource }: Store): Promise<Finding> {
  const { done, pending, newer } = await migrationState(dataSource);
  if (newer.length > 0)
    return {
      check,
      state: "fail",
      message: `A newer version of Platen has changed it (${newer.join(", ")}).`,
      mend: "Start that version, or restore a backup of the time before.",
    };
  if (pending.length > 0)
    return {
      check,
      state: "warn",
      message: `It is older than this version (${pending.join(", ")}).`,
      mend: "The next start brings it up to date. Make a backup before.",
    };
  const message = `up to date (${done} migrations)`;
  return { check, state: "ok", message, mend: null };
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
    message: `${off} ms beside the database's`,
    mend: state === "ok" ? null : "Set the clocks of both machines by NTP.",
  };
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}
