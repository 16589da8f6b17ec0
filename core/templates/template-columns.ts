import type { FindOptionsSelect } from "typeorm";
import type { Template, TemplateVersion } from "../storage/database/index.js";

// What the lists read: all but the definitions, which may be large.

const person = { id: true, name: true, email: true, image: true } as const;

export const templateColumns: FindOptionsSelect<Template> = {
  id: true,
  organizationId: true,
  folderId: true,
  name: true,
  description: true,
  dataSource: {},
  templateType: true,
  isActive: true,
  definitionHash: true,
  createdAt: true,
  updatedAt: true,
  createdBy: person,
};

export const versionColumns: FindOptionsSelect<TemplateVersion> = {
  id: true,
  templateId: true,
  description: true,
  version: true,
  createdAt: true,
  createdBy: person,
};
