import type { Asset, User } from "../storage/database/index.js";
import type { AssetLinks } from "./asset-links.js";

/** An asset as callers see it. Times are ISO 8601. */
export interface AssetView {
  id: string;
  organizationId: string;
  folderId: string | null;
  name: string;
  assetType: Asset["assetType"];
  mimeType: string;
  sizeBytes: number;
  /** `sha256:` and 64 hex digits, of what is stored. */
  checksum: string;
  /** Pixels; null for what has no size. */
  width: number | null;
  height: number | null;
  /** Of a font, what a style has to say: `family`, `weight`, `style`; of a video, `durationSeconds` and `codec`. */
  details: Record<string, unknown> | null;
  /** Needs no key; what it leads to never changes. */
  url: string;
  urls: {
    original: string;
    /** A video's still picture. */
    poster?: string;
  };
  /** What a definition writes to use it. */
  use: string;
  isTrashed: boolean;
  trashedAt: string | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
}

export interface AssetListView extends Omit<AssetView, "createdById"> {
  createdBy: Pick<User, "id" | "name" | "email" | "image">;
}

export function assetView(row: Asset, links: AssetLinks): AssetView {
  return { ...common(row, links), createdById: row.createdById };
}

/** @param row with its `createdBy`. */
export function assetListView(row: Asset, links: AssetLinks): AssetListView {
  if (!row.createdBy) throw new Error("createdBy was not loaded");
  const { id, name, email, image } = row.createdBy;
  return { ...common(row, links), createdBy: { id, name, email, image } };
}

function common(row: Asset, links: AssetLinks): Omit<AssetView, "createdById"> {
  const { id, organizationId, folderId, name, assetType, mimeType } = row;
  const { sizeBytes, contentHash, width, height, details } = row;
  const poster = links.posterUrl(row);
  const original = links.url(row);
  return {
    id,
    organizationId,
    folderId,
    name,
    assetType,
    mimeType,
    sizeBytes,
    checksum: `sha256:${contentHash}`,
    width,
    height,
    details,
    url: original,
    urls: { original, ...(poster !== null && { poster }) },
    use: useOf(row),
    isTrashed: row.trashedAt !== null,
    trashedAt: row.trashedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function useOf({ id, assetType, details }: Asset): string {
  if (assetType === "pdf") return `{ "asset": "${id}" }`;
  if (assetType !== "font") return `asset:${id}`;
  return `font-family: ${JSON.stringify(String(details?.["family"]))}`;
}
