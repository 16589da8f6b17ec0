import type { EntityManager } from "typeorm";
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
import type { Actor } from "./actor.js";
import { type ApiKeyView, apiKeyView } from "./api-key-view.js";
import { recordAudit } from "./audit.js";
import type { CallerCache } from "./caller-cache.js";
import { given, keyName } from "./given.js";
import { hashOf, newKey, prefixOf } from "./key-secret.js";
import { requestsPerMinute } from "./key-settings.js";
import { findOrganization } from "./organizations.js";
import { parseScopes } from "./scopes.js";

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
    return rows.map(apiKeyView);
  }

  /**
   * Ends a key for ever; one that is revoked already stays as it is.
   * @param organizationId whose keys are meant; without it, anybody's, for whoever runs the machine.
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
    return apiKeyView(key);
  }
}

export async function createApiKey(
  tx: EntityManager,
  organizationId: string,
  input: NewApiKey,
  actor: Actor,
): Promise<CreatedApiKey> {
  const key = newKey();
  const row: ApiKey = {
    id: newId(),
    organizationId,
    userId: await ownerOf(tx, organizationId, input.userId),
    name: given(keyName, input.name),
    prefix: prefixOf(key),
    hash: hashOf(key),
    scopes: parseScopes(input.scopes),
    settings: settingsOf(input),
    createdAt: new Date(),
    expiresAt: futureOf(input.expiresAt),
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
  return { ...apiKeyView(row), key };
}

function settingsOf({ requestsPerMinute: limit }: NewApiKey) {
  if (limit === undefined) return null;
  return { requestsPerMinute: given(requestsPerMinute, limit) };
}

async function ownerOf(
  tx: EntityManager,
  organizationId: string,
  userId: string | undefined,
): Promise<string> {
  const { serviceUserId } = await findOrganization(tx, organizationId);
  if (userId === undefined) return serviceUserId;
  if (await tx.existsBy(Membership, { organizationId, userId })) return userId;
  throw new PlatenError("not_found", `The organization has no user ${userId}.`);
}

function futureOf(expiresAt: Date | undefined): Date | null {
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
