import { type EntityManager, In, IsNull } from "typeorm";
import { ApiKey } from "../storage/database/index.js";

/** Those of the keys that were revoked, have expired or are gone: whatever was opened with them has to end. */
export async function endedKeys(
  read: EntityManager,
  keyIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await read.find(ApiKey, {
    where: { id: In([...keyIds]), revokedAt: IsNull() },
    select: { id: true, expiresAt: true },
  });
  const good = new Set(
    rows
      .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
      .map(({ id }) => id),
  );
  return new Set(keyIds.filter((id) => !good.has(id)));
}
