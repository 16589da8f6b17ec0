import { buffer } from "node:stream/consumers";
import { type EntityManager, In, IsNull } from "typeorm";
import type { FileStore } from "../contract/index.js";
import { Asset, isId } from "../store/index.js";
import type { AssetReference } from "../template/index.js";

/** An image that could not be had; a placeholder is drawn in its place. */
export interface FailedAsset {
  source: string;
  reason: string;
}

export interface ResolvedAssets {
  /** Data URLs by token; null for what failed. */
  byToken: Map<string, string | null>;
  failed: FailedAsset[];
}

/** Brings the images that a merged document refers to: the organization's own assets, as data URLs. */
export async function resolveAssets(
  { read, files }: { read: EntityManager; files: FileStore },
  organizationId: string,
  references: readonly AssetReference[],
): Promise<ResolvedAssets> {
  const sources = new Set(references.map(({ source }) => source));
  const rows = await findAssets(read, organizationId, [...sources]);
  const urls = new Map<string, string | null>();
  for (const source of sources)
    urls.set(source, await dataUrl(files, rows.get(assetId(source) ?? "")));
  return {
    byToken: new Map(
      references.map(({ token, source }) => [token, urls.get(source) ?? null]),
    ),
    failed: [...sources]
      .filter((source) => urls.get(source) === null)
      .map((source) => ({ source, reason: reasonOf(source) })),
  };
}

function assetId(source: string): string | null {
  return /^asset:(.+)$/i.exec(source)?.[1] ?? null;
}

async function findAssets(
  read: EntityManager,
  organizationId: string,
  sources: readonly string[],
): Promise<Map<string, Asset>> {
  const ids = sources
    .map((source) => assetId(source))
    .filter((id) => id !== null && isId(id));
  if (ids.length === 0) return new Map();
  const rows = await read.findBy(Asset, {
    id: In(ids),
    organizationId,
    assetType: "image",
    trashedAt: IsNull(),
  });
  return new Map(rows.map((row) => [row.id, row]));
}

async function dataUrl(
  files: FileStore,
  asset: Asset | undefined,
): Promise<string | null> {
  const file = asset ? await files.open(asset.storageKey) : null;
  if (!asset || !file) return null;
  const bytes = await buffer(file.stream);
  return `data:${asset.mimeType};base64,${bytes.toString("base64")}`;
}

function reasonOf(source: string): string {
  return assetId(source) === null
    ? "Images are not fetched from other machines; upload it as an asset, or use a data URL."
    : "The organization has no such image.";
}
