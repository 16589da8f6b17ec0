import { type EntityManager, IsNull } from "typeorm";
import { LoginLink, Session } from "../storage/database/index.js";

/** Ends a person's sessions, and the links that would start one: in one organization, or everywhere. */
export async function signOut(
  tx: EntityManager,
  person: { userId: string; organizationId?: string },
): Promise<void> {
  const now = new Date();
  const { userId, organizationId } = person;
  const whose = { userId, ...(organizationId && { organizationId }) };
  const alive = { ...whose, revokedAt: IsNull() };
  await tx.update(Session, alive, { revokedAt: now });
  await tx.update(LoginLink, { ...whose, usedAt: IsNull() }, { usedAt: now });
}
