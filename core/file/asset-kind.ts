import { PlatenError } from "../contract/index.js";
import type { Asset } from "../store/index.js";
import { fontFormat, readFont } from "./read-font.js";

/** What an asset's bytes are, whatever its file is called. */
export interface AssetKind extends Pick<
  Asset,
  "assetType" | "mimeType" | "width" | "height" | "details"
> {
  extension: string;
}

const sizeless = { width: null, height: null, details: null };

const pictures: Record<string, { mimeType: string; extension: string }> = {
  png: { mimeType: "image/png", extension: "png" },
  jpeg: { mimeType: "image/jpeg", extension: "jpg" },
  webp: { mimeType: "image/webp", extension: "webp" },
  gif: { mimeType: "image/gif", extension: "gif" },
};

/** @throws PlatenError `invalid_request` for what is no png, jpg, webp, gif, PDF or font. */
export async function assetKindOf(bytes: Uint8Array): Promise<AssetKind> {
  if (isPdf(bytes))
    return {
      assetType: "pdf",
      mimeType: "application/pdf",
      extension: "pdf",
      ...sizeless,
    };
  const fontType = fontFormat(bytes);
  if (fontType !== null) return fontKind(bytes, fontType);
  // Loaded by the first picture: it takes long to load.
  const { default: sharp } = await import("sharp");
  const { format, width, height } = await sharp(bytes)
    .metadata()
    .catch((cause: unknown) => {
      throw unusable(cause);
    });
  const kind = pictures[format];
  if (!kind) throw unusable();
  return { assetType: "image", ...kind, width, height, details: null };
}

/** What a style calls the font by is kept with it. */
async function fontKind(bytes: Uint8Array, format: string): Promise<AssetKind> {
  const { face, ...kind } = await readFont(bytes, format);
  return { assetType: "font", ...kind, ...sizeless, details: { ...face } };
}

/** Readers look for the mark in the first 1024 bytes (ISO 32000-1, annex H); ours want it at the beginning. */
function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
}

function unusable(cause?: unknown): PlatenError {
  return new PlatenError(
    "invalid_request",
    "The file is no picture, no PDF and no font that can be used. Use png, jpg, webp, gif, pdf, ttf, otf, woff or woff2.",
    { cause },
  );
}
