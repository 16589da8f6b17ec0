import type { ImageType } from "../../plugin-api/index.js";
import { DEFAULT_QUALITY } from "./picture-limits.js";
import type { RasterPage } from "./raster-messages.js";

/** PNG is lossless; `quality` (1 to 100) is for jpg. Works in the thread pool. */
export async function encodeImage(
  drawn: Pick<RasterPage, "pixels" | "width" | "height">,
  type: ImageType,
  quality: number = DEFAULT_QUALITY,
): Promise<Buffer> {
  // Loaded when the first picture is made: it takes long to load, and many a service makes none.
  const { default: sharp } = await import("sharp");
  const { pixels, width, height } = drawn;
  const image = sharp(pixels, {
    raw: { width, height, channels: 4 },
    limitInputPixels: false,
  }).removeAlpha();
  return (type === "png" ? image.png() : image.jpeg({ quality })).toBuffer();
}
