import type { EntityManager } from "typeorm";
import type { MemberRole, Visitor, PersonInfo, PersonLink } from "../views.js";
import { type Log, PlatenError } from "../../plugin-api/index.js";
import {
  findForUpdate,
  Membership,
  Organization,
  type Store,
  User,
  STORE,
} from "../../storage/database/index.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { LOG } from "../../lib/process-values.js";
import { createUser } from "../index.js";
import { LoginLinks, type LoginMail, LOGIN_MAIL } from "./sign-in.js";
import {
  Members,
  type Member,
  findMembership,
  listMemberships,
} from "./members.js";
import { toStudioActor } from "./sessions.js";

/** Longer than for a link that was requested: an invitation may be read after the weekend. */
const invitationMs = 3 * 24 * 60 * 60_000;

/** Manages the people of an owner's organization, which always keeps at least one owner. */
@scoped(Lifecycle.ContainerScoped)
export class People {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(Members) private readonly members: Members,
    @inject(LoginLinks) private readonly links: LoginLinks,
    @inject(LOGIN_MAIL) private readonly mail: LoginMail | null,
    @inject(LOG) private readonly log: Log,
  ) {}

  /** In the order in which they joined. */
  async list({ organizationId, userId }: Visitor): Promise<PersonInfo[]> {
    const all = await this.members.list(organizationId);
    return all.map(({ id, name, email, role, joinedAt }) => ({
      id,
      name,
      email,
      role,
      joinedAt,
      isYou: id === userId,
    }));
  }

  /** @throws PlatenError `invalid_request`; `conflict` for a person who is a member already. */
  async invite(
    visitor: Visitor,
    input: { name: string; email: string; role: MemberRole },
  ): Promise<PersonLink> {
    const { organizationId } = visitor;
    const actor = toStudioActor(visitor);
    const { id } = await this.store.unitOfWork.run((tx) =>
      createUser(tx, organizationId, input, actor),
    );
    return this.#issue(visitor, id, invitationMs);
  }

  /** Creates another sign-in link. @throws PlatenError `not_found`. */
  async link(visitor: Visitor, userId: string): Promise<PersonLink> {
    return this.#issue(visitor, userId);
  }

  async #issue(
    visitor: Visitor,
    userId: string,
    lifeMs?: number,
  ): Promise<PersonLink> {
    const { store, links } = this;
    const { organizationId } = visitor;
    const member = await this.#member(store.read, visitor, userId);
    const actor = toStudioActor(visitor);
    const { url, expiresAt } = await links.issue(member, actor, lifeMs);
    const mail = await this.#mail(userId, { url, expiresAt });
    // Whoever shows it could come in as this person, and go on to the person's other organizations.
    const places = await listMemberships(store.read, userId);
    const isTheirsAlone = places.some(
      (place) => place.organizationId !== organizationId,
    );
    return {
      url: isTheirsAlone ? null : url,
      expiresAt: expiresAt.toISOString(),
      mail,
    };
  }

  /** @throws PlatenError `not_found`; `conflict` for the last owner. */
  async changeRole(
    visitor: Visitor,
    userId: string,
    role: MemberRole,
  ): Promise<void> {
    await this.store.unitOfWork.run(async (tx) => {
      const member = await this.#locked(tx, visitor, userId);
      if (role !== "owner") await assertHasOwner(tx, member);
      await this.members.changeRoleIn(tx, member, role, toStudioActor(visitor));
    });
  }

  /** @returns the number of API keys in their name that still work. @throws PlatenError `not_found`; `conflict` for the last owner. */
  async remove(visitor: Visitor, userId: string): Promise<{ keys: number }> {
    return this.store.unitOfWork.run(async (tx) => {
      const member = await this.#locked(tx, visitor, userId);
      await assertHasOwner(tx, member);
      return this.members.removeIn(tx, member, toStudioActor(visitor));
    });
  }

  /** Of two owners who demote each other at once, the second finds itself the last. */
  async #locked(
    tx: EntityManager,
    visitor: Visitor,
    userId: string,
  ): Promise<Member> {
    await findForUpdate(tx, Organization, { id: visitor.organizationId });
    return this.#member(tx, visitor, userId);
  }

  async #member(
    read: EntityManager,
    { organizationId }: Visitor,
    userId: string,
  ): Promise<Member> {
    const member = await findMembership(read, userId, organizationId);
    if (member !== null) return member;
    throw new PlatenError("not_found", "There is no such person here.");
  }

  async #mail(
    userId: string,
    link: { url: string; expiresAt: Date },
  ): Promise<PersonLink["mail"]> {
    const { store, mail, log } = this;
    if (mail === null) return "off";
    const user = await store.read.findOneByOrFail(User, { id: userId });
    try {
      await mail.send(user, link);
      return "sent";
    } catch (error) {
      log.error({ err: error, userId }, "a sign-in link could not be mailed");
      return "failed";
    }
  }
}

/** @throws PlatenError `conflict` for the last owner. */
async function assertHasOwner(
  tx: EntityManager,
  { organizationId, role }: Member,
): Promise<void> {
  const owners = { organizationId, role: "owner" } as const;
  if (role !== "owner" || (await tx.countBy(Membership, owners)) > 1) return;
  throw new PlatenError(
    "conflict",
    "This is the last owner of the organization. Make someone else an owner first.",
  );
}
