import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { isId, SignatureRequest } from "../storage/database/index.js";

/** @throws PlatenError `not_found`: another organization's does not exist. */
export async function findRequest(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<SignatureRequest> {
  const row = isId(id)
    ? await read.findOneBy(SignatureRequest, { id, organizationId })
    : null;
  if (row !== null) return row;
  throw new PlatenError("not_found", "There is no such signature request.");
}
