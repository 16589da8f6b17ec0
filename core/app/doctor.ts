import type { Config } from "../../config/index.js";
import type { Finding } from "../cli/services.js";
import { errorText, type Log } from "../plugin-api/index.js";
import { checkBrowser } from "./doctor-browser.js";
import { checkConfiguration } from "./doctor-configuration.js";
import { checkDataFolder } from "./doctor-data-folder.js";
import { checkDatabase } from "./doctor-database.js";
import { checkFileStore } from "./doctor-file-store.js";
import { checkPlugins } from "./doctor-plugins.js";
import { checkRows } from "./doctor-rows.js";
import { checkSecret } from "./doctor-secret.js";
import { createLog } from "../lib/log.js";
import { openStore, type Store } from "../storage/database/index.js";

// Looks at every part that the service leans on, as the service would use it, and changes nothing that stays. Each part
// is looked at whatever is the matter with the others.

/** What the checks look at. */
export interface DoctorContext {
  config: Config;
  log: Log;
}

/** @returns findings in the order in which they should be fixed. */
export async function examineInstallation(config: Config): Promise<Finding[]> {
  const context = {
    config,
    log: createLog({ level: "silent", format: "json" }),
  };
  const before = [
    ...checkConfiguration(config),
    ...(await guarded("data folder", () => checkDataFolder(context))),
    ...(await guarded("secret", () => checkSecret(context))),
  ];
  const database = await guarded("database", () => checkDatabase(context));
  const isUsable = database.every(
    ({ check, state }) => check !== "database" || state === "ok",
  );
  return [
    ...before,
    ...database,
    ...(isUsable
      ? await guarded("database", () => onStore(context, checkRows))
      : []),
    ...(await guarded("file store", () => checkFileStore(context))),
    ...(await guarded("browser", () => checkBrowser(context))),
    ...(await guarded("plugins", () => checkPlugins(context))),
  ];
}

/** A check that cannot be made is a finding too. */
async function guarded(
  check: string,
  look: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    const message = errorText(error);
    return [{ check, state: "fail", message, fix: null }];
  }
}

async function onStore(
  context: DoctorContext,
  look: (context: DoctorContext, store: Store) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { config, log } = context;
  const { database } = config;
  const store = await openStore({ database, migrate: false, log });
  try {
    return await look(context, store);
  } finally {
    await store.close();
  }
}
