import { PlatenError } from "../contract/index.js";
import type { SettingsCheck } from "../host/index.js";

/** What an owner says of a new connection. */
export interface ConnectionInput {
  /** The id of its platform. */
  platform: string;
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
      "The credentials are not what the platform takes.",
      { problems },
    );
  const text = JSON.stringify(credentials);
  if (text.length <= mostCredentials) return text;
  throw new PlatenError(
    "invalid_request",
    `$.credentials: have more than ${mostCredentials} characters.`,
  );
}
