// The library of organizations: pictures, videos, fonts and PDFs, what their bytes are, how they come in, and the
// addresses by which they are had. Which documents show them is the document room's matter.
export { AssetLinks, type AssetFileName } from "./asset-links.js";
export { type AssetLimits } from "./asset-limits.js";
export type { AssetOwner } from "./asset-owner.js";
export type { AssetParts } from "./asset-parts.js";
export type { AssetListView, AssetView } from "./asset-view.js";
export { type AssetList, type AssetQuery, Assets } from "./assets.js";
export type { AssetChange } from "./change-asset.js";
export type { AssetActor } from "./note-act.js";
export { pictureFault, reasonOf } from "./picture/picture-fault.js";
export { pictureType } from "./picture/picture-type.js";
export { posterSvg } from "./picture/poster.js";
export { settlePixels } from "./picture/settle-pixels.js";
export { settleSvg } from "./picture/settle-svg.js";
export { type PublicFile, PublicFiles } from "./public-files.js";
export type {
  UploadLinkRequest,
  UploadLinkView,
} from "./upload/upload-links.js";
export type {
  AssetBytes,
  AssetUpload,
  UploadOptions,
} from "./upload/uploads.js";
