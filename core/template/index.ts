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
export { escapeXml } from "./drawing/escape-xml.js";
export { linkVideos } from "./assets/link-videos.js";
export type { AssetReference } from "./assets/asset-book.js";
export {
  type Blueprint,
  blueprint,
  blueprintIds,
  blueprints,
} from "./blueprints/index.js";
export {
  checkDefinition,
  type CheckedDefinition,
} from "./check/check-definition.js";
export { checkSuccession } from "./check/check-succession.js";
export { compileTemplate } from "./compile/compile-template.js";
export { dataSourceOf, type DataSource } from "./definition/data-source.js";
export { designFacts } from "./design/design-facts.js";
export { sampleFacts, type SampleFacts } from "./facts/sample-facts.js";
export { liftDefinition } from "./migration/lift-definition.js";
export { definitionGuide } from "./guide/definition-guide.js";
export { definitionJsonSchema } from "./definition/json-schema.js";
export { renameField, usesOfField } from "./rename/rename-field.js";
export { normalizeDefinition } from "./definition/normalize-definition.js";
export type { Connection } from "./definition/data-schema.js";
export type { ProjectData } from "./definition/project-data.js";
export { PAGE_SIZES, type PageSize } from "./definition/page-schema.js";
export type { PdfOptions } from "./definition/pdf-schema.js";
export {
  renderOptionsSchema,
  type RenderOptions,
} from "./definition/render-options.js";
export {
  TEMPLATE_TYPES,
  type TemplateType,
} from "./definition/template-type.js";
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
