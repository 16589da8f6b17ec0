import { type Connection, newId } from "../../storage/database/index.js";
import {
  type ConnectionInput,
  parseName,
  parsePlugin,
} from "./connection-input.js";

/** What is known of one that was never tested. */
export const untested = {
  state: "untested",
  lastError: null,
  lastCheckedAt: null,
} as const satisfies Partial<Connection>;

/** Its row, still without credentials. @throws PlatenError `invalid_request` for a wrong name, or a place that is none. */
export function newConnection(
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
