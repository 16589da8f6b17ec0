import type { Tool } from "../tool.js";
import {
  createTemplate,
  deleteTemplate,
  duplicateTemplate,
  editTemplate,
  getTemplate,
  listTemplates,
  getTemplateAstGuide,
  getTemplateVersion,
  listTemplateVersions,
} from "./templates.js";
import { deleteAsset, getAsset, listAssets, uploadAsset } from "./assets.js";
import { getDocument, listDocuments, renderDocument } from "./documents.js";
import type { ToolServices } from "./shared.js";

export type { ToolServices } from "./shared.js";

/** Every tool, in the order in which they are listed. */
export function createTools(services: ToolServices): Tool[] {
  return [
    getTemplateAstGuide(),
    createTemplate(services),
    editTemplate(services),
    listTemplates(services),
    getTemplate(services),
    duplicateTemplate(services),
    deleteTemplate(services),
    listTemplateVersions(services),
    getTemplateVersion(services),
    renderDocument(services),
    listDocuments(services),
    getDocument(services),
    uploadAsset(services),
    listAssets(services),
    getAsset(services),
    deleteAsset(services),
  ];
}
