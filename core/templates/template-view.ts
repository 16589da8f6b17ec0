import { PlatenError } from "../plugin-api/index.js";
import type {
  DataSourceRef,
  DeliverEntry,
  Template,
  TemplateVersion,
  User,
} from "../storage/database/index.js";
import type { TemplateType } from "../definition/index.js";
import { createToken, provide } from "../lib/injection.js";
import { ThumbnailLinks } from "../storage/files/index.js";
import { hashWithPartials } from "./partials.js";

export const THUMBNAIL_URL = createToken<ThumbnailUrl>("thumbnail URL");
provide(THUMBNAIL_URL, (c) => {
  const links = c.resolve(ThumbnailLinks);
  return (id, hash) => links.create(id, hash);
});

// Templates and their versions as the API returns them; times are ISO 8601.

export type PersonView = Pick<User, "id" | "name" | "email" | "image">;

interface TemplateSummary {
  id: string;
  organizationId: string;
  folderId: string | null;
  name: string;
  description: string | null;
  dataSource: DataSourceRef | null;
  templateType: TemplateType;
  thumbnailUrl: string;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface TemplateListView extends TemplateSummary {
  createdBy: PersonView;
}

/** A template without its definition. */
export interface TemplateSettingsView extends TemplateSummary {
  createdById: string;
  trashedById: string | null;
  isFavorite: boolean;
  isTrashed: boolean;
  trashedAt: string | null;
  /** Where its documents are delivered by default; left out for nowhere. */
  deliver?: DeliverEntry[];
  version: number;
}

export interface TemplateView extends TemplateSettingsView {
  definition: Record<string, unknown>;
}

export interface TemplateVersionListView {
  id: string;
  templateId: string;
  description: string;
  version: number;
  createdAt: string;
  createdBy: PersonView;
}

export interface TemplateVersionView extends Omit<
  TemplateVersionListView,
  "createdBy"
> {
  definition: Record<string, unknown>;
  createdById: string;
}

/** The URL of the thumbnail of a template with this definition. */
export type ThumbnailUrl = (
  templateId: string,
  definitionHash: string,
) => string;

type Row = Omit<Template, "definition">;

function summary(row: Row, thumbnailUrl: ThumbnailUrl): TemplateSummary {
  return {
    id: row.id,
    organizationId: row.organizationId,
    folderId: row.folderId,
    name: row.name,
    description: row.description,
    dataSource: row.dataSource,
    templateType: row.templateType,
    thumbnailUrl: thumbnailUrl(row.id, hashWithPartials(row)),
    isActive: row.isActive,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function templateListView(
  row: Row,
  thumbnailUrl: ThumbnailUrl,
): TemplateListView {
  return {
    ...summary(row, thumbnailUrl),
    createdBy: personView(row.createdBy),
  };
}

export function templateSettingsView(
  row: Row,
  thumbnailUrl: ThumbnailUrl,
): TemplateSettingsView {
  return {
    ...summary(row, thumbnailUrl),
    createdById: row.createdById,
    trashedById: row.trashedById,
    isFavorite: row.isFavorite,
    isTrashed: row.trashedAt !== null,
    trashedAt: row.trashedAt?.toISOString() ?? null,
    ...(row.deliver && { deliver: row.deliver }),
    version: row.version,
  };
}

export function versionListView(row: TemplateVersion): TemplateVersionListView {
  const { id, templateId, description, version, createdAt } = row;
  return {
    id,
    templateId,
    description,
    version,
    createdAt: createdAt.toISOString(),
    createdBy: personView(row.createdBy),
  };
}

export function versionView(row: TemplateVersion): TemplateVersionView {
  const { id, templateId, description, version, createdAt } = row;
  return {
    id,
    templateId,
    description,
    version,
    definition: row.definition,
    createdById: row.createdById,
    createdAt: createdAt.toISOString(),
  };
}

function personView(user: User | undefined): PersonView {
  if (!user) throw new PlatenError("internal", "A row has no author.");
  const { id, name, email, image } = user;
  return { id, name, email, image };
}
