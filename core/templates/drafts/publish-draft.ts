import type { EntityManager } from "typeorm";
import type { Actor } from "../../accounts/index.js";
import { PlatenError, type Publication } from "../../plugin-api/index.js";
import { editTemplate, type TemplateOwner } from "../index.js";
import type { Template } from "../../storage/database/index.js";
import { endDraft, staleDraft } from "./change-draft.js";
import { findDraft } from "./find-draft.js";

/**
 * Makes the draft the template's definition and ends it. Without a draft, what is published becomes a version when that
 * is wanted. @throws PlatenError `conflict`, `invalid_definition` with every problem.
 * @param template kept from others until the transaction ends
 */
export async function publishDraft(
  tx: EntityManager,
  owner: TemplateOwner,
  template: Template,
  { expectedRevision, createVersion, versionNote }: Publication,
  actor: Actor,
): Promise<void> {
  const { organizationId } = owner;
  const { revision, draft } = await findDraft(tx, organizationId, template.id);
  if (revision !== expectedRevision) throw staleDraft();
  if (draft && draft.base.hash !== template.definitionHash) throw redefined();
  const edit = {
    ...(draft && { definition: draft.definition }),
    createVersion,
    ...(createVersion && versionNote !== null && { versionNote }),
  };
  await editTemplate(tx, owner, template.id, edit, actor);
  if (draft) await endDraft(tx, template, expectedRevision);
}

function redefined(): PlatenError {
  const message =
    "Someone else has published this template meanwhile. Open it again, join both changes, and publish then.";
  return new PlatenError("conflict", message, {
    problems: [{ path: "$.base", code: "stale_base", message }],
  });
}
