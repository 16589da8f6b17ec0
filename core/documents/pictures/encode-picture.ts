import {
  pictureFault,
  pictureType,
  settlePixels,
  settleSvg,
} from "../../assets/index.js";
import type { PictureLimits } from "./picture-limits.js";

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
      ? await settleSvg(bytes, limits.maxPixels)
      : await settlePixels(bytes, limits.maxPixels);
  return {
    dataUrl: `data:${mimeType};base64,${settled.toString("base64")}`,
    sizeBytes: settled.length,
  };
}
