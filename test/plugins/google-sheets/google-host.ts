import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { GoogleCredentials } from "../../../plugins/google-sheets/settings.js";
import { createGoogleSheetsPlugin } from "../../../plugins/google-sheets/plugin.js";

/** Calls the plugin as the service does, with these credentials and less patience. */
export function googleHost(
  credentials: GoogleCredentials,
): SuiteHost<GoogleCredentials> {
  return new SuiteHost(createGoogleSheetsPlugin(3000), credentials);
}
