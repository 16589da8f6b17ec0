import type { Compute } from "../compute/index.js";
import { FairQueue } from "../lib/fair-queue.js";
import { PlatenError } from "../plugin-api/index.js";
import { isCompleteImage } from "./complete-images.js";
import type { AssetKind } from "./asset-kind.js";

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "image/avif": "avif",
  "image/svg+xml": "svg",
};

/**
 * Decoding takes up to four bytes per pixel, and one of the threads that files are read by: two of the four, of which one
 * is for organizations that would have to wait for another's images.
 */
const decoding = new FairQueue(1, { what: "an image to be decoded" });

/**
 * Decodes the image, so that a damaged one is rejected at the upload and not in a document.
 * @param bytes an SVG must be sanitized.
 * @throws PlatenError `invalid_request`, also for too many pixels.
 */
export function readImageKind(
  bytes: Buffer,
  maxPixels: number,
  owner?: string,
): Promise<AssetKind> {
  return decoding.run({ owner }, () => decode(bytes, maxPixels));
}

async function decode(bytes: Buffer, maxPixels: number): Promise<AssetKind> {
  // Loaded on first use: it takes long to load.
  const { default: sharp } = await import("sharp");
  try {
    const image = sharp(bytes, { limitInputPixels: false, failOn: "error" });
    const { width, height, autoOrient } = await image.metadata();
    const mimeType = detectImageType(bytes) ?? "";
    assertComplete(bytes, mimeType);
    if (mimeType !== "image/svg+xml") {
      const pixels = width * height;
      if (pixels > maxPixels)
        throw createImageError(
          `The image has ${pixels} pixels, more than the limit of ${maxPixels}. Send a smaller one.`,
        );
      await image.resize(8, 8, { fit: "fill" }).raw().toBuffer();
    }
    return {
      assetType: "image",
      mimeType,
      extension: extensions[mimeType] ?? "",
      width: autoOrient.width,
      height: autoOrient.height,
      details: null,
    };
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    throw createImageError("The image is damaged or incomplete.", error);
  }
}

/** @throws PlatenError `invalid_request` for an image whose data ends early. */
function assertComplete(bytes: Buffer, mimeType: string): void {
  if (!isCompleteImage(bytes, mimeType))
    throw createImageError(
      "The image is incomplete: its data ends early. Use the complete file.",
    );
}

/** Enough for a full A4 page at 400 dpi. */
const maxPrintedPixels = 16_000_000;

/**
 * Scales down an image with more pixels than a page shows.
 * @throws PlatenError `invalid_request` above `maxPixels`, and for a damaged or incomplete image.
 */
export async function limitImageSize(
  bytes: Buffer,
  maxPixels: number,
  owner?: string,
): Promise<Buffer> {
  assertComplete(bytes, detectImageType(bytes) ?? "");
  // Loaded on first use: it takes long to load.
  const { default: sharp } = await import("sharp");
  const { width, height, pages } = await sharp(bytes)
    .metadata()
    .catch((cause: unknown) => {
      throw createImageError("The image is damaged.", cause);
    });
  const pixels = width * height;
  if (pixels > maxPixels)
    throw createImageError(
      `The image has ${width} × ${height} pixels, more than the limit of ${maxPixels}.`,
    );
  if (pixels <= maxPrintedPixels || (pages ?? 1) > 1) return bytes;
  return decoding.run({ owner }, () => scaleDown(bytes, width, height));
}

async function scaleDown(
  bytes: Buffer,
  width: number,
  height: number,
): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const scale = Math.sqrt(maxPrintedPixels / (width * height));
  return sharp(bytes)
    .autoOrient()
    .resize({
      width: Math.round(width * scale),
      height: Math.round(height * scale),
      fit: "inside",
    })
    .toBuffer()
    .catch((cause: unknown) => {
      throw createImageError("The image is damaged.", cause);
    });
}

/** Pixels for each CSS px of a drawing: phones show emails at two and more. */
const drawingScale = 2;

/**
 * Draws an SVG of ours as PNG, about twice as large as it is shown; bars and modules become whole pixels, so that they
 * can be scanned. Its texts need the fonts that the renderer installs when it starts.
 */
