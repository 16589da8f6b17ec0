import type { FileStore } from "../contract/index.js";
import type { Asset } from "../store/index.js";
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

/** Stores what is not there yet. Called again once the row is written: a sweep may have taken files without a row. */
export async function keepContent(
  files: FileStore,
  content: Content,
  { storageKey, posterKey }: Keys,
): Promise<void> {
  if ((await files.size(storageKey)) !== content.sizeBytes)
    await files.put(storageKey, content.body());
  if (posterKey === null || content.poster === null) return;
  if ((await files.size(posterKey)) !== content.poster.length)
    await files.put(posterKey, content.poster);
}
