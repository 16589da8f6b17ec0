// The images of documents: fetched, checked, made harmless and kept for the next document.
export { withoutDrawnTags } from "./without-drawn-tags.js";
export type { FailedAsset, ResolvedAssets } from "./pictures.js";
export { Pictures } from "./pictures.js";
export type { PictureLimits } from "./picture-limits.js";
