import { PlatenError } from "../plugin-api/index.js";
import type { Plan } from "../storage/database/index.js";
import type { Scope } from "./scopes.js";

/** Who asks: whose key it is, and what it may do. */
export interface Caller {
  organizationId: string;
  plan: Plan;
  /** In whose name the key acts: `createdBy` of what is made with it. */
  userId: string;
  /** null: a person who is signed in, and has no key. */
  keyId: string | null;
  scopes: readonly Scope[];
  /** The key's own limit, which counts instead of the plan's; null for none. */
  requestsPerMinute: number | null;
}

/** Whoever came with a key. */
export interface KeyHolder extends Caller {
  keyId: string;
}

/** @throws PlatenError `forbidden` that names the scope which the key, or the person's role, lacks. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  if (caller.keyId === null)
    throw new PlatenError(
      "forbidden",
      `Your role does not allow this; it would need the permission ${scope}. Ask an owner of the organization for another role.`,
    );
  const has = caller.scopes.join(", ") || "none";
  throw new PlatenError(
    "forbidden",
    `This needs a key with the scope ${scope}; this key's scopes are: ${has}.`,
  );
}
