import { In, type EntityManager } from "typeorm";
import type { AppRole } from "../../plugin-api/index.js";
import { Membership, ROLES, User } from "../../storage/database/index.js";

/** A person in one organization. The built-in users of organizations are none. */
export interface Member {
  userId: string;
  organizationId: string;
  role: AppRole;
}

/** Where a person belongs, the first joined first. */
export async function membershipsOf(
  read: EntityManager,
  userId: string,
): Promise<Member[]> {
  const rows = await read.find(Membership, {
    where: { userId, role: In(ROLES) },
    order: { createdAt: "ASC", organizationId: "ASC" },
  });
  return rows.flatMap(memberOf);
}

/** null: the person does not belong there. */
export async function membershipIn(
  read: EntityManager,
  userId: string,
  organizationId: string,
): Promise<Member | null> {
  const row = await read.findOneBy(Membership, { userId, organizationId });
  return (row && memberOf(row)[0]) ?? null;
}

/** The person with this address, in whatever case it is written; null when there is none who may sign in. */
export async function findPerson(
  read: EntityManager,
  email: string,
): Promise<{ user: User; memberships: Member[] } | null> {
  const user = await read.findOneBy(User, {
    email: email.trim().toLowerCase(),
  });
  if (user === null) return null;
  const memberships = await membershipsOf(read, user.id);
  return memberships.length === 0 ? null : { user, memberships };
}

function memberOf({ userId, organizationId, role }: Membership): Member[] {
  return role === "service" ? [] : [{ userId, organizationId, role }];
}
