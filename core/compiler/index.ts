// Compiles a checked definition once into a program that merges records into html. Pure: no clock, no state, and no I/O
// except for its own files. Printing and fetching images happen elsewhere.

export {
  bytesOfDataUrl,
  inlineAssets,
  isRemote,
  linkAssets,
  linkVideos,
} from "./assets/inline-assets.js";
export {
  familiesIn,
  type FontFace,
  inlineFonts,
} from "./assets/inline-fonts.js";
export { escapeXml } from "../lib/escape-xml.js";
export type { AssetReference } from "../definition/asset-registry.js";
export { compileTemplate } from "./compile/compile-template.js";
export { designFacts } from "./design/design-facts.js";
export { sampleFacts, type SampleFacts } from "./sample-facts.js";
export {
  MERGE_LIMITS,
  type MergeLimits,
  type MergeOptions,
  type InvalidCode,
  type MissingValue,
  type SignField,
  signLinks,
  withoutSignLinks,
} from "./merge/run.js";
export type {
  MergedDocument,
  MergedMjml,
  MergeReport,
  OverlaySource,
  Program,
  MergedPdf,
  MergedAddressees,
} from "./merge/merged-document.js";
export { markupWithoutFieldTags, withoutFieldTags } from "./escape.js";
