import type { EntityManager, QueryDeepPartialEntity } from "typeorm";
import { type Actor, recordAudit } from "../account/index.js";
import { Template } from "../store/index.js";
import {
  checkSuccession,
  dataSourceOf,
  liftDefinition,
  type ProjectData,
} from "../template/index.js";
import { checkTemplate, type NewTemplate, refusal } from "./check-template.js";
import { findTemplateForUpdate } from "./find-template.js";
import { hashOf } from "./publish-template.js";
import { snapshotTemplate } from "./snapshot-template.js";
import type { TemplateOwner } from "./template-owner.js";

export interface Redefinition {
  /** Any JSON value; its components keep their place by their ids. */
  definition: unknown;
  /** Freezes the new definition under the next number, with this note on what changed. */
  versionNote?: string | undefined;
}

interface Redefined {
  id: string;
  version: number;
  warnings: NewTemplate["warnings"];
}

/**
 * Replaces the live definition; snapshots stay as they are.
 * @throws PlatenError `not_found`, or `invalid_definition` with every problem at once.
 */
export async function redefineTemplate(
  tx: EntityManager,
  { organizationId, userId }: TemplateOwner,
  id: string,
  { definition: written, versionNote }: Redefinition,
  actor: Actor,
): Promise<Redefined> {
  const template = await findTemplateForUpdate(tx, organizationId, id);
  const { definition, warnings } = checkSuccessor(template, written);
  const at = new Date();
  const columns = {
    definition,
    definitionHash: hashOf(definition),
    dataSource: dataSourceOf(definition),
    version: template.version + (versionNote === undefined ? 0 : 1),
    updatedAt: at,
  };
  // TypeORM's type of a change leaves no room for columns of any JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const change = columns as QueryDeepPartialEntity<Template>;
  await tx.update(Template, { id, organizationId }, change);
  Object.assign(template, columns);
  if (versionNote !== undefined)
    await snapshotTemplate(tx, template, {
      userId,
      description: versionNote,
      at,
    });
  await recordAudit(tx, actor, {
    organizationId,
    action: "template.redefined",
    subject: id,
    details: { version: columns.version },
  });
  return { id, version: columns.version, warnings };
}

function checkSuccessor(template: Template, written: unknown): NewTemplate {
  const { name, templateType } = template;
  const checked = checkTemplate({ name, templateType, definition: written });
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const previous = liftDefinition(template.definition) as ProjectData;
  const problems = checkSuccession(previous, checked.definition);
  if (problems.length > 0) throw refusal(problems);
  return checked;
}
