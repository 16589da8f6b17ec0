import { type EntityManager, IsNull } from "typeorm";
import { requireFolder } from "../folders/index.js";
import {
  Asset,
  insertRow,
  newId,
  type UploadLink,
} from "../storage/database/index.js";
import type { AssetOwner } from "./asset-owner.js";
import type { AssetParts } from "./asset-parts.js";
import { keepContent, keepContentStill, keysOf } from "./keep-content.js";
import { type AssetActor, noteOf } from "./note-act.js";
import { searchNameOf } from "./search-name.js";
import type { Content } from "./upload/content-of.js";
import { spendUploadLink } from "./upload/upload-links.js";

export interface AssetPlace {
  /** Checked. */
  name: string;
  folderId: string | null;
  /** Who brings it. */
  actor: AssetActor;
  /** The link by which the file came. */
  by?: UploadLink | undefined;
}

/**
 * Stores the file and writes its row. The file is there first, so that a row always has one; what a crash leaves is
 * swept. The same file under the same name in the same folder is the asset that is there already.
 */
export async function writeAsset(
  { store, files, links, noteAct }: AssetParts,
  owner: AssetOwner,
  content: Content,
  place: AssetPlace,
): Promise<Asset> {
  const keys = keysOf(owner.organizationId, content);
  await keepContent(files, content, keys);
  const linkKey = links.newKey(owner.organizationId, content.contentHash);
  const fresh = rowOf(owner, content, place, { ...keys, linkKey });
  const written = await store.unitOfWork.run(async (tx) => {
    if (fresh.folderId !== null)
      await requireFolder(tx, fresh.organizationId, "asset", fresh.folderId);
    const row = (await findSame(tx, fresh)) ?? fresh;
    if (place.by) await spendUploadLink(tx, place.by, row.id);
    if (row !== fresh) return row;
    await insertRow(tx, Asset, row);
    await noteAct(tx, place.actor, noteOf(row, "asset.created"));
    return row;
  });
  await keepContentStill(files, content, keys);
  return written;
}

function findSame(tx: EntityManager, row: Asset): Promise<Asset | null> {
  const { organizationId, contentHash, name, folderId } = row;
  return tx.findOneBy(Asset, {
    organizationId,
    contentHash,
    name,
    folderId: folderId ?? IsNull(),
    trashedAt: IsNull(),
  });
}

function rowOf(
  { organizationId, userId }: AssetOwner,
  { kind: { extension: _extension, ...kind }, contentHash, sizeBytes }: Content,
  { name, folderId }: AssetPlace,
  keys: Pick<Asset, "storageKey" | "posterKey" | "linkKey">,
): Asset {
  const now = new Date();
  return {
    id: newId(),
    organizationId,
    folderId,
    name,
    searchName: searchNameOf(name),
    ...kind,
    sizeBytes,
    contentHash,
    ...keys,
    createdById: userId,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
    trashedById: null,
  };
}
