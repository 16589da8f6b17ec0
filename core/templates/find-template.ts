import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { findForUpdate, isId, Template } from "../storage/database/index.js";

/** A template of this organization, in the trash or not. @throws PlatenError `not_found`. */
export async function findTemplate(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Template> {
  const row = isId(id)
    ? await read.findOneBy(Template, { id, organizationId })
    : null;
  return row ?? noTemplate();
}

/** The same, kept from others until the unit of work ends. */
export async function findTemplateForUpdate(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Template> {
  const row = isId(id)
    ? await findForUpdate(tx, Template, { id, organizationId })
    : null;
  return row ?? noTemplate();
}

/** @throws PlatenError `not_found`: also for another organization's, whose existence is nobody's business. */
export function noTemplate(): never {
  throw new PlatenError("not_found", "There is no such template.");
}
