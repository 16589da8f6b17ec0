import { z } from "zod";
import { PlatenError } from "../plugin-api/index.js";
import type {
  Template,
  TemplateVersion,
  User,
} from "../storage/database/index.js";
import { createToken, provide } from "../lib/injection.js";
import {
  definitionSchema,
  deliverField,
  personSchema,
  timestampSchema,
  toView,
} from "../lib/schemas.js";
import { ThumbnailLinks } from "../storage/files/index.js";
import { hashWithPartials } from "./used-partials.js";

export const THUMBNAIL_URL = createToken<ThumbnailUrl>("thumbnail URL");
provide(THUMBNAIL_URL, (c) => {
  const links = c.resolve(ThumbnailLinks);
  return (id, hash) => links.create(id, hash);
});

// Templates and their versions as the API returns them.

const templateFields = {
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
    .meta({ description: "The source of its records; null if not set." }),
  templateType: z.enum(["document", "email"]),
  thumbnailUrl: z.string().meta({
    description: "An image of its first page; needs no key.",
  }),
  isActive: z.boolean().meta({ description: "Available for rendering." }),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
};

const templateDetailFields = {
  ...templateFields,
  createdById: z.string(),
  trashedById: z.string().nullable(),
  isFavorite: z.boolean(),
  isTrashed: z.boolean(),
  trashedAt: timestampSchema.nullable(),
  deliver: deliverField.exactOptional().meta({
    description:
      "Where documents of batches and links are delivered by default; left out for nowhere.",
  }),
  version: z.number().int().meta({ description: "Version counter." }),
};

export const templateListItemSchema = z
  .strictObject({ ...templateFields, createdBy: personSchema })
  .meta({ id: "TemplateListItem" });

export const templateSchema = z
  .strictObject({ ...templateDetailFields, definition: definitionSchema })
  .meta({ id: "Template" });

/** The template without its definition. */
export const templateSettingsSchema = z
  .strictObject(templateDetailFields)
  .meta({ id: "TemplateSettings" });

const versionFields = {
  id: z.string().meta({ example: "ver_0198a3c5-1d2e-7b44-9c1f-3a5b7c9d1e2f" }),
  templateId: z.string(),
  description: z.string(),
  version: z.number().int(),
};

export const templateVersionListItemSchema = z
  .strictObject({
    ...versionFields,
    createdAt: timestampSchema,
    createdBy: personSchema,
  })
  .meta({ id: "TemplateVersionListItem" });

export const templateVersionSchema = z
  .strictObject({
    ...versionFields,
    definition: definitionSchema,
    createdById: z.string(),
    createdAt: timestampSchema,
  })
  .meta({ id: "TemplateVersion" });

export type PersonView = z.output<typeof personSchema>;
export type TemplateListView = z.output<typeof templateListItemSchema>;
export type TemplateSettingsView = z.output<typeof templateSettingsSchema>;
export type TemplateView = z.output<typeof templateSchema>;
export type TemplateVersionListView = z.output<
  typeof templateVersionListItemSchema
>;
export type TemplateVersionView = z.output<typeof templateVersionSchema>;

export type ThumbnailUrl = (
  templateId: string,
  definitionHash: string,
) => string;

type Row = Omit<Template, "definition">;

export function templateListView(
  row: Row,
  thumbnailUrl: ThumbnailUrl,
): TemplateListView {
  return toView(templateListItemSchema, row, {
    thumbnailUrl: thumbnailUrl(row.id, hashWithPartials(row)),
    createdBy: personView(row.createdBy),
  });
}

export function templateSettingsView(
  row: Row,
  thumbnailUrl: ThumbnailUrl,
): TemplateSettingsView {
  return toView(templateSettingsSchema, row, {
    thumbnailUrl: thumbnailUrl(row.id, hashWithPartials(row)),
    isTrashed: row.trashedAt !== null,
    deliver: row.deliver ?? undefined,
  });
}

export function versionListView(row: TemplateVersion): TemplateVersionListView {
  const createdBy = personView(row.createdBy);
  return toView(templateVersionListItemSchema, row, { createdBy });
}

export function versionView(row: TemplateVersion): TemplateVersionView {
  return toView(templateVersionSchema, row);
}

function personView(user: User | undefined): PersonView {
  if (user) return toView(personSchema, user);
  throw new PlatenError("internal", "A row has no author.");
}
