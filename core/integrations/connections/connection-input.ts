import { PlatenError } from "../../plugin-api/index.js";
import type { SettingsCheck } from "../host/index.js";
import type { Connection } from "../../storage/database/index.js";

/** What an owner says of a new connection; names either a platform or a provider. */
export interface ConnectionInput {
  /** The id of a platform. */
  platform?: string | undefined;
  /** The id of an e-signature provider. */
  provider?: string | undefined;
  name: string;
  credentials: object;
}

/** What is left out stays. Credentials come whole: else a new address could be given the old secret. */
export interface ConnectionPatch {
  name?: string | undefined;
  credentials?: object | undefined;
}

const longestName = 255;
const mostCredentials = 64 * 1024;

/** To what it is to lead. @throws PlatenError `invalid_request` unless exactly one is named. */
export function parsePlugin({
  platform,
  provider,
}: ConnectionInput): Pick<Connection, "kind" | "plugin"> {
  if (platform !== undefined && provider === undefined)
    return { kind: "platform", plugin: platform };
  if (provider !== undefined && platform === undefined)
    return { kind: "esign", plugin: provider };
  throw new PlatenError(
    "invalid_request",
    "A connection leads to one place: name either a platform or an e-signature provider, as `platform` or as `provider`.",
  );
}

/** @throws PlatenError `invalid_request`. */
export function parseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= longestName) return trimmed;
  throw new PlatenError(
    "invalid_request",
    `A connection needs a name of 1 to ${longestName} characters.`,
  );
}

/** As they are kept. @throws PlatenError `invalid_request` with every problem, none of them with a value. */
export function parseCredentials(
  credentials: object,
  check: SettingsCheck,
): string {
  const problems = check.problemsOf(credentials, "$.credentials");
  if (problems.length > 0)
    throw new PlatenError(
      "invalid_request",
      "The credentials are not what the plugin takes.",
      { problems },
    );
  const text = JSON.stringify(credentials);
  if (text.length <= mostCredentials) return text;
  throw new PlatenError(
    "invalid_request",
    `$.credentials: have more than ${mostCredentials} characters.`,
  );
}
