import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { type EntityManager, In, IsNull } from "typeorm";
import { z } from "zod";
import { PlatenError } from "../plugin-api/index.js";
import {
  ApiKey,
  findForUpdate,
  isId,
  Membership,
  newId,
  type Store,
  insertRow,
} from "../storage/database/index.js";
import { type Actor, recordAudit } from "./audit.js";
import { type CallerCache, parseScopes } from "./caller.js";
import { parseInput, keyName } from "./input.js";
import { findOrganization } from "./organizations.js";

export interface NewApiKey {
  scopes: readonly string[];
  name?: string | undefined;
  /** In whose name it acts; default: the organization's built-in user. */
  userId?: string | undefined;
  /** Default: never. */
  expiresAt?: Date | undefined;
  /** Counts instead of the plan's limit; default: that. */
  requestsPerMinute?: number | undefined;
}

/** A new key, which is shown this once and nowhere kept. */
export interface CreatedApiKey extends ApiKeyView {
  key: string;
}

export class ApiKeys {
  constructor(
    private readonly store: Store,
    private readonly callers: CallerCache,
  ) {}

  /** Those of the keys that were revoked, have expired or were deleted: whatever was opened with them has to end. */
  async findEnded(
    keyIds: readonly string[],
    now = new Date(),
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
  const key = createKey();
  const row: ApiKey = {
    id: newId(),
    organizationId,
    userId: await findOwnerId(tx, organizationId, input.userId),
    name: parseInput(keyName, input.name),
    prefix: getKeyPrefix(key),
    hash: hashOf(key),
    scopes: parseScopes(input.scopes),
    settings: toSettings(input),
    createdAt: new Date(),
    expiresAt: parseExpiry(input.expiresAt),
    revokedAt: null,
    lastUsedAt: null,
  };
  await insertRow(tx, ApiKey, row);
  const { id, name, prefix, scopes } = row;
  await recordAudit(tx, actor, {
    organizationId,
    action: "api_key.created",
    subject: id,
    details: { name, prefix, scopes },
  });
  return { ...toApiKeyView(row), key };
}

function toSettings({ requestsPerMinute: limit }: NewApiKey) {
  if (limit === undefined) return null;
  return { requestsPerMinute: parseInput(requestsPerMinuteSchema, limit) };
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
  if (expiresAt.getTime() > Date.now()) return expiresAt;
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
  key.revokedAt = new Date();
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
export interface ApiKeyView {
  id: string;
  organizationId: string;
  userId: string;
  name: string;
  /** The key's first characters. */
  prefix: string;
  scopes: string[];
  /** null: as the plan says. */
  requestsPerMinute: number | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

function toApiKeyView(row: ApiKey): ApiKeyView {
  const { id, organizationId, userId, name, prefix, scopes } = row;
  return {
    id,
    organizationId,
    userId,
    name,
    prefix,
    scopes,
    requestsPerMinute: getRequestsPerMinute(row),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

/** How many requests a minute a key may be limited to. */
const requestsPerMinuteSchema = z
  .int("must be a whole number")
  .min(1, "must be at least 1")
  .max(1_000_000, "must be at most 1000000");

const settingsSchema = z.object({
  requestsPerMinute: requestsPerMinuteSchema.optional(),
});

/** The limit of this key alone; null for none. */
export function getRequestsPerMinute(
  key: Pick<ApiKey, "settings">,
): number | null {
  return settingsSchema.safeParse(key.settings).data?.requestsPerMinute ?? null;
}

// A key is `plk_` and 256 random bits. So much chance needs no slow hash: SHA-256 can be neither guessed nor undone.

function createKey(): string {
  return `plk_${randomBytes(32).toString("base64url")}`;
}

/** What may be shown of a key. */
function getKeyPrefix(key: string): string {
  return key.slice(0, "plk_".length + 8);
}

export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Compares in a time that does not depend on where they differ. */
export function isSameHash(one: string, other: string): boolean {
  return (
    one.length === other.length &&
    timingSafeEqual(Buffer.from(one), Buffer.from(other))
  );
}
