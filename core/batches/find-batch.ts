import { type EntityManager, Not } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { Batch, isId } from "../storage/database/index.js";

/** @throws PlatenError `not_found` for another organization's batch too, and for one that is not accepted yet. */
export async function findBatch(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Batch> {
  const where = { id, organizationId, status: Not("accepting" as const) };
  const row = isId(id, "batch") ? await read.findOneBy(Batch, where) : null;
  if (row) return row;
  throw new PlatenError("not_found", "There is no such batch.");
}
