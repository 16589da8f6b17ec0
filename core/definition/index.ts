export {
  checkDefinition,
  type CheckedDefinition,
} from "./validation/check-definition.js";
export { checkSuccession } from "./validation/check-succession.js";
export { dataSourceOf, type DataSource } from "./schema/data-source.js";
export { liftDefinition } from "./migration/lift-definition.js";
export { definitionGuide } from "./guide/definition-guide.js";
export { definitionJsonSchema } from "./schema/json-schema.js";
export { renameField, usesOfField } from "./rename/rename-field.js";
export { normalizeDefinition } from "./schema/normalize-definition.js";
export type { Connection } from "./schema/data-schema.js";
export type { ProjectData } from "./schema/project-data.js";
export { PAGE_SIZES, type PageSize } from "./schema/page-schema.js";
export type { PdfOptions } from "./schema/pdf-schema.js";
export {
  renderOptionsSchema,
  type RenderOptions,
} from "./schema/render-options.js";
export { TEMPLATE_TYPES, type TemplateType } from "./schema/template-type.js";
