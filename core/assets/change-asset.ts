import type { EntityManager } from "typeorm";
import { requireFolder } from "../folders/index.js";
import { Asset } from "../storage/database/index.js";
import type { AssetOwner } from "./asset-owner.js";
import { checkName } from "./check-name.js";
import { findAssetForUpdate } from "./find-asset.js";
import { searchNameOf } from "./search-name.js";

/** What is left out stays. */
export interface AssetChange {
  name?: string | undefined;
  folderId?: string | null | undefined;
}

/** @throws PlatenError `not_found`, `invalid_request` for the name or the folder. */
export async function changeAsset(
  tx: EntityManager,
  organizationId: string,
  id: string,
  { name, folderId }: AssetChange,
): Promise<Asset> {
  const row = await findAssetForUpdate(tx, organizationId, id);
  if (folderId) await requireFolder(tx, organizationId, "asset", folderId);
  return write(tx, row, {
    ...(name !== undefined && renamed(name)),
    ...(folderId !== undefined && { folderId }),
  });
}

/** Into the trash, or out of it; what is there already is not moved. @throws PlatenError `not_found`. */
export async function moveAsset(
  tx: EntityManager,
  { organizationId, userId }: AssetOwner,
  id: string,
  to: "trash" | "library",
): Promise<{ row: Asset; isMoved: boolean }> {
  const row = await findAssetForUpdate(tx, organizationId, id);
  const isThere = (row.trashedAt !== null) === (to === "trash");
  if (isThere) return { row, isMoved: false };
  const trashedAt = to === "trash" ? new Date() : null;
  const trashedById = to === "trash" ? userId : null;
  await write(tx, row, { trashedAt, trashedById });
  return { row, isMoved: true };
}

function renamed(name: string): Pick<Asset, "name" | "searchName"> {
  const checked = checkName(name);
  return { name: checked, searchName: searchNameOf(checked) };
}

async function write(
  tx: EntityManager,
  row: Asset,
  changes: Partial<
    Pick<
      Asset,
      "name" | "searchName" | "folderId" | "trashedAt" | "trashedById"
    >
  >,
): Promise<Asset> {
  const { id, organizationId } = row;
  const columns = { ...changes, updatedAt: new Date() };
  await tx.update(Asset, { id, organizationId }, columns);
  return Object.assign(row, columns);
}
