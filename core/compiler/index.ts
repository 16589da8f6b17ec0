// Compiles a checked definition once into a program that merges records into html. Pure: no clock, no state, and no I/O
// except for its own files. Printing and fetching images happen elsewhere.

export {
  decodeDataUrl,
  inlineAssets,
  isRemote,
  linkAssets,
  linkVideos,
} from "./assets/inline-assets.js";
export {
  findFontFamilies,
  type FontFace,
  inlineFonts,
} from "./assets/inline-fonts.js";
export { escapeXml } from "../lib/escape-xml.js";
export type { AssetReference } from "../definition/asset-registry.js";
export { compileTemplate } from "./compile/compile-template.js";
export { getDesignFacts } from "./design/design-facts.js";
export { evaluateSample, type SampleFacts } from "./sample-facts.js";
export {
  MERGE_LIMITS,
  type MergeLimits,
  type MergeOptions,
  type InvalidCode,
  type MissingValue,
  type SignField,
  signLinks,
  removeSignLinks,
} from "./merge/run.js";
export type {
  MergedDocument,
  MergedMjml,
  MergeReport,
  OverlaySource,
  Program,
  MergedPdf,
  MergedSigners,
} from "./merge/merged-document.js";
export { escapeFieldTagsInMarkup, escapeFieldTags } from "./escape.js";
