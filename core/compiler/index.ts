// The template compiler: a definition is checked, normalized, and compiled once into a program that merges one
// record after the other into html. Pure: no clock, no state, no I/O but for its own files. Printing and fetching
// images are others' work.

export { bytesOfDataUrl } from "./assets/data-url.js";
export {
  familiesIn,
  type FontFace,
  inlineFonts,
} from "./assets/inline-fonts.js";
export { inlineAssets, isRemote, linkAssets } from "./assets/inline-assets.js";
export { escapeXml } from "../lib/escape-xml.js";
export { linkVideos } from "./assets/link-videos.js";
export type { AssetReference } from "../definition/assets/asset-book.js";
export { compileTemplate } from "./compile/compile-template.js";
export { designFacts } from "./design/design-facts.js";
export { sampleFacts, type SampleFacts } from "./facts/sample-facts.js";
export { MERGE_LIMITS, type MergeLimits } from "./merge/limits.js";
export type { MergeOptions } from "./merge/merge-options.js";
export type {
  MergedDocument,
  MergedMjml,
  MergeReport,
  OverlaySource,
  Program,
} from "./merge/merged-document.js";
export type { MergedPdf } from "./merge/merged-pdf.js";
export type { InvalidCode, MissingValue } from "./merge/run.js";
export type { MergedAddressees } from "./merge/merged-signing.js";
export {
  type SignField,
  signLinks,
  withoutSignLinks,
} from "./merge/sign-fields.js";
export {
  markupWithoutFieldTags,
  withoutFieldTags,
} from "./output/field-tags.js";
