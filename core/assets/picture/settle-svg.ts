import { pictureFault } from "./picture-fault.js";
import { pictureType } from "./picture-type.js";
import { embeddedPictures, sanitizeSvg } from "./sanitize-svg.js";
import { settlePixels } from "./settle-pixels.js";

/**
 * The svg made harmless; the images inside it are held to the same limit of pixels as any other.
 * @throws PlatenError `invalid_request` for what cannot be used.
 */
export async function settleSvg(
  bytes: Buffer,
  maxPixels: number,
): Promise<Buffer> {
  const svg = sanitizeSvg(bytes.toString("utf8"));
  for (const embedded of embeddedPictures(svg)) {
    if (pictureType(embedded) === null)
      throw pictureFault("The svg holds what is no image.");
    await settlePixels(embedded, maxPixels);
  }
  return Buffer.from(svg);
}
