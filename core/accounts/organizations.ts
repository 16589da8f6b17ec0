import { type EntityManager, IsNull } from "typeorm";
import { z } from "zod";
import { clock } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  isId,
  Membership,
  newId,
  OauthGrant,
  Organization,
  type Store,
  User,
  insertRow,
  findForUpdate,
  type Role,
  LoginLink,
  Session,
  PLANS,
  MEMBER_ROLES,
} from "../storage/database/index.js";
import { Networks, parseNetworks } from "../lib/networks.js";
import { type Actor, recordAudit } from "./audit.js";

/** Times are ISO 8601. */
export type OrganizationView = ReturnType<typeof toOrganizationView>;

/** Tenants: everything else belongs to one. */
export class Organizations {
  /** @param allowedNetworks the private networks that the service may call, which an organization can only narrow. */
  constructor(
    private readonly store: Store,
    private readonly allowedNetworks: readonly string[] = [],
  ) {}

  /** @throws PlatenError `invalid_request` for an empty name or an unknown plan. */
  async create(
    input: z.input<typeof newOrganization>,
    actor: Actor,
  ): Promise<OrganizationView> {
    return this.store.unitOfWork.run(async (tx) =>
      toOrganizationView(await createOrganization(tx, input, actor)),
    );
  }

  /** The oldest first. */
  async list(): Promise<OrganizationView[]> {
    const rows = await this.store.read.find(Organization, {
      order: { createdAt: "ASC", id: "ASC" },
    });
    return rows.map(toOrganizationView);
  }

  /** @throws PlatenError `not_found`. */
  async get(id: string): Promise<OrganizationView> {
    return toOrganizationView(await findOrganization(this.store.read, id));
  }

  /**
   * @throws PlatenError `not_found`; `invalid_request` for what is no network, or not within those that the service may
   * call.
   */
  async change(
    id: string,
    { privateNetworks }: OrganizationPatch,
    actor: Actor,
  ): Promise<OrganizationView> {
    const networks = privateNetworks && parseNetworks(privateNetworks);
    assertWithin(networks ?? [], this.allowedNetworks);
    return this.store.unitOfWork.run(async (tx) => {
      const row = isId(id) && (await findForUpdate(tx, Organization, { id }));
      if (!row) throw noOrganization(id);
      const { privateNetworks: _, ...others } = row.settings ?? {};
      const settings = {
        ...others,
        ...(networks !== null && { privateNetworks: networks }),
      };
      const changes = { settings, updatedAt: clock.date() };
      await tx.update(Organization, { id }, changes);
      await recordAudit(tx, actor, {
        organizationId: id,
        action: "organization.changed",
        subject: id,
        details: { privateNetworks: networks },
      });
      return toOrganizationView(Object.assign(row, changes));
    });
  }

  /** Its built-in user, for what is done in nobody's name. @throws PlatenError `not_found`. */
  async ownUser(
    id: string,
  ): Promise<{ organizationId: string; userId: string }> {
    const row = await findOrganization(this.store.read, id);
    return { organizationId: row.id, userId: row.serviceUserId };
  }
}

/** Creates an organization with its built-in user, which acts for it where no person does. */
export async function createOrganization(
  tx: EntityManager,
  input: z.input<typeof newOrganization>,
  actor: Actor,
): Promise<Organization> {
  const { name, plan } = parseInput(newOrganization, input);
  const id = newId();
  const now = clock.date();
  const times = { createdAt: now, updatedAt: now };
  const userId = newId();
  // The domain `invalid` is reserved: no mail can ever be sent there.
  const email = `service+${id}@platen.invalid`;
  await insertRow(tx, User, {
    id: userId,
    name: `${name} (service)`,
    email,
    image: null,
    ...times,
  });
  const row = {
    id,
    name,
    plan,
    serviceUserId: userId,
    settings: null,
    brand: null,
  };
  await insertRow(tx, Organization, { ...row, ...times });
  await insertRow(tx, Membership, {
    organizationId: id,
    userId,
    role: "service",
    createdAt: now,
  });
  await recordAudit(tx, actor, {
    organizationId: id,
    action: "organization.created",
    subject: id,
    details: { name, plan },
  });
  return { ...row, ...times };
}

/** @throws PlatenError `not_found`. */
export async function findOrganization(
  read: EntityManager,
  id: string,
): Promise<Organization> {
  const row = isId(id) ? await read.findOneBy(Organization, { id }) : null;
  if (row) return row;
  throw noOrganization(id);
}

function noOrganization(id: string): PlatenError {
  return new PlatenError("not_found", `There is no organization ${id}.`);
}

function toOrganizationView(row: Organization) {
  const { id, name, plan, createdAt } = row;
  const privateNetworks = getPrivateNetworks(row);
  return {
    id,
    name,
    plan,
    /** The private networks to which its calls are narrowed; missing when it may call all that the service may call. */
    ...(privateNetworks !== null && { privateNetworks }),
    createdAt: createdAt.toISOString(),
  };
}

