import type { EntityManager } from "typeorm";
import type { FileStore } from "../plugin-api/index.js";
import { deleteUnnamed } from "../storage/files/index.js";
import { Asset } from "../storage/database/index.js";
import { ownerOfKey } from "./keep-content.js";

/** Deletes files of assets that no row names. @returns how many. */
export function deleteOrphanedAssets(
  read: EntityManager,
  files: FileStore,
  now: Date,
): Promise<number> {
  const assets = {
    folder: "assets",
    chunk: 100,
    isOurs: (key: string) => ownerOfKey(key) !== null,
    namedAmong: (keys: readonly string[]) => namedKeys(read, keys),
  };
  return deleteUnnamed(files, assets, now);
}

async function namedKeys(
  read: EntityManager,
  keys: readonly string[],
): Promise<Set<string | null>> {
  const rows = await read.find(Asset, {
    where: keys.flatMap((key) => ownerOfKey(key) ?? []),
    select: { id: true, storageKey: true, posterKey: true },
  });
  return new Set(
    rows.flatMap(({ storageKey, posterKey }) => [storageKey, posterKey]),
  );
}
