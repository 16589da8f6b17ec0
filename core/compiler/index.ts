// Compiles a checked definition once into a program that merges records into html. Pure: no clock, no state, and no I/O
// except for its own files. Printing and fetching images happen elsewhere.

export {
  decodeDataUrl,
  inlineAssets,
  isRemote,
  getDrawing,
  linkAssets,
  linkVideos,
  findFontFamilies,
  type FontFace,
  inlineFonts,
} from "./inline-assets.js";
export { nameFontFamilies } from "./font-stacks.js";
export { escapeXml } from "../lib/escape-xml.js";
export {
  type AssetReference,
  placeholder,
} from "../definition/asset-registry.js";
export { compileEinvoice } from "./einvoice/index.js";
export { compileTemplate } from "./compile-template.js";
export { compileMjmlPage, needsConversion } from "./email/compile-email.js";
export { toPlainText } from "./email/plain-text.js";
export { fitHeaders, overlayHtml } from "./headers/margin-boxes.js";
export { getDesignFacts } from "./design/design-facts.js";
export { evaluateSample } from "./sample-facts.js";
export { assertNumbered } from "./start-merge.js";
export type {
  MergeOptions,
  MergedDocument,
  MergedMjml,
  MergedTexts,
  MergeReport,
  Program,
  CheckedEinvoice,
  MergedEinvoice,
  MergedPdf,
  MergedSigners,
} from "./program.js";
export { type SignField, signLinks, removeSignLinks } from "./sign-fields.js";
export { toFileName } from "./merge-run.js";
export { escapeFieldTagsInMarkup, escapeFieldTags } from "./markup.js";
export type { DesignFont, DraftAnalysis, EditorDesign } from "./views.js";
