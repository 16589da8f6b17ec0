import type { EntityManager } from "typeorm";
import type { z } from "zod";
import { PlatenError } from "../plugin-api/index.js";
import {
  isId,
  Membership,
  newId,
  Organization,
  type Plan,
  type Store,
  User,
  insertRow,
} from "../storage/database/index.js";
import { type Actor, recordAudit } from "./audit.js";
import { parseInput, newOrganization } from "./input.js";

/** Times are ISO 8601. */
export interface OrganizationView {
  id: string;
  name: string;
  plan: Plan;
  createdAt: string;
}

/** Tenants: everything else belongs to one. */
export class Organizations {
  constructor(private readonly store: Store) {}

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
  const now = new Date();
  const times = { createdAt: now, updatedAt: now };
  const user = createServiceUser(id, name);
  await insertRow(tx, User, { ...user, ...times });
  const row = { id, name, plan, serviceUserId: user.id, settings: null };
  await insertRow(tx, Organization, { ...row, ...times });
  await insertRow(tx, Membership, {
    organizationId: id,
    userId: user.id,
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

/** The domain `invalid` is reserved: no mail can ever be sent there. */
function createServiceUser(organizationId: string, name: string) {
  return {
    id: newId(),
    name: `${name} (service)`,
    email: `service+${organizationId}@platen.invalid`,
    image: null,
  };
}

/** @throws PlatenError `not_found`. */
export async function findOrganization(
  read: EntityManager,
  id: string,
): Promise<Organization> {
  const row = isId(id) ? await read.findOneBy(Organization, { id }) : null;
  if (row) return row;
  throw new PlatenError("not_found", `There is no organization ${id}.`);
}

function toOrganizationView(row: Organization): OrganizationView {
  const { id, name, plan, createdAt } = row;
  return { id, name, plan, createdAt: createdAt.toISOString() };
}
