// The asset library: images, videos, fonts and PDFs, their validation, uploads and public URLs.
export { AssetLinks, PublicFiles } from "./asset-links.js";
export { type AssetListView, type AssetView, Assets } from "./assets.js";
export type { AssetContext } from "./context.js";
export {
  createImageError,
  detectImageType,
  getImageErrorMessage,
  limitImageSize,
  sanitizeSvg,
} from "./images.js";
export { createPosterSvg } from "./videos.js";
