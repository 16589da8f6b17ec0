import { PlatenError } from "../../plugin-api/index.js";
import { type Connection, newId } from "../../storage/database/index.js";

/** A new connection, either to a platform or to an e-signature provider. */
export interface ConnectionInput {
  /** The id of a platform. */
  platform?: string | undefined;
  /** The id of an e-signature provider. */
  provider?: string | undefined;
  name: string;
  credentials: object;
}

/**
 * Omitted fields stay as they are. Credentials are complete: with a partial update, an old secret could be sent to a new
 * address.
 */
export interface ConnectionPatch {
  name?: string | undefined;
  credentials?: object | undefined;
}

const maxNameLength = 255;

/** The state of a connection whose credentials were never tested. */
export const untested = {
  state: "untested",
  lastError: null,
  lastCheckedAt: null,
} as const satisfies Partial<Connection>;

/** A new row, still without credentials. @throws PlatenError `invalid_request`. */
export function createConnectionRow(
  { organizationId, userId }: { organizationId: string; userId: string },
  input: ConnectionInput,
): Connection {
  const now = new Date();
  return {
    id: newId(),
    organizationId,
    ...parsePlugin(input),
    name: parseName(input.name),
    credentials: "",
    secretKeyId: "",
    settings: null,
    ...untested,
    createdById: userId,
    createdAt: now,
    updatedAt: now,
  };
}

function parsePlugin({
  platform,
  provider,
}: ConnectionInput): Pick<Connection, "kind" | "plugin"> {
  if (platform !== undefined && provider === undefined)
    return { kind: "platform", plugin: platform };
  if (provider !== undefined && platform === undefined)
    return { kind: "esign", plugin: provider };
  throw new PlatenError(
    "invalid_request",
    "Set either `platform`, to connect to a platform, or `provider`, to connect to an e-signature provider, but not both.",
  );
}

/** @throws PlatenError `invalid_request`. */
export function parseName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= maxNameLength) return trimmed;
  throw new PlatenError(
    "invalid_request",
    `$.name: must have 1 to ${maxNameLength} characters.`,
  );
}
