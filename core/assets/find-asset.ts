import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { Asset, findForUpdate, isId } from "../storage/database/index.js";

/** One in the trash too. @throws PlatenError `not_found`, also for another organization's. */
export async function findAsset(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Asset> {
  const row = isId(id)
    ? await read.findOneBy(Asset, { id, organizationId })
    : null;
  return row ?? noAsset();
}

/** The same, for a unit of work that is going to change it. */
export async function findAssetForUpdate(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Asset> {
  const row = isId(id)
    ? await findForUpdate(tx, Asset, { id, organizationId })
    : null;
  return row ?? noAsset();
}

function noAsset(): never {
  throw new PlatenError("not_found", "There is no such asset.");
}
