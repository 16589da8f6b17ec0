// The asset library: images, videos, fonts and PDFs, their validation, uploads and public URLs.
export { AssetLinks, PublicFiles } from "./asset-links.js";
export { Assets } from "./assets.js";
export {
  assetListItemSchema,
  type AssetListView,
  assetSchema,
  type AssetView,
} from "./context.js";
export { type EmailImage, EmailImages } from "./email-images.js";
export {
  createImageError,
  detectImageType,
  drawPng,
  getImageExtension,
  rasterizeSvg,
  getImageErrorMessage,
  getFormatError,
  toPrintedImage,
  sanitizeSvg,
} from "./images.js";
export { createPosterSvg } from "./videos.js";
export { uploadLinkSchema } from "./uploads.js";
