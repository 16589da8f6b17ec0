import type { EntityManager } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import type { Template } from "../storage/database/index.js";
import { findTemplate } from "./find-template.js";
import { insertTemplate } from "./publish-template.js";
import type { TemplateOwner } from "./template-owner.js";
import { liftDefinition, type ProjectData } from "../definition/index.js";

const suffix = " (copy)";
const longestName = 255;

/**
 * A new template beside the old, in the same folder: the same definition to the last byte, and of its versions none but
 * its own first. @throws PlatenError `not_found`.
 */
export async function duplicateTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  actor: Actor,
): Promise<Template> {
  const { organizationId } = owner;
  const original = await findTemplate(tx, organizationId, id);
  const { folderId, templateType, description } = original;
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const definition = liftDefinition(original.definition) as ProjectData;
  const name = copyName(original.name);
  const copy = await insertTemplate(
    tx,
    owner,
    { name, templateType, description, definition },
    folderId,
  );
  await recordAudit(tx, actor, {
    organizationId,
    action: "template.created",
    subject: copy.id,
    details: { name, duplicateOf: id },
  });
  return copy;
}

/** Never cut within a character. */
function copyName(name: string): string {
  const letters = Array.from(
    new Intl.Segmenter().segment(name),
    ({ segment }) => segment,
  );
  while (letters.join("").length + suffix.length > longestName) letters.pop();
  return letters.join("") + suffix;
}
