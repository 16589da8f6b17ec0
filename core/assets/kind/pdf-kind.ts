import { PlatenError } from "../../plugin-api/index.js";
import type { AssetKind } from "./asset-kind.js";

/** Some writers leave a little behind the mark at the end. */
const TAIL_BYTES = 4096;

/** @throws PlatenError `invalid_request` for a PDF that lacks its end. */
export function pdfKind(bytes: Buffer): AssetKind {
  if (!bytes.subarray(-TAIL_BYTES).includes("%%EOF"))
    throw new PlatenError(
      "invalid_request",
      "The PDF lacks its end (%%EOF): it was cut off. Send the whole file.",
    );
  return {
    assetType: "pdf",
    mimeType: "application/pdf",
    extension: "pdf",
    width: null,
    height: null,
    details: null,
  };
}
