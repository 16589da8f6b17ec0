import type { EntityManager, QueryDeepPartialEntity } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import { type Template, TemplateDraft } from "../../storage/database/index.js";

type Columns = Partial<
  Omit<TemplateDraft, "templateId" | "organizationId" | "revision" | "savedBy">
>;

/**
 * Changes the draft if it still has that revision, and raises it: of several at once, one does.
 * @throws PlatenError `conflict`; then nothing is written.
 */
export async function changeDraft(
  tx: EntityManager,
  { id: templateId, organizationId }: Pick<Template, "id" | "organizationId">,
  revision: number,
  columns: Columns,
): Promise<void> {
  // TypeORM's type of a change leaves no room for columns of any JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const change = {
    ...columns,
    revision: revision + 1,
  } as QueryDeepPartialEntity<TemplateDraft>;
  const where = { templateId, organizationId, revision };
  const { affected } = await tx.update(TemplateDraft, where, change);
  if (affected !== 1) throw staleDraft();
}

/** Ends the draft; its revision goes on, so that nobody's old save is taken for a new one. */
export function endDraft(
  tx: EntityManager,
  template: Pick<Template, "id" | "organizationId">,
  revision: number,
): Promise<void> {
  return changeDraft(tx, template, revision, {
    definition: null,
    baseDefinition: null,
    baseHash: null,
    baseUpdatedAt: null,
    baseVersion: null,
    savedById: null,
    savedAt: null,
  });
}

export function staleDraft(): PlatenError {
  const message =
    "Somebody else has changed this draft meanwhile. Open it again, and join both changes.";
  return new PlatenError("conflict", message, {
    problems: [{ path: "$.expectedRevision", code: "stale_revision", message }],
  });
}
