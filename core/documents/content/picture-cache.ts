import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import {
  pictureFault,
  pictureType,
  settlePixels,
  settleSvg,
} from "../../assets/index.js";

/** An image and the hash of the bytes that it was made of. */
interface KnownPicture {
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

/** An image as a document holds it. */
export interface Picture {
  dataUrl: string;
  /** Of the image itself; its data URL is a third longer. */
  sizeBytes: number;
}

type Limits = Pick<PictureLimits, "maxBytes" | "maxPixels">;

/** Makes an image of bytes, by what they are. @throws PlatenError that says why a document does not show it. */
async function encodePicture(bytes: Buffer, limits: Limits): Promise<Picture> {
  if (bytes.length > limits.maxBytes)
    throw pictureFault(`The image is larger than ${limits.maxBytes} bytes.`);
  const mimeType = pictureType(bytes);
  if (mimeType === null)
    throw pictureFault(
      "This is no image that a document shows. Use png, jpg, gif, webp, avif or svg.",
    );
  const settled =
    mimeType === "image/svg+xml"
      ? await settleSvg(bytes, limits.maxPixels)
      : await settlePixels(bytes, limits.maxPixels);
  return {
    dataUrl: `data:${mimeType};base64,${settled.toString("base64")}`,
    sizeBytes: settled.length,
  };
}

/** What the images of documents may cost. */
export interface PictureLimits {
  /** Whether images of other machines are fetched at all. */
  isFetching: boolean;
  /** Of one image, and of all of a document. */
  maxBytes: number;
  maxTotalBytes: number;
  maxPixels: number;
  /** How many a document may bring from other machines. */
  maxCount: number;
  /** For each of them. */
  timeoutMs: number;
  /** How much is kept in memory for the next documents. */
  cacheBytes: number;
}
