import { z } from "zod";
import { definition, person, timestamp } from "./common.js";

const summary = {
  id: z.string().meta({ format: "uuid" }),
  organizationId: z.string(),
  folderId: z.string().nullable(),
  name: z.string(),
  description: z.string().nullable(),
  dataSource: z
    .strictObject({
      platform: z.string().nullable(),
      connectionId: z.string().nullable(),
      baseId: z.string().nullable(),
      tableId: z.string().nullable(),
    })
    .nullable()
    .meta({ description: "Where its records come from; null when not set." }),
  templateType: z.enum(["document", "email"]),
  thumbnailUrl: z.string().meta({
    description: "A picture of its first page; needs no key.",
  }),
  isActive: z.boolean().meta({ description: "Available for rendering." }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

const detail = {
  ...summary,
  createdById: z.string(),
  trashedById: z.string().nullable(),
  isFavorite: z.boolean(),
  isTrashed: z.boolean(),
  trashedAt: timestamp.nullable(),
  version: z.number().int().meta({ description: "Version counter." }),
};

export const templateListItem = z
  .strictObject({ ...summary, createdBy: person })
  .meta({ id: "TemplateListItem" });

export const templateDetail = z
  .strictObject({ ...detail, definition })
  .meta({ id: "Template" });

/** The answer to a PATCH: without the definition, which it cannot change. */
export const templateSettings = z
  .strictObject(detail)
  .meta({ id: "TemplateSettings" });

export const templateTypeOnly = z
  .strictObject({ id: summary.id, templateType: summary.templateType })
  .meta({ id: "TemplateTypeOnly" });

const versionFields = {
  id: z.string().meta({ example: "ver_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f" }),
  templateId: z.string(),
  description: z.string(),
  version: z.number().int(),
  createdAt: timestamp,
};

export const templateVersionListItem = z
  .strictObject({ ...versionFields, createdBy: person })
  .meta({ id: "TemplateVersionListItem" });

export const templateVersionDetail = z
  .strictObject({ ...versionFields, createdById: z.string(), definition })
  .meta({ id: "TemplateVersion" });

export const templatePatch = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(255, "must be at most 255 characters long"),
    description: z
      .string()
      .max(10_000, "must be at most 10000 characters long")
      .nullable(),
    folderId: z
      .string()
      .nullable()
      .meta({ description: "A folder of the organization, or null for none." }),
    isActive: z.boolean(),
    isFavorite: z.boolean(),
    createVersion: z.boolean().meta({
      description:
        "True freezes the live definition as a snapshot with the next version number.",
    }),
  })
  .partial()
  .meta({ id: "TemplatePatch", example: { isActive: true } });
