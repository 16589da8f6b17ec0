import { PlatenError } from "../../plugin-api/index.js";

export const DEFAULT_SCALE = 2;
export const DEFAULT_QUALITY = 85;
const MAX_IMAGES = 100;

/** Takes 256 MB of memory while it is drawn. */
const MAX_PIXELS = 64_000_000;

/** @throws PlatenError `too_large`. */
export function assertPixelLimit(width: number, height: number): void {
  if (width * height <= MAX_PIXELS) return;
  throw new PlatenError(
    "too_large",
    `The image would be ${Math.round(width)} x ${Math.round(height)} pixels, ` +
      `more than ${MAX_PIXELS / 1_000_000} million. Choose a smaller scale.`,
  );
}

/** @throws PlatenError `too_large`. */
export function assertImageLimit(count: number): void {
  if (count <= MAX_IMAGES) return;
  throw new PlatenError(
    "too_large",
    `Images of ${count} pages were requested; at most ${MAX_IMAGES} are rendered at once. Choose fewer with pages.`,
  );
}
