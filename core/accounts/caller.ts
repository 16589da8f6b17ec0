import { LRUCache } from "lru-cache";
import { PlatenError, findNearestWord } from "../plugin-api/index.js";
import type { Plan } from "../storage/database/index.js";

/** The authenticated caller of a request and its permissions. */
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

/** A caller with an API key. */
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

/** Every permission that a key can hold; later parts add theirs here and nowhere else. */
export const SCOPES = [
  "templates:read",
  "templates:write",
  "documents:read",
  "documents:write",
  "webhooks:read",
  "webhooks:write",
  "connections:read",
  "connections:write",
  "account:read",
] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word);
}

/** Validates scope names; `all` alone means every scope. @throws PlatenError `invalid_request` that names each invalid scope. */
export function parseScopes(words: readonly string[]): Scope[] {
  if (words.length === 1 && words[0] === "all") return [...SCOPES];
  const wrong = words.filter((word) => !isScope(word));
  if (wrong.length > 0)
    throw new PlatenError(
      "invalid_request",
      wrong.map(unknownScope).join(" ") +
        ` Valid scopes: ${SCOPES.join(", ")}.`,
    );
  const scopes = SCOPES.filter((scope) => words.includes(scope));
  if (scopes.length > 0) return scopes;
  throw new PlatenError(
    "invalid_request",
    `A key needs at least one scope. Valid scopes: ${SCOPES.join(", ")}.`,
  );
}

function unknownScope(word: string): string {
  const near = findNearestWord(word, SCOPES);
  const hint =
    near === undefined
      ? `valid scopes are ${SCOPES.join(", ")}.`
      : `did you mean ${near}?`;
  return `"${word}" is not a valid scope; ${hint}`;
}

export interface CachedCaller extends Caller {
  keyId: string;
  /** When the key ends; null for never. */
  expiresAt: Date | null;
}

const maxCachedCallers = 5000;
const cacheTtlMs = 2000;

/**
 * Spares the look-up of a key that was good a moment ago. A key revoked by this process is gone at once; one revoked
 * by another works on for two seconds at most.
 */
export class CallerCache {
  readonly #callers = new LRUCache<string, CachedCaller>({
    max: maxCachedCallers,
    ttl: cacheTtlMs,
  });
  #revocations = 0;

  get(hash: string): CachedCaller | undefined {
    return this.#callers.get(hash);
  }

  /** Looks a caller up and keeps it, unless a key was revoked meanwhile: it may have been this one. */
  async fill(
    hash: string,
    lookUp: () => Promise<CachedCaller>,
  ): Promise<CachedCaller> {
    const before = this.#revocations;
    const caller = await lookUp();
    if (before === this.#revocations) this.#callers.set(hash, caller);
    return caller;
  }

  /** To be called when a revocation is committed. */
  forget(hash: string): void {
    this.#revocations += 1;
    this.#callers.delete(hash);
  }
}
