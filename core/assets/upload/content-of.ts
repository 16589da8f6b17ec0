import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { AssetLimits } from "../asset-limits.js";
import type { AssetKind } from "../kind/asset-kind.js";
import { fontKind } from "../kind/font-kind.js";
import { imageKind } from "../kind/image-kind.js";
import { pdfKind } from "../kind/pdf-kind.js";
import { videoKind } from "../kind/video-kind.js";
import { drawPoster } from "../picture/poster.js";
import { settleSvg } from "../picture/settle-svg.js";
import type { Received } from "./intake.js";

/** What is going to be stored. */
export interface Content {
  kind: AssetKind;
  contentHash: string;
  sizeBytes: number;
  /** Made anew at each call. */
  body(): Uint8Array | Readable;
  /** A video's still picture, as png. */
  poster: Buffer | null;
}

/** Checks the whole file, and makes an svg harmless. @throws PlatenError `invalid_request` that says what is wrong. */
export async function contentOf(
  received: Received,
  limits: AssetLimits,
): Promise<Content> {
  const { contentHash, sizeBytes } = received;
  if (received.family === "video") {
    const kind = await videoKind(received.file);
    const body = () => received.file.stream();
    const poster = await drawPoster(kind);
    return { kind, contentHash, sizeBytes, body, poster };
  }
  if (received.family === "svg") return svgContent(received.bytes, limits);
  const { bytes } = received;
  const kind = await kindOf(received, limits);
  return { kind, contentHash, sizeBytes, body: () => bytes, poster: null };
}

function kindOf(
  received: Exclude<Received, { family: "video" }>,
  { imagePixels }: AssetLimits,
): AssetKind | Promise<AssetKind> {
  if (received.family === "pdf") return pdfKind(received.bytes);
  return received.family === "font"
    ? fontKind(received.bytes)
    : imageKind(received.bytes, imagePixels);
}

/** An svg is stored as it is shown: the file that came is gone, and the hash is that of what is there. */
async function svgContent(
  raw: Buffer,
  { imagePixels }: AssetLimits,
): Promise<Content> {
  const bytes = await settleSvg(raw, imagePixels);
  return {
    kind: await imageKind(bytes, imagePixels),
    contentHash: createHash("sha256").update(bytes).digest("hex"),
    sizeBytes: bytes.length,
    body: () => bytes,
    poster: null,
  };
}
