import { PlatenError } from "../plugin-api/index.js";

/** About 40 pages of a table; printing more takes a third of a second or longer. */
const LONG_CHARACTERS = 256 * 1024;

/** A long document prints in a page pool of its own. Inlined images and fonts do not count, since they print fast. */
export function isLong(html: string): boolean {
  if (html.length < LONG_CHARACTERS) return false;
  return stripDataUrls(html).length >= LONG_CHARACTERS;
}

/**
 * Inlined images and fonts do not count, since they have their own limits.
 * @throws PlatenError `too_large` past `limit` bytes: Chromium's time and memory grow faster than the document.
 */
export function assertPrintSize(html: string, limit: number): void {
  if (Buffer.byteLength(html) <= limit) return;
  const bytes = Buffer.byteLength(stripDataUrls(html));
  if (bytes <= limit) return;
  throw new PlatenError(
    "too_large",
    `The document is ${formatMegabytes(bytes)} MB of html, more than the limit of ${formatMegabytes(limit)} MB. ` +
      "Send fewer rows, or raise PLATEN_MAX_PRINT_BYTES.",
  );
}

function stripDataUrls(html: string): string {
  return html.replace(/data:[^"')\s]*/g, "");
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

export const DEFAULT_SCALE = 2;
export const DEFAULT_QUALITY = 85;
const MAX_PICTURES = 100;

/** Takes 256 MB of memory while it is drawn. */
const MAX_PIXELS = 64_000_000;

/** @throws PlatenError `too_large`. */
export function assertPixelLimit(width: number, height: number): void {
  if (width * height <= MAX_PIXELS) return;
  throw new PlatenError(
    "too_large",
    `The picture would be ${Math.round(width)} x ${Math.round(height)} pixels, ` +
      `more than ${MAX_PIXELS / 1_000_000} million. Choose a smaller scale.`,
  );
}

/** @throws PlatenError `too_large`. */
export function assertPictureLimit(count: number): void {
  if (count <= MAX_PICTURES) return;
  throw new PlatenError(
    "too_large",
    `Pictures of ${count} pages were asked for, at most ${MAX_PICTURES} are drawn at once. Choose fewer with pages.`,
  );
}
