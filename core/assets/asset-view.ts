import type { Asset, User } from "../storage/database/index.js";
import type { AssetLinks } from "./asset-links.js";

/** An asset in responses. Times are ISO 8601. */
export interface AssetView {
  id: string;
  organizationId: string;
  folderId: string | null;
  name: string;
  assetType: Asset["assetType"];
  mimeType: string;
  sizeBytes: number;
  /** Of the stored file: `sha256:` and 64 hex digits. */
  checksum: string;
  /** Pixels; null for fonts and PDFs. */
  width: number | null;
  height: number | null;
  /** For a font, the CSS values `family`, `weight` and `style`; for a video, `durationSeconds` and `codec`. */
  details: Record<string, unknown> | null;
  /** Needs no API key; its content never changes. */
  url: string;
  urls: {
    original: string;
    /** A still image of a video. */
    poster?: string;
  };
  /** How to refer to it in a definition. */
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

export function toAssetView(row: Asset, links: AssetLinks): AssetView {
  return { ...toCommonView(row, links), createdById: row.createdById };
}

/** @param row with its `createdBy`. */
export function toAssetListView(row: Asset, links: AssetLinks): AssetListView {
  if (!row.createdBy) throw new Error("createdBy was not loaded");
  const { id, name, email, image } = row.createdBy;
  return { ...toCommonView(row, links), createdBy: { id, name, email, image } };
}

function toCommonView(
  row: Asset,
  links: AssetLinks,
): Omit<AssetView, "createdById"> {
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
    use: describeUse(row),
    isTrashed: row.trashedAt !== null,
    trashedAt: row.trashedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function describeUse({ id, assetType, details }: Asset): string {
  if (assetType === "pdf") return `{ "asset": "${id}" }`;
  if (assetType !== "font") return `asset:${id}`;
  return `font-family: ${JSON.stringify(String(details?.["family"]))}`;
}
