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

/** The extension of files of a type; empty for unsupported types. */
export function getImageExtension(mimeType: string): string {
  return extensions[mimeType] ?? "";
}

/** The MIME type of files with this extension; null for other files. */
export function getImageType(extension: string): string | null {
  const entry = Object.entries(extensions).find(
    ([, supported]) => supported === extension,
  );
  return entry?.[0] ?? null;
}

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
      extension: getImageExtension(mimeType),
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
 * The image as it is printed: scaled down when it has more pixels than a page shows, in RGB, and upright where Chromium
 * would not turn it.
 * @throws PlatenError `invalid_request` above `maxPixels`, and for a damaged or incomplete image.
 */
export async function toPrintedImage(
  bytes: Buffer,
  maxPixels: number,
  owner?: string,
): Promise<Buffer> {
  const mimeType = detectImageType(bytes) ?? "";
  assertComplete(bytes, mimeType);
  // Loaded on first use: it takes long to load.
  const { default: sharp } = await import("sharp");
  const { width, height, pages, space, orientation } = await sharp(bytes)
    .metadata()
    .catch((cause: unknown) => {
      throw createImageError("The image is damaged.", cause);
    });
  const pixels = width * height;
  if (pixels > maxPixels)
    throw createImageError(
      `The image has ${width} × ${height} pixels, more than the limit of ${maxPixels}.`,
    );
  // A program that is not Chromium would convert its colors in another way.
  const isCmyk = space === "cmyk";
  const isTurned = mimeType === "image/webp" && (orientation ?? 1) > 1;
  const isPrintable = pixels <= maxPrintedPixels && !isCmyk && !isTurned;
  if (isPrintable || (pages ?? 1) > 1) return bytes;
  return decoding.run({ owner }, () => convert(bytes, mimeType));
}

/** Hardly any loss can be seen. */
const convertedQuality = 92;

/** Converts colors by the embedded profile; CMYK without one by the profile of libvips, "Chemical proof". */
async function convert(bytes: Buffer, mimeType: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  const { autoOrient } = await sharp(bytes).metadata();
  const { width, height } = autoOrient;
  const scale = Math.sqrt(maxPrintedPixels / (width * height));
  const image = sharp(bytes).autoOrient();
  if (scale < 1)
    image.resize({
      width: Math.round(width * scale),
      height: Math.round(height * scale),
      fit: "inside",
    });
  if (mimeType === "image/jpeg")
    image.jpeg({ quality: convertedQuality, chromaSubsampling: "4:4:4" });
  if (mimeType === "image/webp") image.webp({ quality: convertedQuality });
  return image.toBuffer().catch((cause: unknown) => {
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

/** Formats that no browser shows. */
const otherFormats: readonly [name: string, at: number, bytes: string][] = [
  ["TIFF", 0, "II*\0"],
  ["TIFF", 0, "MM\0*"],
  ["BMP", 0, "BM"],
  ["Photoshop", 0, "8BPS"],
  ["JPEG XL", 0, "\xff\n"],
  ["JPEG XL", 4, "JXL "],
  ["JPEG 2000", 4, "jP  "],
];
const heicBrand = /^(?:hei[cxms]|hev[cxms]|mi[fa]1|msf1|mif2)$/;

/** The name of an image format that is not supported; null for what is supported, and for what is no image. */
export function findOtherImageFormat(bytes: Uint8Array): string | null {
  if (detectImageType(bytes) !== null) return null;
  const latin = Buffer.from(bytes.subarray(0, 64)).toString("latin1");
  if (listBrands(latin).some((brand) => heicBrand.test(brand))) return "HEIC";
  const format = otherFormats.find(([, at, signature]) =>
    latin.startsWith(signature, at),
  );
  return format?.[0] ?? null;
}

/** The brands of an ISO media file, the main one first. */
function listBrands(latin: string): string[] {
  if (!latin.startsWith("ftyp", 4)) return [];
  const length = Math.min(Buffer.from(latin, "latin1").readUInt32BE(0), 64);
  const compatible = latin.slice(16, length).match(/[^]{4}/g) ?? [];
  return [latin.slice(8, 12), ...compatible];
}

/** Why an image whose type is not supported is refused, and what to use instead. */
export function getFormatError(bytes: Uint8Array): string {
  const name = findOtherImageFormat(bytes);
  if (name === null)
    return "Unsupported image format. Use png, jpg, gif, webp, avif or svg.";
  const advice =
    name === "HEIC"
      ? " iPhones take JPEG with Settings > Camera > Formats > Most Compatible."
      : "";
  return `Unsupported image format: ${name}. Save it as JPEG or PNG.${advice}`;
}

/** The MIME type by the content, whatever the name or server says; null for unsupported formats. */
export function detectImageType(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 4096));
  const latin = head.toString("latin1");
  for (const [mimeType, at, signature] of signatures)
    if (latin.startsWith(signature, at)) return mimeType;
  const [brand = "", ...compatible] = listBrands(latin);
  if (
    /^m[is]f1$/.test(brand) &&
    compatible.some((name) => /^avi[fs]$/.test(name))
  )
    return "image/avif";
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

/**
 * Removes what could run or load something, and checks embedded images. `changes` says in sentences what was changed.
 * @param compute cleans large drawings in a thread
 * @throws PlatenError `invalid_request`, or as `Compute.cleanSvg`.
 */
export async function sanitizeSvg(
  bytes: Buffer,
  maxPixels: number,
  compute: Pick<Compute, "cleanSvg">,
  organizationId: string,
) {
  const { svg, changes, images } = await compute.cleanSvg(bytes, {
    organizationId,
    subject: "The SVG",
  });
  let drawing = svg;
  for (const image of images) {
    const embedded = Buffer.from(image);
    if (detectImageType(embedded) === null)
      throw createImageError(
        `The SVG contains an image. ${getFormatError(embedded)}`,
      );
    const printed = await toPrintedImage(embedded, maxPixels, organizationId);
    if (printed !== embedded)
      drawing = drawing.replaceAll(
        embedded.toString("base64"),
        printed.toString("base64"),
      );
  }
  return { bytes: Buffer.from(drawing), changes };
}
