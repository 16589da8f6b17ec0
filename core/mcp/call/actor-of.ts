import type { Actor, Caller } from "../../accounts/index.js";

/** The caller of a tool, for the audit trail. */
export function actorOf({ userId, keyId }: Caller): Actor {
  return { origin: "mcp", userId, keyId };
}
