// The asset library: images, videos, fonts and PDFs, their validation, uploads and public URLs.
export { AssetLinks, PublicFiles } from "./asset-links.js";
export type { AssetListView, AssetView } from "./asset-view.js";
export { Assets } from "./assets.js";
export type { AssetContext } from "./context.js";
export {
  createImageError,
  detectImageType,
  getImageErrorMessage,
  limitImageSize,
} from "./images.js";
export { sanitizeSvg } from "./svg.js";
export { createPosterSvg } from "./videos.js";