interface OrganizationPatch {
  /** Empty: none; null: all of those that the service may call. */
  privateNetworks: readonly string[] | null;
}

function assertWithin(
  networks: readonly string[],
  allowed: readonly string[],
): void {
  const outer = new Networks(allowed);
  const outside = networks.filter((network) => !outer.covers(network));
  if (outside.length > 0)
    throw new PlatenError(
      "invalid_request",
      `${outside.join(", ")} is not within PLATEN_ALLOW_PRIVATE_NETWORKS (${allowed.join(",") || "none"}), ` +
        "which organizations can only narrow. Add it there first.",
    );
}

const networkSettings = z.object({
  privateNetworks: z.array(z.string()).optional(),
});

/** Settings that cannot be read allow no network. */
function getPrivateNetworks({
  settings,
}: Pick<Organization, "settings">): string[] | null {
  if (settings === null) return null;
  const { success, data } = networkSettings.safeParse(settings);
  return success ? (data.privateNetworks ?? null) : [];
}

/** The private networks to which an organization's calls are narrowed; null for all that the service may call. */
export async function findPrivateNetworks(
  read: EntityManager,
  organizationId: string,
): Promise<string[] | null> {
  const row = await read.findOne(Organization, {
    where: { id: organizationId },
    select: { id: true, settings: true },
  });
  return row === null ? [] : getPrivateNetworks(row);
}

export interface UserView {
  id: string;
  organizationId: string;
  name: string;
  email: string;
  image: string | null;
  role: Role;
  createdAt: string;
}

type NewUser = z.input<typeof newUser>;

/** People, and the organizations in which they have a role. */
export class Users {
  constructor(private readonly store: Store) {}

  /**
   * Adds a user to an organization. Someone with this email address who is known from another one joins it as they are,
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
  const existing = await tx.findOneBy(User, { email: person.email });
  const user = existing ?? (await insertUser(tx, person));
  if (await tx.existsBy(Membership, { organizationId, userId: user.id }))
    throw new PlatenError(
      "conflict",
      `${person.email} is a user of this organization already.`,
    );
  // The owner of the organization from which they are known may have come in by a link for them, and would come along.
  if (existing) await signOut(tx, { userId: existing.id });
  const member = { organizationId, userId: user.id, role };
  await insertRow(tx, Membership, { ...member, createdAt: clock.date() });
  await recordAudit(tx, actor, {
    organizationId,
    action: existing ? "user.joined" : "user.created",
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
  const now = clock.date();
  const user = { id: newId(), ...person, createdAt: now, updatedAt: now };
  await insertRow(tx, User, user);
  return user;
}

/** Ends a person's sessions, and the links that would start one: in one organization, or everywhere. */
export async function signOut(
  tx: EntityManager,
  person: { userId: string; organizationId?: string },
): Promise<void> {
  const now = clock.date();
  const { userId, organizationId } = person;
  const whose = { userId, ...(organizationId && { organizationId }) };
  const alive = { ...whose, revokedAt: IsNull() };
  await tx.update(Session, alive, { revokedAt: now });
  await tx.update(LoginLink, { ...whose, usedAt: IsNull() }, { usedAt: now });
}

export async function disconnectAssistants(
  tx: EntityManager,
  { userId, organizationId }: { userId: string; organizationId: string },
): Promise<void> {
  const alive = { userId, organizationId, revokedAt: IsNull() };
  await tx.update(OauthGrant, alive, { revokedAt: clock.date() });
}

// Validation of administrators' input, shared by all entry points.

const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(200, "must be at most 200 characters long");

const oneOf = <const T extends readonly string[]>(words: T) =>
  z.enum(words, `must be one of ${words.join(", ")}`);

const newOrganization = z.strictObject({ name, plan: oneOf(PLANS) });

const newUser = z.strictObject({
  name,
  email: z
    .string()
    .trim()
    .max(255, "must be at most 255 characters long")
    .pipe(z.email("must be an email address"))
    .transform((address) => address.toLowerCase()),
  image: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .max(2048, "must be at most 2048 characters long")
    .nullable()
    .default(null),
  role: oneOf(MEMBER_ROLES).default("editor"),
});

export const keyName = name.default("API key");

/** @throws PlatenError `invalid_request` that says of each value what it must be. */
export function parseInput<T extends z.ZodType>(
  schema: T,
  value: unknown,
): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => ({
    path: ["$", ...path].join("."),
    code: "invalid_value",
    message,
  }));
  throw new PlatenError(
    "invalid_request",
    result.error.issues
      .map(({ path, message }) => `${path.join(".")} ${message}.`)
      .join(" "),
    { problems },
  );
}
