import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import {
  createImageError,
  detectImageType,
  limitImageSize,
  sanitizeSvg,
} from "../../assets/index.js";

/** An image and the hash of the bytes that it was made of. */
interface KnownPicture {
  contentHash: string;
  picture: Picture;
}

/**
 * Images by their content, each encoded once. Each organization has its own entries, so that response times reveal
 * nothing about the images of others.
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

  /** @throws PlatenError as `encodePicture` */
  async encode(organizationId: string, bytes: Buffer): Promise<KnownPicture> {
    const contentHash = createHash("sha256").update(bytes).digest("hex");
    const known = this.find(organizationId, contentHash);
    if (known) return { contentHash, picture: known };
    const picture = await encodePicture(bytes, this.limits);
    this.pictures.set(`${organizationId} ${contentHash}`, picture);
    return { contentHash, picture };
  }
}

/** An image as it is embedded in a document. */
export interface Picture {
  dataUrl: string;
  /** Size of the image itself; its data URL is a third longer. */
  sizeBytes: number;
}

type Limits = Pick<PictureLimits, "maxBytes" | "maxPixels">;

/** Detects the type of the bytes and encodes them. @throws PlatenError with the reason why a document cannot show them. */
async function encodePicture(bytes: Buffer, limits: Limits): Promise<Picture> {
  if (bytes.length > limits.maxBytes)
    throw createImageError(
      `The image is larger than ${limits.maxBytes} bytes.`,
    );
  const mimeType = detectImageType(bytes);
  if (mimeType === null)
    throw createImageError(
      "Unsupported image format. Use png, jpg, gif, webp, avif or svg.",
    );
  const settled =
    mimeType === "image/svg+xml"
      ? await sanitizeSvg(bytes, limits.maxPixels)
      : await limitImageSize(bytes, limits.maxPixels);
  return {
    dataUrl: `data:${mimeType};base64,${settled.toString("base64")}`,
    sizeBytes: settled.length,
  };
}

/** Limits for the images of documents. */
export interface PictureLimits {
  /** Whether remote images are fetched at all. */
  isFetching: boolean;
  /** Size of one image, and of all images of a document. */
  maxBytes: number;
  maxTotalBytes: number;
  maxPixels: number;
  /** Remote images of one document. */
  maxCount: number;
  /** For each remote image. */
  timeoutMs: number;
  /** Memory for the images of the next documents. */
  cacheBytes: number;
}
