import { buffer } from "node:stream/consumers";
import { type EntityManager, In } from "typeorm";
import { type AssetLinks, pictureFault } from "../../assets/index.js";
import type { FileStore } from "../../plugin-api/index.js";
import { Asset, isId } from "../../storage/database/index.js";
import type { Picture } from "./encode-picture.js";
import type { PictureCache } from "./picture-cache.js";
import { videoPicture } from "./video-picture.js";

/** The library's assets that sources name, by source. */
export type StoredRows = ReadonlyMap<string, Asset>;

/**
 * The images and videos that an organization keeps here. Definitions and data name them as `asset:<id>` or by their
 * address, which is not fetched. What went into the trash is still shown where it is named.
 */
export class StoredPictures {
  constructor(
    private readonly read: EntityManager,
    private readonly files: FileStore,
    private readonly links: AssetLinks,
    private readonly cache: PictureCache,
  ) {}

  /** Whether a source can only be an asset, though perhaps one that is not there. */
  isAsset(source: string): boolean {
    return idOf(source) !== null || this.links.read(source) !== null;
  }

  /** What is another organization's, or no picture at all, is not among them. */
  async rows(
    organizationId: string,
    sources: readonly string[],
  ): Promise<StoredRows> {
    const named = sources.map((source) => ({ source, ...this.nameOf(source) }));
    const ids = named.flatMap(({ id }) => id ?? []);
    const linkKeys = named.flatMap(({ linkKey }) => linkKey ?? []);
    const all = { organizationId, assetType: In(["image", "video"]) };
    const found = [
      ...(ids.length > 0
        ? await this.read.findBy(Asset, { ...all, id: In(ids) })
        : []),
      ...(linkKeys.length > 0
        ? await this.read.findBy(Asset, { ...all, linkKey: In(linkKeys) })
        : []),
    ];
    const byName = new Map(
      found.flatMap((row) => [
        [row.id, row],
        [row.linkKey, row],
      ]),
    );
    return new Map(
      named.flatMap(({ source, id, linkKey }) => {
        const row = byName.get(id ?? linkKey ?? "");
        return row ? [[source, row]] : [];
      }),
    );
  }

  /** @throws PlatenError that says why it cannot be had. */
  async picture(asset: Asset | undefined): Promise<Picture> {
    if (!asset) throw pictureFault("The organization has no such image.");
    if (asset.assetType === "video") return videoPicture(asset);
    const { organizationId, contentHash, storageKey } = asset;
    const known = this.cache.find(organizationId, contentHash);
    if (known) return known;
    const file = await this.files.open(storageKey);
    if (!file) throw pictureFault("The image's file is lost. Upload it again.");
    const bytes = await buffer(file.stream);
    return (await this.cache.encode(organizationId, bytes)).picture;
  }

  /** Where readers of mails find the picture, and where a video's picture leads. */
  addressesOf(asset: Asset): { picture: string; video: string | null } {
    const url = this.links.url(asset);
    return asset.assetType === "video"
      ? { picture: this.links.posterUrl(asset) ?? url, video: url }
      : { picture: url, video: null };
  }

  private nameOf(source: string): { id?: string; linkKey?: string } {
    const id = idOf(source);
    if (id !== null) return isId(id) ? { id } : {};
    const linkKey = this.links.read(source)?.linkKey;
    return linkKey === undefined ? {} : { linkKey };
  }
}

function idOf(source: string): string | null {
  return /^asset:(.+)$/i.exec(source)?.[1] ?? null;
}
