// The template compiler: a definition is checked, normalized, and compiled once into a program that merges one
// record after the other into html. Pure: no clock, no state, no I/O but for its own files. Printing and fetching
// images are others' work.

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
