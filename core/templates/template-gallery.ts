import { type FindOptionsWhere, IsNull, Not } from "typeorm";
import type { TemplateCard, TemplateShow } from "../plugin-api/index.js";
import {
  listPage,
  type PageRequest,
  type Store,
  Template,
} from "../storage/database/index.js";
import { searchNameOf } from "./publish-template.js";
import type { ThumbnailUrl } from "./template-view.js";
import { contains } from "./templates.js";

export interface GalleryQuery extends PageRequest {
  /** A part of the name; empty for all. */
  q: string;
  /** `all` by the time of their creation, `recent` and `trash` by their last change. */
  show: TemplateShow;
  /** Those in this folder alone; null for all. */
  folderId: string | null;
}

const columns = {
  id: true,
  name: true,
  description: true,
  templateType: true,
  definitionHash: true,
  isActive: true,
  isFavorite: true,
  folderId: true,
  updatedAt: true,
} as const;

/** An organization's templates to choose from; those in the trash only where they are asked for. */
export class TemplateGallery {
  constructor(
    private readonly store: Pick<Store, "snapshot">,
    private readonly thumbnailUrl: ThumbnailUrl,
  ) {}

  /** The newest first. */
  async list(
    organizationId: string,
    query: GalleryQuery,
  ): Promise<{ data: TemplateCard[]; total: number }> {
    const { show, page, pageSize } = query;
    const byChange = show === "recent" || show === "trash";
    const { rows, total } = await this.store.snapshot((read) =>
      listPage(read, Template, {
        page,
        pageSize,
        where: { organizationId, ...whereOf(query) },
        select: columns,
        newestBy: byChange ? "updatedAt" : "createdAt",
      }),
    );
    return { data: rows.map((row) => this.#card(row)), total };
  }

  #card(row: Template): TemplateCard {
    const { id, name, description, templateType, folderId } = row;
    const { isActive, isFavorite } = row;
    return {
      id,
      name,
      description,
      templateType,
      folderId,
      isActive,
      isFavorite,
      thumbnailUrl: this.thumbnailUrl(id, row.definitionHash),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

function whereOf({
  q,
  show,
  folderId,
}: GalleryQuery): FindOptionsWhere<Template> {
  return {
    trashedAt: show === "trash" ? Not(IsNull()) : IsNull(),
    ...(q !== "" && { searchName: contains(searchNameOf(q)) }),
    ...(show === "favorites" && { isFavorite: true }),
    ...(folderId !== null && { folderId }),
  };
}
