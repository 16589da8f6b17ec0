import { type EntityManager, IsNull } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import { requireFolder } from "../folders/index.js";
import type { FileStore } from "../plugin-api/index.js";
import {
  Asset,
  insertRow,
  newId,
  type UploadLink,
} from "../storage/database/index.js";
import { deleteOrphans } from "../storage/files/index.js";
import {
  type AssetContext,
  type AssetOwner,
  createAuditEvent,
  toSearchName,
} from "./context.js";
import type { AssetContent } from "./upload-reader.js";
import { markUploadLinkUsed } from "./upload-links.js";

export interface NewAsset {
  /** Validated. */
  name: string;
  folderId: string | null;
  actor: Actor;
  /** The link that was used for the upload. */
  uploadLink?: UploadLink | undefined;
}

/**
 * Stores the file, then its row, so that a row always has its file; the cleanup deletes files of crashed uploads. The
 * same file with the same name in the same folder is the existing asset.
 */
export async function storeAsset(
  { store, files, links }: AssetContext,
  owner: AssetOwner,
  content: AssetContent,
  { name, folderId, actor, uploadLink }: NewAsset,
): Promise<Asset> {
  const { organizationId, userId } = owner;
  const keys = createKeys(organizationId, content);
  await putFiles(files, content, keys);
  const { extension: _extension, ...kind } = content.kind;
  const now = new Date();
  const newRow: Asset = {
    id: newId(),
    organizationId,
    folderId,
    name,
    searchName: toSearchName(name),
    ...kind,
    sizeBytes: content.sizeBytes,
    contentHash: content.contentHash,
    ...keys,
    linkKey: links.newKey(organizationId, content.contentHash),
    createdById: userId,
    createdAt: now,
    updatedAt: now,
    trashedAt: null,
    trashedById: null,
  };
  const stored = await store.unitOfWork.run(async (tx) => {
    if (folderId !== null)
      await requireFolder(tx, organizationId, "asset", folderId);
    const row = (await findDuplicate(tx, newRow)) ?? newRow;
    if (uploadLink) await markUploadLinkUsed(tx, uploadLink, row.id);
    if (row !== newRow) return row;
    await insertRow(tx, Asset, row);
    await recordAudit(tx, actor, createAuditEvent(row, "asset.created"));
    return row;
  });
  // A cleanup that ran before the row was committed may have deleted the files.
  if (!(await hasFiles(files, keys))) await putFiles(files, content, keys);
  return stored;
}

function findDuplicate(tx: EntityManager, row: Asset): Promise<Asset | null> {
  const { organizationId, contentHash, name, folderId } = row;
  return tx.findOneBy(Asset, {
    organizationId,
    contentHash,
    name,
    folderId: folderId ?? IsNull(),
    trashedAt: IsNull(),
  });
}

type AssetKeys = Pick<Asset, "storageKey" | "posterKey">;

/** Assets of one organization with equal content share a file; organizations share none, so each can be deleted alone. */
function createKeys(
  organizationId: string,
  { contentHash: hash, kind, poster }: AssetContent,
): AssetKeys {
  const prefix = `assets/${hash.slice(0, 2)}/${organizationId}.${hash}`;
  return {
    storageKey: `${prefix}.${kind.extension}`,
    posterKey: poster && `${prefix}.poster.png`,
  };
}

/** Writes even existing files, since the cleanup never deletes files that were just written. */
async function putFiles(
  files: FileStore,
  content: AssetContent,
  { storageKey, posterKey }: AssetKeys,
): Promise<void> {
  await files.put(storageKey, content.body());
  if (posterKey !== null && content.poster !== null)
    await files.put(posterKey, content.poster);
}

async function hasFiles(
  files: FileStore,
  { storageKey, posterKey }: AssetKeys,
): Promise<boolean> {
  return (
    (await files.size(storageKey)) !== null &&
    (posterKey === null || (await files.size(posterKey)) !== null)
  );
}

/** Deletes files of assets that no row references. @returns the number of files. */
export function deleteOrphanedAssets(
  read: EntityManager,
  files: FileStore,
  now: Date,
): Promise<number> {
  const assets = {
    folder: "assets",
    chunkSize: 100,
    isCandidate: (key: string) => parseKey(key) !== null,
    findReferenced: async (keys: readonly string[]) => {
      const rows = await read.find(Asset, {
        where: keys.flatMap((key) => parseKey(key) ?? []),
        select: { id: true, storageKey: true, posterKey: true },
      });
      return new Set(
        rows.flatMap(({ storageKey, posterKey }) => [storageKey, posterKey]),
      );
    },
  };
  return deleteOrphans(files, assets, now);
}

const keyPattern =
  /^assets\/[0-9a-f]{2}\/([\w-]+)\.([0-9a-f]{64})\.[a-z0-9.]+$/;

/** null for files that are not assets. */
function parseKey(
  key: string,
): { organizationId: string; contentHash: string } | null {
  const [, organizationId, contentHash] = keyPattern.exec(key) ?? [];
  if (organizationId === undefined || contentHash === undefined) return null;
  return { organizationId, contentHash };
}
