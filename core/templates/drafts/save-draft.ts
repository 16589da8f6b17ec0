import type { EntityManager } from "typeorm";
import { type DraftChange, PlatenError } from "../../plugin-api/index.js";
import type { TemplateOwner } from "../index.js";
import {
  insertRow,
  isDuplicate,
  type Template,
  TemplateDraft,
} from "../../storage/database/index.js";
import { liftDefinition } from "../../definition/index.js";
import { changeDraft, staleDraft } from "./change-draft.js";
import type { FoundDraft } from "./find-draft.js";

/**
 * Writes the draft over the one with the expected revision. @throws PlatenError `conflict`; then nothing is written.
 * @param change its definition has been looked at, see `draftDefinition`.
 */
export async function saveDraft(
  tx: EntityManager,
  owner: TemplateOwner,
  { template, found }: { template: Template; found: FoundDraft },
  change: DraftChange & { definition: Record<string, unknown> },
  at: Date,
): Promise<void> {
  const { definition, expectedRevision } = change;
  if (found.revision !== expectedRevision) throw staleDraft();
  const columns = {
    ...baseColumns(template, found, change.base),
    definition,
    savedById: owner.userId,
    savedAt: at,
  };
  if (found.revision > 0)
    return changeDraft(tx, template, expectedRevision, columns);
  await insertFirst(tx, {
    ...columns,
    templateId: template.id,
    organizationId: owner.organizationId,
    revision: 1,
  });
}

/** What a draft was made from stays, unless it was merged with what is published now. */
function baseColumns(
  template: Template,
  { draft }: FoundDraft,
  base: string,
): Pick<
  TemplateDraft,
  "baseDefinition" | "baseHash" | "baseUpdatedAt" | "baseVersion"
> {
  if (draft?.base.hash === base)
    return {
      baseDefinition: draft.base.definition,
      baseHash: base,
      baseUpdatedAt: draft.base.updatedAt,
      baseVersion: draft.base.version,
    };
  if (template.definitionHash !== base) throw movedBase();
  return {
    // Only checked definitions are stored, and a checked one is an object.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    baseDefinition: liftDefinition(template.definition) as Record<
      string,
      unknown
    >,
    baseHash: base,
    baseUpdatedAt: template.updatedAt,
    baseVersion: template.version,
  };
}

/** The first of a template. Of two at once, the database lets one in. */
async function insertFirst(
  tx: EntityManager,
  row: Omit<TemplateDraft, "savedBy">,
): Promise<void> {
  try {
    await insertRow(tx, TemplateDraft, row);
  } catch (error) {
    throw isDuplicate(error) ? staleDraft() : error;
  }
}

function movedBase(): PlatenError {
  const message =
    "The template was published anew since this draft was begun. Open it again, and join both changes.";
  return new PlatenError("conflict", message, {
    problems: [{ path: "$.base", code: "stale_base", message }],
  });
}