export function drawPng(
  {
    svg,
    widthPx,
    heightPx,
  }: { svg: string; widthPx: number; heightPx: number },
  owner: string,
): Promise<Buffer> {
  const maxScale = Math.sqrt(maxPrintedPixels / (widthPx * heightPx));
  const scale = Math.min(drawingScale, maxScale);
  const [, boxWidth, boxHeight] =
    / viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? [];
  const isGrid = svg.includes('shape-rendering="crispEdges"');
  const [unitsWide = widthPx, unitsHigh = heightPx] = isGrid
    ? [boxWidth, boxHeight]
    : [];
  const unit = isGrid ? Math.ceil((scale * widthPx) / unitsWide) : scale;
  const [width, height] = [unitsWide, unitsHigh].map((units) =>
    Math.max(1, Math.round(units * unit)),
  );
  const sized = svg.replace(/^<svg [^>]*>/, (root) =>
    root
      .replaceAll(/ (?:width|height)="[^"]*"/g, "")
      .replace(
        "<svg ",
        `<svg width="${width}" height="${height}" preserveAspectRatio="none" `,
      ),
  );
  return decoding.run({ owner }, async () => {
    const { default: sharp } = await import("sharp");
    return sharp(Buffer.from(sized), { limitInputPixels: false })
      .png({ palette: true, compressionLevel: 9 })
      .toBuffer();
  });
}

/** Draws a sanitized SVG as PNG, at twice its size unless that is too large. */
export function rasterizeSvg(svg: Buffer, owner: string): Promise<Buffer> {
  return decoding.run({ owner }, async () => {
    const { default: sharp } = await import("sharp");
    const { width, height } = await sharp(svg).metadata();
    const maxScale = Math.sqrt(maxPrintedPixels / (width * height));
    const density = 72 * Math.min(drawingScale, maxScale);
    return sharp(svg, { density, limitInputPixels: false }).png().toBuffer();
  });
}

const signatures: readonly [mimeType: string, at: number, bytes: string][] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["image/avif", 4, "ftypavif"],
  ["image/avif", 4, "ftypavis"],
];

/** An XML declaration, comments and a document type may precede the first element, which may have a prefix. */
const svgStart =
  /^\s*(?:<(?:\?[^]*?\?|!--[^]*?--)>\s*)*(?:<!doctype\s+(?:[\w-]+:)?svg\b|<(?:[\w-]+:)?svg[\s>/])/i;

/** The MIME type by the content, whatever the name or server says; null for unsupported formats. */
export function detectImageType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4096));
  const latin = head.toString("latin1");
  for (const [mimeType, at, signature] of signatures)
    if (latin.startsWith(signature, at)) return mimeType;
  // In UTF-16, every other byte of markup is 0.
  const text = latin.replace(/^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/, "");
  return svgStart.test(text.replaceAll("\0", "")) ? "image/svg+xml" : null;
}

/** An image that cannot be shown; the message appears in the document's report. */
export function createImageError(reason: string, cause?: unknown): PlatenError {
  return new PlatenError("invalid_request", reason, { cause });
}

/** Hides internal errors. */
export function getImageErrorMessage(thrown: unknown): string {
  if (thrown instanceof PlatenError) return thrown.message;
  return "The image could not be read.";
}

/** A sanitized SVG, and what was changed or left out, in sentences. */
interface SafeSvg {
  bytes: Buffer;
  changes: readonly string[];
}

/**
 * Removes what could run or load something, and checks embedded images.
 * @param compute cleans large drawings in a thread
 * @throws PlatenError `invalid_request`, or as `Compute.cleanSvg`.
 */
export async function sanitizeSvg(
  bytes: Buffer,
  maxPixels: number,
  compute: Pick<Compute, "cleanSvg">,
  organizationId: string,
): Promise<SafeSvg> {
  const { svg, changes, images } = await compute.cleanSvg(bytes, {
    organizationId,
    subject: "The SVG",
  });
  for (const image of images) {
    const embedded = Buffer.from(image);
    if (detectImageType(embedded) === null)
      throw createImageError(
        "The SVG contains an embedded image in an unsupported format.",
      );
    await limitImageSize(embedded, maxPixels, organizationId);
  }
  return { bytes: Buffer.from(svg), changes };
}
