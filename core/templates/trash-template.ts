import type { EntityManager } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import { Template } from "../storage/database/index.js";
import { findTemplateForUpdate } from "./find-template.js";
import { momentAfter } from "./moment-after.js";
import type { TemplateOwner } from "./template-owner.js";

/**
 * Puts a template into the trash: it is no longer listed nor rendered, and keeps all that it is. One that is there
 * already stays as it was put there. @throws PlatenError `not_found`.
 */
export async function trashTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  actor: Actor,
): Promise<Template> {
  const template = await findTemplateForUpdate(tx, owner.organizationId, id);
  if (template.trashedAt !== null) return template;
  const at = momentAfter(template.updatedAt);
  await move(tx, template, { trashedAt: at, trashedById: owner.userId }, at);
  await note(tx, template, "template.trashed", actor);
  return template;
}

/** Takes it out again; one that is not in the trash stays as it is. @throws PlatenError `not_found`. */
export async function restoreTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  actor: Actor,
): Promise<Template> {
  const template = await findTemplateForUpdate(tx, owner.organizationId, id);
  if (template.trashedAt === null) return template;
  const at = momentAfter(template.updatedAt);
  await move(tx, template, { trashedAt: null, trashedById: null }, at);
  await note(tx, template, "template.restored", actor);
  return template;
}

async function move(
  tx: EntityManager,
  template: Template,
  place: Pick<Template, "trashedAt" | "trashedById">,
  updatedAt: Date,
): Promise<void> {
  const { id, organizationId } = template;
  const columns = { ...place, updatedAt };
  await tx.update(Template, { id, organizationId }, columns);
  Object.assign(template, columns);
}

async function note(
  tx: EntityManager,
  { id, organizationId, name }: Template,
  action: "template.trashed" | "template.restored",
  actor: Actor,
): Promise<void> {
  await recordAudit(tx, actor, {
    organizationId,
    action,
    subject: id,
    details: { name },
  });
}
