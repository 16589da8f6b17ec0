import type { Asset } from "../storage/database/index.js";

/** What a file is by its content, whatever its name is. */
export interface AssetKind extends Pick<
  Asset,
  "assetType" | "mimeType" | "width" | "height" | "details"
> {
  extension: string;
}
