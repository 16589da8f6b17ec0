import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { AirtableCredentials } from "../../../plugins/airtable/client.js";
import { airtablePlugin } from "../../../plugins/airtable/plugin.js";

/** Calls the plugin as the service does, with these credentials. */
export function airtableHost(
  credentials: AirtableCredentials,
): SuiteHost<AirtableCredentials> {
  return new SuiteHost(airtablePlugin, credentials);
}
