import type { EntityManager } from "typeorm";
import type { PublishedState } from "../contract/index.js";
import { noTemplate } from "../document/index.js";
import { isId, Template } from "../store/index.js";
import { publishedState } from "./draft-view.js";

const columns = {
  id: true,
  definitionHash: true,
  updatedAt: true,
  version: true,
} as const;

/** What is published of a template, without its definition. @throws PlatenError `not_found`. */
export async function findPublished(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<PublishedState> {
  const where = { id, organizationId };
  const row = isId(id)
    ? await read.findOne(Template, { where, select: columns })
    : null;
  return row ? publishedState(row) : noTemplate();
}
