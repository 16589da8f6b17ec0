import type { FileStore } from "../plugin-api/index.js";
import type { Asset } from "../storage/database/index.js";
import type { Content } from "./upload/content-of.js";

type Keys = Pick<Asset, "storageKey" | "posterKey">;

const KEY = /^assets\/[0-9a-f]{2}\/([\w-]+)\.([0-9a-f]{64})\.[a-z0-9.]+$/;

/** Equal files of one organization are one file; of two organizations, two, so that each can go by itself. */
export function keysOf(
  organizationId: string,
  { contentHash: hash, kind, poster }: Content,
): Keys {
  const begin = `assets/${hash.slice(0, 2)}/${organizationId}.${hash}`;
  return {
    storageKey: `${begin}.${kind.extension}`,
    posterKey: poster && `${begin}.poster.png`,
  };
}

/** Whose file it is, and the hash of what it belongs to; null for a name that is none of ours. */
export function ownerOfKey(
  key: string,
): { organizationId: string; contentHash: string } | null {
  const [, organizationId, contentHash] = KEY.exec(key) ?? [];
  if (organizationId === undefined || contentHash === undefined) return null;
  return { organizationId, contentHash };
}

/** Stores the files, also where they are: what was just written, no sweep takes for forgotten. */
export async function keepContent(
  files: FileStore,
  content: Content,
  { storageKey, posterKey }: Keys,
): Promise<void> {
  await files.put(storageKey, content.body());
  if (posterKey !== null && content.poster !== null)
    await files.put(posterKey, content.poster);
}

/** Once the row is written: a sweep that looked before may have taken the files since. */
export async function keepContentStill(
  files: FileStore,
  content: Content,
  keys: Keys,
): Promise<void> {
  const { storageKey, posterKey } = keys;
  const isThere =
    (await files.size(storageKey)) !== null &&
    (posterKey === null || (await files.size(posterKey)) !== null);
  if (!isThere) await keepContent(files, content, keys);
}
