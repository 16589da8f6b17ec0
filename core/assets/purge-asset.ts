import type { EntityManager } from "typeorm";
import { type FileStore, PlatenError } from "../plugin-api/index.js";
import { Asset } from "../storage/database/index.js";
import { findAssetForUpdate } from "./find-asset.js";
import { namedInTemplates } from "./named-in-templates.js";

/** Stores tell times by the second; a file so young is left to the hourly sweep. */
const SETTLED_MS = 5_000;

/**
 * Deletes the row of an asset that nothing can need any more.
 * @throws PlatenError `not_found`, `conflict` for one that is not in the trash or that a template names.
 */
export async function purgeAsset(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Asset> {
  const row = await findAssetForUpdate(tx, organizationId, id);
  if (row.trashedAt === null) throw notTrashed();
  const templates = await namedInTemplates(tx, row);
  if (templates.length > 0) throw stillNamed(templates);
  await tx.delete(Asset, { id, organizationId });
  return row;
}

/** Deletes the files of a row that is gone, unless another asset has them. */
export async function deleteFilesOf(
  read: EntityManager,
  files: FileStore,
  { storageKey, posterKey, organizationId, contentHash }: Asset,
): Promise<void> {
  const before = new Date(Date.now() - SETTLED_MS);
  if (await read.existsBy(Asset, { organizationId, contentHash })) return;
  for (const key of [storageKey, posterKey])
    if (key !== null) await files.deleteIfOlder(key, before);
}

function notTrashed(): PlatenError {
  return new PlatenError(
    "conflict",
    "Only an asset in the trash is deleted for good. Move it there first.",
  );
}

function stillNamed(templates: readonly string[]): PlatenError {
  const names = templates.map((name) => JSON.stringify(name)).join(", ");
  return new PlatenError(
    "conflict",
    `The asset is named by templates, or by versions of them: ${names}. They would not print as they do.`,
  );
}
