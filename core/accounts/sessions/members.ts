import { type EntityManager, In, IsNull } from "typeorm";
import type { MemberRole } from "../views.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  ApiKey,
  Membership,
  MEMBER_ROLES,
  type Store,
  User,
  STORE,
} from "../../storage/database/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  type Actor,
  disconnectAssistants,
  recordAudit,
  signOut,
} from "../index.js";

/** Times are ISO 8601. */
export interface MemberView {
  id: string;
  organizationId: string;
  name: string;
  email: string;
  role: MemberRole;
  joinedAt: string;
}

/** The people of organizations and their roles. Any change of the role ends a person's sessions in the same transaction. */
@scoped(Lifecycle.ContainerScoped)
export class Members {
  constructor(@inject(STORE) private readonly store: Store) {}

  /** The first joined first. Without an organization, those of all. */
  async list(organizationId?: string): Promise<MemberView[]> {
    const { read } = this.store;
    const rows = await read.find(Membership, {
      where: {
        role: In(MEMBER_ROLES),
        ...(organizationId !== undefined && { organizationId }),
      },
      order: { createdAt: "ASC", userId: "ASC" },
    });
    const ids = rows.map(({ userId }) => userId);
    const users = await read.findBy(User, { id: In(ids) });
    const byId = new Map(users.map((user) => [user.id, user]));
    return rows.flatMap((row) => toMemberView(row, byId.get(row.userId)));
  }

  /**
   * The person with this email address, in the organization named, or in their only one.
   * @throws PlatenError `not_found`; `invalid_request` where an organization has to be named.
   */
  async find(email: string, organizationId?: string): Promise<Member> {
    const person = await findPerson(this.store.read, email);
    const places = person?.memberships ?? [];
    const fit = places.filter(
      (membership) =>
        organizationId === undefined ||
        membership.organizationId === organizationId,
    );
    const [first, second] = fit;
    if (first === undefined)
      throw new PlatenError(
        "not_found",
        organizationId === undefined
          ? `There is no user ${email}.`
          : `The organization ${organizationId} has no user ${email}.`,
      );
    if (second === undefined) return first;
    const ids = fit.map((membership) => membership.organizationId).join(", ");
    throw new PlatenError(
      "invalid_request",
      `${email} is a user of several organizations: name one with --org (${ids}).`,
    );
  }

  /** @throws PlatenError `not_found` for one who was removed meanwhile. */
  async changeRole(
    member: Member,
    role: MemberRole,
    actor: Actor,
  ): Promise<void> {
    await this.store.unitOfWork.run((tx) =>
      this.changeRoleIn(tx, member, role, actor),
    );
  }

  /** In a transaction of the caller's. @throws PlatenError `not_found` for one who was removed meanwhile. */
  async changeRoleIn(
    tx: EntityManager,
    member: Member,
    role: MemberRole,
    actor: Actor,
  ): Promise<void> {
    if (member.role === role) return;
    const { affected } = await tx.update(Membership, toKey(member), { role });
    if (affected !== 1) throw notAMember();
    await signOut(tx, toKey(member));
    await recordAudit(tx, actor, {
      organizationId: member.organizationId,
      action: "user.role_changed",
      subject: member.userId,
      details: { from: member.role, to: role },
    });
  }

  /**
   * Keys in the person's name stay, since programs may lean on them.
   * @returns how many such keys still work. @throws PlatenError `not_found`.
   */
  async remove(member: Member, actor: Actor): Promise<{ keys: number }> {
    return this.store.unitOfWork.run((tx) => this.removeIn(tx, member, actor));
  }

  /** In a transaction of the caller's. @throws PlatenError `not_found`. */
  async removeIn(
    tx: EntityManager,
    member: Member,
    actor: Actor,
  ): Promise<{ keys: number }> {
    const { affected } = await tx.delete(Membership, toKey(member));
    if (affected !== 1) throw notAMember();
    await signOut(tx, toKey(member));
    await disconnectAssistants(tx, toKey(member));
    await recordAudit(tx, actor, {
      organizationId: member.organizationId,
      action: "user.removed",
      subject: member.userId,
    });
    const mine = { ...toKey(member), revokedAt: IsNull() };
    return { keys: await tx.countBy(ApiKey, mine) };
  }
}

function toKey({ userId, organizationId }: Member) {
  return { userId, organizationId };
}

function notAMember(): PlatenError {
  return new PlatenError("not_found", "This user was removed in the meantime.");
}

function toMemberView(
  { userId, organizationId, role, createdAt }: Membership,
  user: User | undefined,
): MemberView[] {
  if (user === undefined || role === "service") return [];
  const { name, email } = user;
  const joinedAt = createdAt.toISOString();
  return [{ id: userId, organizationId, name, email, role, joinedAt }];
}

/** The built-in users of organizations are not members. */
export interface Member {
  userId: string;
  organizationId: string;
  role: MemberRole;
}

/** The first joined first. */
export async function listMemberships(
  read: EntityManager,
  userId: string,
): Promise<Member[]> {
  const rows = await read.find(Membership, {
    where: { userId, role: In(MEMBER_ROLES) },
    order: { createdAt: "ASC", organizationId: "ASC" },
  });
  return rows.flatMap(toMembers);
}

/** null: the person does not belong there. */
export async function findMembership(
  read: EntityManager,
  userId: string,
  organizationId: string,
): Promise<Member | null> {
  const row = await read.findOneBy(Membership, { userId, organizationId });
  return (row && toMembers(row)[0]) ?? null;
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
  const memberships = await listMemberships(read, user.id);
  return memberships.length === 0 ? null : { user, memberships };
}

function toMembers({ userId, organizationId, role }: Membership): Member[] {
  return role === "service" ? [] : [{ userId, organizationId, role }];
}
