import type { EntityManager } from "typeorm";
import type { FileStore } from "../contract/index.js";
import { Asset } from "../store/index.js";
import { ownerOfKey } from "./keep-content.js";

const chunk = 100;
/** Longer than any upload takes between its file and its row. */
const youngestMs = 60 * 60_000;

/** Deletes files of assets that no row names: a crash between the file and the row leaves them. @returns how many. */
export async function deleteOrphanedAssets(
  read: EntityManager,
  files: FileStore,
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - youngestMs);
  let total = 0;
  let keys: string[] = [];
  for await (const key of files.keys("assets")) {
    if (ownerOfKey(key) === null) continue;
    keys.push(key);
    if (keys.length < chunk) continue;
    total += await deleteUnnamed(read, files, keys, before);
    keys = [];
  }
  return total + (await deleteUnnamed(read, files, keys, before));
}

async function deleteUnnamed(
  read: EntityManager,
  files: FileStore,
  keys: readonly string[],
  before: Date,
): Promise<number> {
  if (keys.length === 0) return 0;
  const rows = await read.find(Asset, {
    where: keys.flatMap((key) => ownerOfKey(key) ?? []),
    select: { id: true, storageKey: true, posterKey: true },
  });
  const named = new Set(
    rows.flatMap(({ storageKey, posterKey }) => [storageKey, posterKey]),
  );
  let total = 0;
  for (const key of keys.filter((one) => !named.has(one)))
    if (await files.deleteIfOlder(key, before)) total += 1;
  return total;
}
