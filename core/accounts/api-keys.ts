import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type EntityManager, In, IsNull, Brackets } from "typeorm";
import { z } from "zod";
import { clock } from "../lib/clock.js";
import { PlatenError, type Log, findNearestWord } from "../plugin-api/index.js";
import {
  ApiKey,
  findForUpdate,
  isId,
  Membership,
  newId,
  type Store,
  insertRow,
  type OauthGrant,
  Organization,
  type Plan,
  STORE,
} from "../storage/database/index.js";
import { Networks, parseNetworks } from "../lib/networks.js";
import { LOG } from "../lib/process-values.js";
import { Lifecycle, scoped, inject } from "../lib/injection.js";
import { type Actor, recordAudit } from "./audit.js";
import { parseInput, keyName, findOrganization } from "./organizations.js";

interface NewApiKey {
  scopes: readonly string[];
  name?: string | undefined;
  /** In whose name it acts; default: the organization's built-in user. */
  userId?: string | undefined;
  /** Default: never. */
  expiresAt?: Date | undefined;
  /** Counts instead of the plan's limit; default: that. */
  requestsPerMinute?: number | undefined;
  /** CIDR blocks from which it may be used; default: from everywhere. */
  networks?: readonly string[] | undefined;
}

/** The key is shown this once and not stored. */
interface CreatedApiKey extends ApiKeyView {
  key: string;
}

/**
 * Spares the look-up of a key that was good a moment ago. A key revoked by this process is gone at once; one revoked
 * by another works on for two seconds at most.
 */
@scoped(Lifecycle.ContainerScoped)
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

@scoped(Lifecycle.ContainerScoped)
export class ApiKeys {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(CallerCache) private readonly callers: CallerCache,
  ) {}

  /** Those of the keys that were revoked, have expired or were deleted: whatever was opened with them has to end. */
  async findEnded(
    keyIds: readonly string[],
    now = clock.date(),
  ): Promise<Set<string>> {
    const rows = await this.store.read.find(ApiKey, {
      where: { id: In([...keyIds]), revokedAt: IsNull() },
      select: { id: true, expiresAt: true },
    });
    const valid = new Set(
      rows
        .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
        .map(({ id }) => id),
    );
    return new Set(keyIds.filter((id) => !valid.has(id)));
  }

  /** @throws PlatenError `invalid_request` for scopes, name or expiry; `not_found` for organization or user. */
  async create(
    organizationId: string,
    input: NewApiKey,
    actor: Actor,
  ): Promise<CreatedApiKey> {
    return this.store.unitOfWork.run((tx) =>
      createApiKey(tx, organizationId, input, actor),
    );
  }

  /** Also revoked and expired ones; the oldest first. @throws PlatenError `not_found` for the organization. */
  async list(organizationId: string): Promise<ApiKeyView[]> {
    await findOrganization(this.store.read, organizationId);
    const rows = await this.store.read.find(ApiKey, {
      where: { organizationId },
      order: { createdAt: "ASC", id: "ASC" },
    });
    return rows.map(toApiKeyView);
  }

  /**
   * Ends a key for ever; one that is revoked already stays as it is.
   * @param organizationId limits it to this organization's keys; operators omit it.
   * @throws PlatenError `not_found`.
   */
  async revoke(
    id: string,
    actor: Actor,
    organizationId?: string,
  ): Promise<ApiKeyView> {
    const where = {
      id,
      ...(organizationId !== undefined && { organizationId }),
    };
    const key = await this.store.unitOfWork.run((tx) =>
      revokeApiKey(tx, where, actor),
    );
    this.callers.forget(key.hash);
    return toApiKeyView(key);
  }
}

export async function createApiKey(
  tx: EntityManager,
  organizationId: string,
  input: NewApiKey,
  actor: Actor,
): Promise<CreatedApiKey> {
  // 256 random bits need no slow hash: SHA-256 can be neither guessed nor undone.
  const key = `plk_${randomBytes(32).toString("base64url")}`;
  const { name, requestsPerMinute } = parseInput(newKeySchema, {
    name: input.name,
    requestsPerMinute: input.requestsPerMinute,
  });
  const networks = parseNetworks(input.networks ?? []);
  const settings = {
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(networks.length > 0 && { networks }),
  };
  const row: ApiKey = {
    id: newId(),
    organizationId,
    userId: await findOwnerId(tx, organizationId, input.userId),
    name,
    prefix: key.slice(0, "plk_".length + 8),
    hash: hashOf(key),
    scopes: parseScopes(input.scopes),
    settings: Object.keys(settings).length === 0 ? null : settings,
    createdAt: clock.date(),
    expiresAt: parseExpiry(input.expiresAt),
    revokedAt: null,
    lastUsedAt: null,
  };
  await insertRow(tx, ApiKey, row);
  const { id, prefix, scopes } = row;
  await recordAudit(tx, actor, {
    organizationId,
    action: "api_key.created",
    subject: id,
    details: { name, prefix, scopes, ...(networks.length > 0 && { networks }) },
  });
  return { ...toApiKeyView(row), key };
}

