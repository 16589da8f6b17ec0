export {
  checkDefinition,
  type CheckedDefinition,
} from "./validation/check-definition.js";
export { checkSuccession } from "./validation/validate-update.js";
export {
  dataSourceOf,
  type DataSource,
  type ProjectData,
  TEMPLATE_TYPES,
  type TemplateType,
} from "./schema/definition-schema.js";
export { liftDefinition } from "./migrate-definition.js";
export { definitionGuide } from "./guide/definition-guide.js";
export { definitionJsonSchema } from "./schema/json-schema.js";
export { renameField, usesOfField } from "./rename-field.js";
export { normalizeDefinition } from "./schema/normalize-definition.js";
export type { Connection } from "./schema/data-schema.js";
export {
  PAGE_SIZES,
  type PageSize,
  type PdfOptions,
  renderOptionsSchema,
  type RenderOptions,
} from "./schema/output-schema.js";
