import { pictureFault } from "./picture-fault.js";
import type { PictureLimits } from "./picture-limits.js";
import { pictureType } from "./picture-type.js";
import { embeddedPictures, sanitizeSvg } from "./sanitize-svg.js";
import { settlePixels } from "./settle-pixels.js";

/** An image as a document holds it. */
export interface Picture {
  dataUrl: string;
  /** Of the image itself; its data URL is a third longer. */
  sizeBytes: number;
}

type Limits = Pick<PictureLimits, "maxBytes" | "maxPixels">;

/** Makes an image of bytes, by what they are. @throws PlatenError that says why a document does not show it. */
export async function encodePicture(
  bytes: Buffer,
  limits: Limits,
): Promise<Picture> {
  if (bytes.length > limits.maxBytes)
    throw pictureFault(`The image is larger than ${limits.maxBytes} bytes.`);
  const mimeType = pictureType(bytes);
  if (mimeType === null)
    throw pictureFault(
      "This is no image that a document shows. Use png, jpg, gif, webp, avif or svg.",
    );
  const settled =
    mimeType === "image/svg+xml"
      ? await settleSvg(bytes, limits)
      : await settlePixels(bytes, limits.maxPixels);
  return {
    dataUrl: `data:${mimeType};base64,${settled.toString("base64")}`,
    sizeBytes: settled.length,
  };
}

/** The images inside an svg are held to the same limit of pixels as any other. */
async function settleSvg(
  bytes: Buffer,
  { maxPixels }: Limits,
): Promise<Buffer> {
  const svg = sanitizeSvg(bytes.toString("utf8"));
  for (const embedded of embeddedPictures(svg)) {
    if (pictureType(embedded) === null)
      throw pictureFault("The svg holds what is no image.");
    await settlePixels(embedded, maxPixels);
  }
  return Buffer.from(svg);
}
