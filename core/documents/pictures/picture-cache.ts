import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { encodePicture, type Picture } from "./encode-picture.js";
import type { PictureLimits } from "./picture-limits.js";

/** An image and the hash of the bytes that it was made of. */
export interface KnownPicture {
  contentHash: string;
  picture: Picture;
}

/**
 * Images by their content, each encoded once. Every organization has its own: what one has shown tells another
 * nothing, not even by how fast it comes.
 */
export class PictureCache {
  private readonly pictures: LRUCache<string, Picture>;

  constructor(private readonly limits: PictureLimits) {
    this.pictures = new LRUCache({
      maxSize: Math.max(1, Math.floor(limits.cacheBytes)),
      sizeCalculation: ({ dataUrl }) => dataUrl.length,
    });
  }

  find(organizationId: string, contentHash: string): Picture | null {
    return this.pictures.get(`${organizationId} ${contentHash}`) ?? null;
  }

  /** The image that the bytes are. @throws PlatenError as `encodePicture` */
  async encode(organizationId: string, bytes: Buffer): Promise<KnownPicture> {
    const contentHash = createHash("sha256").update(bytes).digest("hex");
    const known = this.find(organizationId, contentHash);
    if (known) return { contentHash, picture: known };
    const picture = await encodePicture(bytes, this.limits);
    this.pictures.set(`${organizationId} ${contentHash}`, picture);
    return { contentHash, picture };
  }
}
