export {
  type Blueprint,
  blueprint,
  blueprintIds,
  blueprints,
} from "./blueprints/index.js";
export { importBlueprints } from "./import-blueprints.js";
export { TemplateGallery } from "./template-gallery.js";
export { checkTemplate, type NewTemplate } from "./check-template.js";
export type { TemplateOrder } from "./draft-template.js";
export { editTemplate, type TemplateEdit } from "./edit-template.js";
export {
  findTemplate,
  findTemplateForUpdate,
  noTemplate,
} from "./find-template.js";
export type { SeenVersion } from "./seen-version.js";
export {
  type ChangedTemplate,
  type TemplateDraft,
  TemplateEditor,
} from "./template-editor.js";
export type { TemplateOwner } from "./template-owner.js";
export type {
  PersonView,
  TemplateListView,
  TemplateSettingsView,
  TemplateVersionListView,
  TemplateVersionView,
  TemplateView,
  ThumbnailUrl,
} from "./template-view.js";
export {
  type PublishedTemplate,
  type TemplateList,
  type TemplatePatch,
  type TemplateQuery,
  Templates,
} from "./templates.js";
