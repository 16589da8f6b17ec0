import type { ApiKey } from "../storage/database/index.js";
import { requestsPerMinuteOf } from "./key-settings.js";

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

export function apiKeyView(row: ApiKey): ApiKeyView {
  const { id, organizationId, userId, name, prefix, scopes } = row;
  return {
    id,
    organizationId,
    userId,
    name,
    prefix,
    scopes,
    requestsPerMinute: requestsPerMinuteOf(row),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}
