import type { EntityManager } from "typeorm";
import {
  insertRow,
  newId,
  type Template,
  TemplateVersion,
} from "../storage/database/index.js";

export interface Snapshot {
  userId: string;
  /** What changed, in the author's words; may be empty. */
  description: string;
  at: Date;
}

/** Freezes the live definition under the template's current number. */
export async function snapshotTemplate(
  tx: EntityManager,
  template: Template,
  { userId, description, at }: Snapshot,
): Promise<void> {
  await insertRow(tx, TemplateVersion, {
    id: newId("ver"),
    organizationId: template.organizationId,
    templateId: template.id,
    version: template.version,
    description,
    definition: template.definition,
    definitionHash: template.definitionHash,
    createdById: userId,
    createdAt: at,
  });
}
