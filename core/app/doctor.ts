import type { Config } from "../../config/index.js";
import type { Finding } from "../cli/finding.js";
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

/** What the checks are told. */
export interface Patient {
  config: Config;
  log: Log;
}

/** @returns findings in the order in which a reader should mend them. */
export async function examineInstallation(config: Config): Promise<Finding[]> {
  const patient = {
    config,
    log: createLog({ level: "silent", format: "json" }),
  };
  const before = [
    ...checkConfiguration(config),
    ...(await guarded("data folder", () => checkDataFolder(patient))),
    ...(await guarded("secret", () => checkSecret(patient))),
  ];
  const database = await guarded("database", () => checkDatabase(patient));
  const isUsable = database.every(
    ({ check, state }) => check !== "database" || state === "ok",
  );
  return [
    ...before,
    ...database,
    ...(isUsable
      ? await guarded("database", () => onStore(patient, checkRows))
      : []),
    ...(await guarded("file store", () => checkFileStore(patient))),
    ...(await guarded("browser", () => checkBrowser(patient))),
    ...(await guarded("plugins", () => checkPlugins(patient))),
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
    return [{ check, state: "fail", message, mend: null }];
  }
}

async function onStore(
  patient: Patient,
  look: (patient: Patient, store: Store) => Promise<Finding[]>,
): Promise<Finding[]> {
  const { config, log } = patient;
  const { database } = config;
  const store = await openStore({ database, migrate: false, log });
  try {
    return await look(patient, store);
  } finally {
    await store.close();
  }
}