async function findOwnerId(
  tx: EntityManager,
  organizationId: string,
  userId: string | undefined,
): Promise<string> {
  const { serviceUserId } = await findOrganization(tx, organizationId);
  if (userId === undefined) return serviceUserId;
  if (await tx.existsBy(Membership, { organizationId, userId })) return userId;
  throw new PlatenError("not_found", `The organization has no user ${userId}.`);
}

function parseExpiry(expiresAt: Date | undefined): Date | null {
  if (expiresAt === undefined) return null;
  if (expiresAt.getTime() > clock.now()) return expiresAt;
  throw new PlatenError(
    "invalid_request",
    "A key cannot expire in the past: give a later time, such as 2030-12-31T00:00:00Z.",
  );
}

async function revokeApiKey(
  tx: EntityManager,
  where: { id: string; organizationId?: string },
  actor: Actor,
): Promise<ApiKey> {
  const { id } = where;
  const key = isId(id) ? await findForUpdate(tx, ApiKey, where) : null;
  if (key === null)
    throw new PlatenError("not_found", `There is no key ${id}.`);
  if (key.revokedAt !== null) return key;
  key.revokedAt = clock.date();
  await tx.update(ApiKey, { id }, { revokedAt: key.revokedAt });
  await recordAudit(tx, actor, {
    organizationId: key.organizationId,
    action: "api_key.revoked",
    subject: id,
    details: { name: key.name, prefix: key.prefix },
  });
  return key;
}

/** A key as administrators see it: never the key itself. Times are ISO 8601. */
export type ApiKeyView = ReturnType<typeof toApiKeyView>;

