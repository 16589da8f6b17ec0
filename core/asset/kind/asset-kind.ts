import type { Asset } from "../../store/index.js";

/** What an asset's bytes are, whatever its file is called. */
export interface AssetKind extends Pick<
  Asset,
  "assetType" | "mimeType" | "width" | "height" | "details"
> {
  extension: string;
}
