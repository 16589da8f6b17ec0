import { pictureFault } from "./picture-fault.js";

/** Enough for a full page of A4 at 400 dots per inch; more only costs memory and time. */
const ENOUGH_PIXELS = 16_000_000;

/** The same image, or a smaller one where it has far more pixels than paper shows. @throws PlatenError past the limit. */
export async function settlePixels(
  bytes: Buffer,
  maxPixels: number,
): Promise<Buffer> {
  // Loaded by the first picture: it takes long to load.
  const { default: sharp } = await import("sharp");
  const { width, height, pages } = await sharp(bytes)
    .metadata()
    .catch((cause: unknown) => {
      throw pictureFault("The image is damaged.", cause);
    });
  const pixels = width * height;
  if (pixels > maxPixels)
    throw pictureFault(
      `The image has ${width} × ${height} pixels, more than the ${maxPixels} that are allowed.`,
    );
  if (pixels <= ENOUGH_PIXELS || (pages ?? 1) > 1) return bytes;
  const scale = Math.sqrt(ENOUGH_PIXELS / pixels);
  return sharp(bytes)
    .autoOrient()
    .resize({
      width: Math.round(width * scale),
      height: Math.round(height * scale),
      fit: "inside",
    })
    .toBuffer()
    .catch((cause: unknown) => {
      throw pictureFault("The image is damaged.", cause);
    });
}