function toApiKeyView(row: ApiKey) {
  const { id, organizationId, userId, name, prefix, scopes } = row;
  return {
    id,
    organizationId,
    userId,
    name,
    /** The key's first characters. */
    prefix,
    scopes,
    /** null: as the plan says. */
    requestsPerMinute: getRequestsPerMinute(row),
    /** From which it may be used; null: from everywhere. */
    networks: getNetworks(row),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

const requestsPerMinuteSchema = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .max(1_000_000, "must be at most 1000000");

const newKeySchema = z.object({
  name: keyName,
  requestsPerMinute: requestsPerMinuteSchema.optional(),
});

const settingsSchema = z.object({
  requestsPerMinute: requestsPerMinuteSchema.optional(),
  networks: z.array(z.string()).optional(),
});

/** The networks to which this key is bound; null for none. Settings that cannot be read bind it to no network at all. */
function getNetworks({ settings }: Pick<ApiKey, "settings">): string[] | null {
  if (settings === null) return null;
  const { success, data } = settingsSchema.safeParse(settings);
  return success ? (data.networks ?? null) : [];
}

/** The limit of this key alone; null for none. */
function getRequestsPerMinute(key: Pick<ApiKey, "settings">): number | null {
  return settingsSchema.safeParse(key.settings).data?.requestsPerMinute ?? null;
}

export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Compares in a time that does not depend on where they differ. */
function isSameHash(hash: string, other: string): boolean {
  return (
    hash.length === other.length &&
    timingSafeEqual(Buffer.from(hash), Buffer.from(other))
  );
}

/** Tells the access tokens of OAuth from keys, by sight. */
export const ACCESS_TOKEN_PREFIX = "plo_";

@scoped(Lifecycle.ContainerScoped)
export class Authenticator {
  readonly #lastUse: LastUsedTracker;

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(CallerCache) private readonly callers: CallerCache,
    @inject(LOG) log: Log,
  ) {
    this.#lastUse = new LastUsedTracker(store, log);
  }

  /**
   * @param address the client's IP address; without one, a key that is bound to networks is refused.
   * @throws PlatenError `unauthorized` for a key that is missing, unknown, revoked or expired, saying which;
   * `wrong_network` for one that is bound to other networks.
   */
  async authenticate(
    key: string | undefined,
    address = "",
  ): Promise<KeyHolder> {
    if (!key)
      throw unauthorized(
        "No API key was sent. Send one in the header x-api-key.",
      );
    if (key.startsWith(ACCESS_TOKEN_PREFIX))
      throw unauthorized(
        "Access tokens of assistants are valid at /mcp alone, in the header Authorization. Send an API key.",
      );
    const hash = hashOf(key);
    const cachedCaller =
      this.callers.get(hash) ??
      (await this.callers.fill(hash, () => this.#lookUp(hash)));
    const { expiresAt, networks, ...caller } = cachedCaller;
    if (expiresAt !== null && expiresAt.getTime() <= clock.now())
      throw unauthorized(
        `This API key expired at ${expiresAt.toISOString()}. Ask for a new one.`,
      );
    if (networks && !networks.includes(address))
      throw new PlatenError(
        "wrong_network",
        `This API key may not be used from ${address || "an unknown address"}. Use it from one of its networks, or ask ` +
          "for a key for this one. If requests come through a proxy, its operator has to set PLATEN_TRUSTED_PROXIES.",
      );
    this.#lastUse.note(caller.keyId);
    return caller;
  }

  async #lookUp(hash: string): Promise<CachedCaller> {
    const key = await this.store.read.findOneBy(ApiKey, { hash });
    if (key === null || !isSameHash(key.hash, hash))
      throw unauthorized(
        "Unknown API key. Check that you sent the complete key.",
      );
    if (key.revokedAt !== null)
      throw unauthorized("This API key was revoked. Ask for a new one.");
    const { id, organizationId, userId, scopes, expiresAt } = key;
    const { plan } = await this.store.read.findOneByOrFail(Organization, {
      id: organizationId,
    });
    const networks = getNetworks(key);
    return {
      networks: networks && new Networks(networks),
      organizationId,
      plan,
      userId,
      keyId: id,
      scopes: scopes.filter(isScope),
      requestsPerMinute: getRequestsPerMinute(key),
      expiresAt,
    };
  }
}

function unauthorized(message: string): PlatenError {
  return new PlatenError("unauthorized", message);
}

const minuteMs = 60_000;

/** Notes when a key or grant was last used: once a minute at most, and without making its caller wait. */
export class LastUsedTracker {
  readonly #noted = new LRUCache<string, true>({ max: 5000, ttl: minuteMs });

  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly log: Log,
    private readonly entity: typeof ApiKey | typeof OauthGrant = ApiKey,
  ) {}

  note(keyId: string): void {
    if (this.#noted.has(keyId)) return;
    this.#noted.set(keyId, true);
    this.#write(keyId, clock.date()).catch((error: unknown) => {
      this.log.warn({ err: error, keyId }, "a key's last use was not noted");
    });
  }

  /** The condition keeps several processes to the same minute. */
  async #write(id: string, now: Date): Promise<void> {
    const before = new Date(now.getTime() - minuteMs);
    await this.store.unitOfWork.run((tx) =>
      tx
        .createQueryBuilder()
        .update(this.entity)
        .set({ lastUsedAt: now })
        .where({ id })
        .andWhere(
          new Brackets((either) =>
            either
              .where("last_used_at IS NULL")
              .orWhere("last_used_at < :before", { before }),
          ),
        )
        .execute(),
    );
  }
}

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
  /** An assistant that a person has connected by OAuth. */
  isAssistant?: true;
}

/** A caller with an API key, or with an access token, whose `keyId` is the id of its grant. */
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
  if (caller.isAssistant)
    throw new PlatenError(
      "forbidden",
      `This needs the permission ${scope}; this connection's permissions are: ${has}. Connect the assistant again and allow it, with a role that includes it.`,
    );
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

function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word);
}

/** Validates scope names; `all` alone means every scope. @throws PlatenError `invalid_request` that names each invalid scope. */
function parseScopes(words: readonly string[]): Scope[] {
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

interface CachedCaller extends Caller {
  keyId: string;
  /** null: never. */
  expiresAt: Date | null;
  /** From which it may be used; everywhere without them. */
  networks?: Networks | null;
}

const maxCachedCallers = 5000;
const cacheTtlMs = 2000;
