import { createHash } from "node:crypto";
import { type FileStore, PlatenError } from "../contract/index.js";
import { Asset, insertRow, newId, type Store } from "../store/index.js";
import { assetKindOf } from "./asset-kind.js";

export interface AssetOwner {
  organizationId: string;
  userId: string;
}

export interface NewAsset {
  /** What people call it; the name of its file, for example. */
  name: string;
  bytes: Uint8Array;
}

/** An asset as callers see it; definitions name it as `asset:<id>`. Times are ISO 8601. */
export interface AssetView {
  id: string;
  organizationId: string;
  name: string;
  assetType: Asset["assetType"];
  mimeType: string;
  sizeBytes: number;
  width: number | null;
  height: number | null;
  /** Of a font, what a style has to say: `family`, `weight`, `style`; otherwise null. */
  details: Record<string, unknown> | null;
  createdAt: string;
}

/** The pictures, PDFs and fonts of organizations: bytes in the file store by their content's hash, a row for each name. */
export class Assets {
  constructor(
    private readonly store: Pick<Store, "unitOfWork">,
    private readonly files: FileStore,
  ) {}

  /** @throws PlatenError `invalid_request` for an empty name or for what is no png, jpg, webp, gif, PDF or font. */
  async add(
    { organizationId, userId }: AssetOwner,
    { name, bytes }: NewAsset,
  ): Promise<AssetView> {
    const title = checkName(name);
    const { extension, ...kind } = await assetKindOf(bytes);
    const contentHash = createHash("sha256").update(bytes).digest("hex");
    const storageKey = keyOf(organizationId, contentHash, extension);
    await this.files.put(storageKey, bytes);
    const now = new Date();
    const row: Asset = {
      id: newId(),
      organizationId,
      folderId: null,
      name: title,
      ...kind,
      sizeBytes: bytes.length,
      contentHash,
      storageKey,
      posterKey: null,
      createdById: userId,
      createdAt: now,
      updatedAt: now,
      trashedAt: null,
      trashedById: null,
    };
    await this.store.unitOfWork.run((tx) => insertRow(tx, Asset, row));
    return assetView(row);
  }
}

/** Equal files of one organization are one file; of two organizations, two, so that each can go by itself. */
function keyOf(organizationId: string, hash: string, extension: string) {
  return `assets/${hash.slice(0, 2)}/${organizationId}.${hash}.${extension}`;
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length > 0 && trimmed.length <= 255) return trimmed;
  throw new PlatenError(
    "invalid_request",
    "The name of an asset has 1 to 255 characters.",
  );
}

function assetView(row: Asset): AssetView {
  const { id, organizationId, name, assetType, mimeType, sizeBytes } = row;
  const { width, height, details, createdAt } = row;
  return {
    id,
    organizationId,
    name,
    assetType,
    mimeType,
    sizeBytes,
    width,
    height,
    details,
    createdAt: createdAt.toISOString(),
  };
}
