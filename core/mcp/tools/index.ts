import type { Tool } from "../tool.js";
import { createTemplate } from "./create-template.js";
import { deleteAsset } from "./delete-asset.js";
import { deleteTemplate } from "./delete-template.js";
import { duplicateTemplate } from "./duplicate-template.js";
import { editTemplate } from "./edit-template.js";
import { getAsset } from "./get-asset.js";
import { getDocument } from "./get-document.js";
import { getTemplate } from "./get-template.js";
import { getTemplateAstGuide } from "./get-template-ast-guide.js";
import { getTemplateVersion } from "./get-template-version.js";
import { listAssets } from "./list-assets.js";
import { listDocuments } from "./list-documents.js";
import { listTemplates } from "./list-templates.js";
import { listTemplateVersions } from "./list-template-versions.js";
import { renderDocument } from "./render-document.js";
import type { ToolServices } from "./services.js";
import { uploadAsset } from "./upload-asset.js";

export type { ToolServices } from "./services.js";

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
