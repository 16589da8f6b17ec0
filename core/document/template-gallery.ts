import { type FindOptionsWhere, IsNull } from "typeorm";
import type { TemplateCard, TemplateShow } from "../contract/index.js";
import {
  listPage,
  type PageRequest,
  type Store,
  Template,
} from "../store/index.js";
import { searchNameOf } from "./publish-template.js";
import type { ThumbnailUrl } from "./template-view.js";
import { contains } from "./templates.js";

export interface GalleryQuery extends PageRequest {
  /** A part of the name; empty for all. */
  q: string;
  /** `all` by the time of their creation, `recent` by their last change. */
  show: TemplateShow;
}

const columns = {
  id: true,
  name: true,
  description: true,
  templateType: true,
  definitionHash: true,
  isActive: true,
  isFavorite: true,
  updatedAt: true,
} as const;

/** An organization's templates to choose from, without those in the trash. */
export class TemplateGallery {
  constructor(
    private readonly store: Pick<Store, "read">,
    private readonly thumbnailUrl: ThumbnailUrl,
  ) {}

  /** The newest first. */
  async list(
    organizationId: string,
    { q, show, page, pageSize }: GalleryQuery,
  ): Promise<{ data: TemplateCard[]; total: number }> {
    const where: FindOptionsWhere<Template> = {
      organizationId,
      trashedAt: IsNull(),
      ...(q !== "" && { searchName: contains(searchNameOf(q)) }),
      ...(show === "favorites" && { isFavorite: true }),
    };
    const { rows, total } = await listPage(this.store.read, Template, {
      page,
      pageSize,
      where,
      select: columns,
      newestBy: show === "recent" ? "updatedAt" : "createdAt",
    });
    return { data: rows.map((row) => this.#card(row)), total };
  }

  #card(row: Template): TemplateCard {
    const { id, name, description, templateType, isActive, isFavorite } = row;
    const facts = { id, name, description, templateType };
    const thumbnailUrl = this.thumbnailUrl(id, row.definitionHash);
    const updatedAt = row.updatedAt.toISOString();
    return { ...facts, isActive, isFavorite, thumbnailUrl, updatedAt };
  }
}
