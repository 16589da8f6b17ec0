import { buffer } from "node:stream/consumers";
import { type EntityManager, In, IsNull } from "typeorm";
import type { FileStore } from "../../contract/index.js";
import { Asset, isId } from "../../store/index.js";
import type { Picture } from "./encode-picture.js";
import type { PictureCache } from "./picture-cache.js";
import { pictureFault } from "../../asset/index.js";

/** The images that an organization keeps here, which definitions and data name as `asset:<id>`. */
export class StoredPictures {
  constructor(
    private readonly read: EntityManager,
    private readonly files: FileStore,
    private readonly cache: PictureCache,
  ) {}

  /** Their rows by id; what is another's, no image or in the trash is not among them. */
  async rows(
    organizationId: string,
    ids: readonly string[],
  ): Promise<Map<string, Asset>> {
    const known = ids.filter((id) => isId(id));
    if (known.length === 0) return new Map();
    const rows = await this.read.findBy(Asset, {
      id: In(known),
      organizationId,
      assetType: "image",
      trashedAt: IsNull(),
    });
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** @throws PlatenError that says why it cannot be had. */
  async picture(asset: Asset | undefined): Promise<Picture> {
    if (!asset) throw pictureFault("The organization has no such image.");
    const { organizationId, contentHash, storageKey } = asset;
    const known = this.cache.find(organizationId, contentHash);
    if (known) return known;
    const file = await this.files.open(storageKey);
    if (!file) throw pictureFault("The image's file is lost. Upload it again.");
    const bytes = await buffer(file.stream);
    return (await this.cache.encode(organizationId, bytes)).picture;
  }
}
