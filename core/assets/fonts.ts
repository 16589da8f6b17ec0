import type { Compute } from "../compute/index.js";
import type { AssetKind } from "./asset-kind.js";

/** null for other formats. */
export function detectFontFormat(bytes: Uint8Array): string | null {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString("latin1");
  if (mark === "\0\x01\0\0" || mark === "true") return "TTF";
  if (mark === "OTTO") return "OTF";
  if (mark === "wOFF") return "WOFF";
  return mark === "wOF2" ? "WOFF2" : null;
}

/**
 * Opens the font in a thread.
 * @throws PlatenError `invalid_request` for a damaged font and for one without a name, or as `Compute.readFont`.
 */
export async function readFontKind(
  bytes: Buffer,
  compute: Pick<Compute, "readFont">,
  organizationId: string,
): Promise<AssetKind> {
  const extension = (detectFontFormat(bytes) ?? "TTF").toLowerCase();
  const caller = { organizationId, subject: "The font" };
  const { face } = await compute.readFont(bytes, caller);
  return {
    assetType: "font",
    mimeType: `font/${extension}`,
    extension,
    width: null,
    height: null,
    details: { ...face },
  };
}
