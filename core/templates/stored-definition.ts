import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import type { Template, TemplateVersion } from "../storage/database/index.js";
import { liftDefinition, type ProjectData } from "../definition/index.js";

/**
 * A definition by its row and hash: one that was changed in between must not be compiled under its old hash.
 * @throws PlatenError `unavailable` when it was.
 */
export async function storedDefinition(
  read: EntityManager,
  entity: typeof Template | typeof TemplateVersion,
  { id, definitionHash }: { id: string; definitionHash: string },
): Promise<ProjectData> {
  const row = await read.findOne<Template | TemplateVersion>(entity, {
    where: { id, definitionHash },
    select: { id: true, definition: true },
  });
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (row) return liftDefinition(row.definition) as ProjectData;
  throw new PlatenError(
    "unavailable",
    "The template was changed at this very moment. Try again.",
  );
}
