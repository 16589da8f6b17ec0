import type { Asset } from "../../storage/database/index.js";

/** What an asset's bytes are, whatever its file is called. */
export interface AssetKind extends Pick<
  Asset,
  "assetType" | "mimeType" | "width" | "height" | "details"
> {
  extension: string;
}
