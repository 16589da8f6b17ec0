import type { Actor, Caller } from "../accounts/index.js";

/** The caller of a request, for the audit trail. Who has no key is signed in. */
export function actorOf({ userId, keyId }: Caller): Actor {
  return { origin: keyId === null ? "studio" : "rest", userId, keyId };
}
