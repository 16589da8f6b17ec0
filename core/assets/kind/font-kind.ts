import type { AssetKind } from "./asset-kind.js";
import { fontFormat, readFont } from "./read-font.js";

/** What a style calls the font by is kept with it. @throws PlatenError `invalid_request` for a damaged one. */
export async function fontKind(bytes: Buffer): Promise<AssetKind> {
  const { face, ...kind } = await readFont(bytes, fontFormat(bytes) ?? "");
  return {
    assetType: "font",
    ...kind,
    width: null,
    height: null,
    details: { ...face },
  };
}
