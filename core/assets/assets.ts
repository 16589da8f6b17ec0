import { type FindOptionsWhere, IsNull, Not } from "typeorm";
import {
  Asset,
  listPage,
  type PageRequest,
} from "../storage/database/index.js";
import type { AssetOwner } from "./asset-owner.js";
import type { AssetParts } from "./asset-parts.js";
import {
  assetListView,
  type AssetListView,
  assetView,
  type AssetView,
} from "./asset-view.js";
import { type AssetChange, changeAsset, moveAsset } from "./change-asset.js";
import { findAsset } from "./find-asset.js";
import { type AssetActor, noteOf } from "./note-act.js";
import { deleteOrphanedAssets } from "./orphaned-assets.js";
import { deleteFilesOf, purgeAsset } from "./purge-asset.js";
import { nameContains } from "./search-name.js";
import { removeLeftUploads } from "./upload/nameless-file.js";
import type {
  UploadLinkRequest,
  UploadLinkView,
} from "./upload/upload-links.js";
import {
  type AssetUpload,
  type UploadOptions,
  Uploads,
} from "./upload/uploads.js";

export interface AssetQuery extends PageRequest {
  assetType?: Asset["assetType"] | undefined;
  folderId?: string | undefined;
  includeTrashed?: boolean | undefined;
  onlyTrashed?: boolean | undefined;
  /** A part of the name, in upper or lower case. */
  q?: string | undefined;
}

export interface AssetList {
  data: AssetListView[];
  pagination: PageRequest & { total: number };
}

/** The pictures, videos, fonts and PDFs of organizations. To one of them, another's do not exist. */
export class Assets {
  readonly uploads: Uploads;

  constructor(private readonly parts: AssetParts) {
    this.uploads = new Uploads(parts);
  }

  /**
   * Stores a file that is told by a source.
   * @throws PlatenError `invalid_request` for what cannot be used, `too_large`, `timeout` and `unavailable` for an
   * address. A `filePath` without a root to read it in is answered with an upload link.
   */
  upload(
    owner: AssetOwner,
    upload: AssetUpload,
    options: UploadOptions,
  ): Promise<AssetView> {
    return this.uploads.fromSource(owner, upload, options);
  }

  /** @throws PlatenError `invalid_request` for the name or the folder. */
  createUploadLink(
    owner: AssetOwner,
    request: UploadLinkRequest,
  ): Promise<UploadLinkView> {
    return this.uploads.links.create(owner, request);
  }

  /** Without those in the trash unless they are asked for; the newest first. */
  async list(organizationId: string, query: AssetQuery): Promise<AssetList> {
    const { page, pageSize } = query;
    const { rows, total } = await this.parts.store.snapshot((read) =>
      listPage(read, Asset, {
        page,
        pageSize,
        where: whereOf(organizationId, query),
        newestBy: "createdAt",
        relations: { createdBy: true },
      }),
    );
    return {
      data: rows.map((row) => assetListView(row, this.parts.links)),
      pagination: { page, pageSize, total },
    };
  }

  /** One in the trash too. @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<AssetView> {
    const row = await findAsset(this.parts.store.read, organizationId, id);
    return assetView(row, this.parts.links);
  }

  /** @throws PlatenError `not_found`, `invalid_request` for the name or the folder. */
  async change(
    { organizationId }: AssetOwner,
    id: string,
    change: AssetChange,
  ): Promise<AssetView> {
    const row = await this.parts.store.unitOfWork.run((tx) =>
      changeAsset(tx, organizationId, id, change),
    );
    return assetView(row, this.parts.links);
  }

  /** Takes it out of the lists; what names it still shows it. @throws PlatenError `not_found`. */
  trash(owner: AssetOwner, id: string, actor: AssetActor): Promise<AssetView> {
    return this.move(owner, id, "trash", actor);
  }

  /** @throws PlatenError `not_found`. */
  restore(
    owner: AssetOwner,
    id: string,
    actor: AssetActor,
  ): Promise<AssetView> {
    return this.move(owner, id, "library", actor);
  }

  /**
   * Deletes an asset in the trash for good, with its file unless another asset has the same.
   * @throws PlatenError `not_found`, `conflict` for one that is not in the trash or that a template or a version names.
   */
  async purge(
    { organizationId }: Pick<AssetOwner, "organizationId">,
    id: string,
    actor: AssetActor,
  ): Promise<AssetView> {
    const { store, files, links, noteAct } = this.parts;
    const row = await store.unitOfWork.run(async (tx) => {
      const purged = await purgeAsset(tx, organizationId, id);
      await noteAct(tx, actor, noteOf(purged, "asset.deleted"));
      return purged;
    });
    await deleteFilesOf(store.read, files, row);
    return assetView(row, links);
  }

  /** Deletes files that no asset has, and forgets upload links that nobody can use any more. */
  async sweep(now: Date): Promise<void> {
    const { store, files, folder } = this.parts;
    await removeLeftUploads(folder);
    await deleteOrphanedAssets(store.read, files, now);
    await this.uploads.links.sweep(now);
  }

  private async move(
    owner: AssetOwner,
    id: string,
    to: "trash" | "library",
    actor: AssetActor,
  ): Promise<AssetView> {
    const { store, links, noteAct } = this.parts;
    const row = await store.unitOfWork.run(async (tx) => {
      const { row: moved, isMoved } = await moveAsset(tx, owner, id, to);
      const action = to === "trash" ? "asset.trashed" : "asset.restored";
      if (isMoved) await noteAct(tx, actor, noteOf(moved, action));
      return moved;
    });
    return assetView(row, links);
  }
}

function whereOf(
  organizationId: string,
  { assetType, folderId, includeTrashed, onlyTrashed, q }: AssetQuery,
): FindOptionsWhere<Asset> {
  return {
    organizationId,
    ...(assetType && { assetType }),
    ...(folderId !== undefined && { folderId }),
    ...(!includeTrashed && { trashedAt: IsNull() }),
    ...(onlyTrashed && { trashedAt: Not(IsNull()) }),
    ...(q && { searchName: nameContains(q) }),
  };
}
