export { blueprint, blueprintIds, blueprints } from "./blueprints/index.js";
export {
  checkEdit,
  runChecked,
  editTemplate,
  type TemplateEdit,
} from "./edit-template.js";
export { importBlueprints } from "./create-template.js";
export { type TemplateDraft, TemplateEditor } from "./template-editor.js";
export { TemplateGallery, Templates, CHECK_DELIVER } from "./templates.js";
export { type InlineDefinition, InlineTemplates } from "./inline-templates.js";
export { brandKitSchema, brandSchema } from "./apply-brand.js";
export { Brands, changedBrandSchema } from "./brand.js";
export { Partials, partialSchema } from "./partials.js";
export { checkTemplate, createDefinitionError } from "./check-template.js";
export { maxPatchOperations, PATCH_OPERATIONS } from "./definition-patch.js";
export {
  findTemplate,
  findTemplateForUpdate,
  throwTemplateNotFound,
  type TemplateOwner,
} from "./template-repository.js";
export type { TemplateListView, TemplateView } from "./template-view.js";
export {
  templateListItemSchema,
  templateSchema,
  templateSettingsSchema,
  templateVersionListItemSchema,
  templateVersionSchema,
  THUMBNAIL_URL,
} from "./template-view.js";
export { type BlueprintCard, TEMPLATE_FILTERS } from "./views.js";
