import { type EntityManager, IsNull } from "typeorm";
import type { z } from "zod";
import { PlatenError } from "../plugin-api/index.js";
import {
  Membership,
  newId,
  type Role,
  type Store,
  User,
  insertRow,
  LoginLink,
  Session,
} from "../storage/database/index.js";
import { type Actor, recordAudit } from "./audit.js";
import { parseInput, newUser } from "./input.js";
import { findOrganization } from "./organizations.js";

export interface UserView {
  id: string;
  organizationId: string;
  name: string;
  email: string;
  image: string | null;
  role: Role;
  createdAt: string;
}

export type NewUser = z.input<typeof newUser>;

/** People, and the organizations in which they have a role. */
export class Users {
  constructor(private readonly store: Store) {}

  /**
   * Adds a user to an organization. Someone with this e-mail address who is known from another one joins it as they are,
   * and has to sign in anew.
   * @throws PlatenError `invalid_request`; `not_found` for the organization; `conflict` for a member.
   */
  async create(
    organizationId: string,
    input: NewUser,
    actor: Actor,
  ): Promise<UserView> {
    return this.store.unitOfWork.run((tx) =>
      createUser(tx, organizationId, input, actor),
    );
  }
}

export async function createUser(
  tx: EntityManager,
  organizationId: string,
  input: NewUser,
  actor: Actor,
): Promise<UserView> {
  const { role, ...person } = parseInput(newUser, input);
  await findOrganization(tx, organizationId);
  const known = await tx.findOneBy(User, { email: person.email });
  const user = known ?? (await insertUser(tx, person));
  if (await tx.existsBy(Membership, { organizationId, userId: user.id }))
    throw new PlatenError(
      "conflict",
      `${person.email} is a user of this organization already.`,
    );
  // The owner of the organization from which they are known may have come in by a link for them, and would come along.
  if (known) await signOut(tx, { userId: known.id });
  const member = { organizationId, userId: user.id, role };
  await insertRow(tx, Membership, { ...member, createdAt: new Date() });
  await recordAudit(tx, actor, {
    organizationId,
    action: known ? "user.joined" : "user.created",
    subject: user.id,
    details: { email: user.email, role },
  });
  const { id, name, email, image } = user;
  return {
    id,
    organizationId,
    name,
    email,
    image,
    role,
    createdAt: user.createdAt.toISOString(),
  };
}

async function insertUser(
  tx: EntityManager,
  person: Pick<User, "name" | "email" | "image">,
): Promise<User> {
  const now = new Date();
  const user = { id: newId(), ...person, createdAt: now, updatedAt: now };
  await insertRow(tx, User, user);
  return user;
}

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
