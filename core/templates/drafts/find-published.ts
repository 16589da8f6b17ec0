import type { EntityManager } from "typeorm";
import type { PublishedState } from "../../plugin-api/index.js";
import { noTemplate } from "../index.js";
import { isId, Template } from "../../storage/database/index.js";
import { publishedState } from "./draft-view.js";

const columns = {
  id: true,
  definitionHash: true,
  updatedAt: true,
  version: true,
  trashedAt: true,
} as const;

/** What is published of a template, without its definition, and whether it is in the trash. @throws PlatenError `not_found`. */
export async function findPublished(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<{ published: PublishedState; isTrashed: boolean }> {
  const where = { id, organizationId };
  const row = isId(id)
    ? await read.findOne(Template, { where, select: columns })
    : null;
  if (!row) return noTemplate();
  return { published: publishedState(row), isTrashed: row.trashedAt !== null };
}
