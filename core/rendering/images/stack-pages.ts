import { PlatenError } from "../../plugin-api/index.js";
import { refuseTooManyPixels } from "./picture-limits.js";
import type { RasterPage } from "./raster-messages.js";

const CHANNELS = 4;
const WHITE = 255;

/** No jpg can be higher, and few programs open a png that is. */
const HIGHEST = 65_000;

/** Puts pages one below the other, as wide as the widest, on white. @throws PlatenError `too_large`. */
export function stackPages(pages: readonly RasterPage[]): RasterPage {
  const width = Math.max(...pages.map((page) => page.width));
  const height = pages.reduce((sum, page) => sum + page.height, 0);
  refuseTooManyPixels(width, height);
  if (height > HIGHEST) throw tooHigh(height);
  const pixels = Buffer.alloc(width * height * CHANNELS, WHITE);
  let top = 0;
  for (const page of pages) {
    copyRows(page, pixels, top, width);
    top += page.height;
  }
  return { page: pages[0]?.page ?? 1, width, height, pixels };
}

function copyRows(
  page: RasterPage,
  pixels: Buffer,
  top: number,
  width: number,
): void {
  const length = page.width * CHANNELS;
  for (let row = 0; row < page.height; row += 1) {
    const from = row * length;
    const line = page.pixels.subarray(from, from + length);
    pixels.set(line, (top + row) * width * CHANNELS);
  }
}

function tooHigh(height: number): PlatenError {
  return new PlatenError(
    "too_large",
    `The picture would be ${height} pixels high, more than ${HIGHEST}. ` +
      "Choose fewer pages, a smaller deviceScaleFactor, or a picture for each page.",
  );
}
