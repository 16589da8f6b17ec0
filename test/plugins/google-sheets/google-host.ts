import { cellLocks } from "../../../plugins/contract-suite/cell-lock.js";
import { SuiteHost } from "../../../plugins/contract-suite/suite-host.js";
import type { GoogleCredentials } from "../../../plugins/google-sheets/credentials.js";
import { GoogleSheets } from "../../../plugins/google-sheets/plugin.js";

/** Calls the plugin as the service does, with these credentials and less patience. */
export function googleHost(
  credentials: GoogleCredentials,
): SuiteHost<GoogleCredentials> {
  return new SuiteHost(new GoogleSheets(3000), credentials, cellLocks());
}
