import pLimit from "p-limit";
import { PlatenError } from "../../plugin-api/index.js";
import { pictureFault } from "../picture/picture-fault.js";
import { pictureType } from "../picture/picture-type.js";
import type { AssetKind } from "./asset-kind.js";

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/svg+xml": "svg",
};

/** A picture may take four bytes for each of its pixels while it is read. */
const decodeOne = pLimit(2);

/**
 * Decodes the picture once, so that what is damaged or cut off is refused now and not in somebody's document.
 * @param bytes of an svg: after it was made harmless.
 * @throws PlatenError `invalid_request`, also for one of more pixels than are allowed.
 */
export function imageKind(
  bytes: Buffer,
  maxPixels: number,
): Promise<AssetKind> {
  return decodeOne(() => decode(bytes, maxPixels));
}

async function decode(bytes: Buffer, maxPixels: number): Promise<AssetKind> {
  // Loaded by the first picture: it takes long to load.
  const { default: sharp } = await import("sharp");
  try {
    const image = sharp(bytes, { limitInputPixels: false, failOn: "error" });
    const { width, height, autoOrient } = await image.metadata();
    const mimeType = pictureType(bytes) ?? "";
    if (mimeType !== "image/svg+xml") {
      checkPixels(width * height, maxPixels);
      await image.resize(8, 8, { fit: "fill" }).raw().toBuffer();
    }
    return {
      assetType: "image",
      mimeType,
      extension: EXTENSIONS[mimeType] ?? "",
      width: autoOrient.width,
      height: autoOrient.height,
      details: null,
    };
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    throw pictureFault("The image is damaged or was cut off.", error);
  }
}

function checkPixels(pixels: number, most: number): void {
  if (pixels > most)
    throw pictureFault(
      `The image has ${pixels} pixels, more than the ${most} that are allowed. Send a smaller one.`,
    );
}
