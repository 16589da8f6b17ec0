export {
  checkDefinition,
  type CheckedDefinition,
  validateTemplateUpdate,
} from "./validation/check-definition.js";
export { findUnfinished } from "./validation/check-unfinished.js";
export { splitTemplate } from "./expressions/parse.js";
export { checkRootText } from "./validation/check-bindings.js";
export {
  compileDataChecker,
  type DataCheckOptions,
  type DataProblem,
  isFormulaError,
  UNKNOWN_FIELDS,
  type UnknownFields,
} from "./validation/check-data.js";
export {
  getDataSource,
  type DataSource,
  type ProjectData,
  TEMPLATE_TYPES,
  type TemplateType,
} from "./schema/definition-schema.js";
export {
  expandPartials,
  findPartialNames,
  MAX_PARTIAL_NAME,
  NO_PARTIALS,
  PARTIAL_NAME,
  type PartialLibrary,
  resolvePartials,
} from "./partials.js";
export { migrateDefinition } from "./migrate-definition.js";
export { definitionGuide } from "./guide/definition-guide.js";
export { definitionJsonSchema } from "./schema/json-schema.js";
export { checkSample } from "./check-sample.js";
export {
  type Directive,
  DIRECTIVES,
  FLAG_DIRECTIVES,
} from "./markup/vocabulary.js";
export { pathKeys } from "./validation/problems.js";
export { renameField, findFieldUses } from "./rename-field.js";
export { normalizeDefinition } from "./schema/normalize-definition.js";
export {
  EINVOICE_PROFILES,
  type EinvoiceProfile,
} from "./schema/einvoice-terms.js";
export { localeSchema } from "./schema/primitives.js";
export {
  type Connection,
  dataCollectionSchema,
  getFormula,
} from "./schema/data-schema.js";
export {
  conformanceListSchema,
  findConformanceConflicts,
  findTagged,
  listConformance,
} from "./schema/conformance.js";
export {
  PAGE_SIZES,
  type PageSize,
  type PdfOptions,
  renderOptionsSchema,
  type RenderOptions,
} from "./schema/output-schema.js";
export {
  checkSequence,
  createSequenceUse,
  type SequenceUse,
  writeNumber,
} from "./expressions/index.js";
export type { FieldReference } from "./views.js";
