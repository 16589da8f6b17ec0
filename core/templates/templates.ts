import {
  type EntityManager,
  IsNull,
  Raw,
  type FindOptionsWhere,
  Not,
  type FindOptionsSelect,
} from "typeorm";
import type { TemplateCard, TemplateFilter } from "./views.js";
import type { Actor } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import type { TemplateType } from "../definition/index.js";
import { inject, Lifecycle, scoped, createToken } from "../lib/injection.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  type DeliverEntry,
  isId,
  listPage,
  type PageRequest,
  type Store,
  Template,
  TemplateDraft,
  TemplateVersion,
  toLikePattern,
  STORE,
} from "../storage/database/index.js";
import { checkTemplate } from "./check-template.js";
import {
  type BatchNotice,
  checkEdit,
  editTemplate,
  findBatchNotice,
  runChecked,
  type TemplateEdit,
  type TemplateSettings,
} from "./edit-template.js";
import { hashWithPartials } from "./used-partials.js";
import {
  findReadableTemplate,
  findTemplate,
  LISTED,
  throwTemplateNotFound,
  publishTemplate,
  searchNameOf,
  type NewTemplate,
  type TemplateOwner,
} from "./template-repository.js";
import {
  templateListView,
  templateSettingsView,
  type TemplateSettingsView,
  type TemplateVersionListView,
  type TemplateVersionView,
  type TemplateView,
  type ThumbnailUrl,
  versionListView,
  versionView,
  THUMBNAIL_URL,
} from "./template-view.js";

/** Implemented by deliveries, which this capability may not import. */
export const CHECK_DELIVER = createToken<CheckDeliver>("checkDeliver");

interface TemplateQuery extends PageRequest {
  /** A part of the name, in upper or lower case. */
  q?: string | undefined;
  /** Sorts by the last change instead of by creation. */
  recentlyUpdated?: boolean | undefined;
}

/** Checks where a template's documents are delivered. @throws PlatenError `invalid_request` that lists all problems. */
export type CheckDeliver = (order: {
  organizationId: string;
  createdById: string;
  templateId: string;
  deliver: readonly DeliverEntry[];
}) => Promise<void>;

/** Changes that do not touch the definition. */
export type TemplatePatch = TemplateSettings &
  Pick<TemplateEdit, "createVersion">;

interface Redefinition {
  /** Any JSON value; its components are identified by their ids. */
  definition: unknown;
  /** Stores the new definition as a version with this description. */
  versionNote?: string | undefined;
}

/** The templates of organizations. Templates of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Templates {
  constructor(
    @inject(STORE)
    private readonly store: Pick<Store, "read" | "snapshot" | "unitOfWork">,
    @inject(THUMBNAIL_URL) private readonly thumbnailUrl: ThumbnailUrl,
    @inject(Compute) private readonly compute: Compute,
    @inject(CHECK_DELIVER) private readonly checkDeliver: CheckDeliver,
  ) {}

  /** Without those in the trash. */
  async list(
    organizationId: string,
    { q, recentlyUpdated, ...page }: TemplateQuery,
  ) {
    const { rows, ...pagination } = await this.store.snapshot((read) =>
      listPage(read, Template, {
        ...page,
        where: {
          organizationId,
          ...LISTED,
          trashedAt: IsNull(),
          ...(q && { searchName: contains(searchNameOf(q)) }),
        },
        newestBy: recentlyUpdated ? "updatedAt" : "createdAt",
        relations: { createdBy: true },
        select: templateColumns,
      }),
    );
    const data = rows.map((row) => templateListView(row, this.thumbnailUrl));
    return { data, pagination };
  }

  /** One in the trash too. @throws PlatenError `not_found`. */
  async get(organizationId: string, id: string): Promise<TemplateView> {
    const row = await findReadableTemplate(this.store.read, organizationId, id);
    const settings = templateSettingsView(row, this.thumbnailUrl);
    return { ...settings, definition: row.definition };
  }

  /** @throws PlatenError `not_found`. */
  async typeOf(
    organizationId: string,
    id: string,
  ): Promise<{ id: string; templateType: TemplateType }> {
    const { read } = this.store;
    const { templateType } = await findReadableTemplate(
      read,
      organizationId,
      id,
    );
    return { id, templateType };
  }

  /** For operators: the organization that a template belongs to. @throws PlatenError `not_found`. */
  async organizationOf(id: string): Promise<string> {
    const row = isId(id)
      ? await this.store.read.findOne(Template, {
          where: { id },
          select: { id: true, organizationId: true },
        })
      : null;
    return row ? row.organizationId : throwTemplateNotFound();
  }

  /** @throws PlatenError `not_found` for the template, `invalid_request` for a folder that is not there or an invalid delivery. */
  async patch(
    owner: TemplateOwner,
    id: string,
    patch: TemplatePatch,
    actor: Actor,
  ): Promise<TemplateSettingsView & BatchNotice> {
    if (patch.deliver) {
      const { organizationId, userId: createdById } = owner;
      const row = await findTemplate(this.store.read, organizationId, id);
      await this.checkDeliver({
        organizationId,
        createdById,
        templateId: row.id,
        deliver: patch.deliver,
      });
    }
    return this.store.unitOfWork.run(async (tx) => {
      const order = { edit: patch, checked: null };
      const { template } = await editTemplate(tx, owner, id, order, actor);
      return {
        ...templateSettingsView(template, this.thumbnailUrl),
        ...(await findBatchNotice(tx, template)),
      };
    });
  }

  /** All versions, newest first. @throws PlatenError `not_found`. */
  async versions(
    organizationId: string,
    templateId: string,
  ): Promise<TemplateVersionListView[]> {
    await this.typeOf(organizationId, templateId);
    const rows = await this.store.read.find(TemplateVersion, {
      where: { organizationId, templateId },
      order: { version: "DESC" },
      relations: { createdBy: true },
      select: versionColumns,
    });
    return rows.map(versionListView);
  }

  /** @throws PlatenError `not_found` for the template and for the version, saying which. */
  async version(
    organizationId: string,
    templateId: string,
    id: string,
  ): Promise<TemplateVersionView> {
    await this.typeOf(organizationId, templateId);
    const where = { id, templateId, organizationId };
    const row = isId(id, "ver")
      ? await this.store.read.findOneBy(TemplateVersion, where)
      : null;
    if (row) return versionView(row);
    throw new PlatenError(
      "not_found",
      "This template has no such version. The id of a version starts with ver_; the list of the template's versions has each.",
    );
  }

  /** @throws PlatenError `not_found`. */
  async export(
    organizationId: string,
    id: string,
  ): Promise<
    Omit<NewTemplate, "definition" | "warnings" | "partials"> &
      Pick<TemplateView, "definition">
  > {
    const row = await findReadableTemplate(this.store.read, organizationId, id);
    const { name, templateType, description, definition } = row;
    return { name, templateType, description, definition };
  }

  /**
   * Makes a new template of `{ name, templateType?, description?, definition }`.
   * @throws PlatenError `invalid_definition` with every problem at once.
   */
  async publish(owner: TemplateOwner, input: unknown, actor: Actor) {
    const { organizationId } = owner;
    const { store, compute } = this;
    const checked = await checkTemplate(
      store.read,
      compute,
      organizationId,
      input,
    );
    const { id, version } = await store.unitOfWork.run((tx) =>
      publishTemplate(tx, owner, checked, actor, "template.imported"),
    );
    return { id, version, warnings: checked.warnings };
  }

  /** @throws PlatenError `not_found`, or `invalid_definition` with every problem at once: a changed collectionId is one. */
  async redefine(
    owner: TemplateOwner,
    id: string,
    { definition, versionNote }: Redefinition,
    actor: Actor,
  ) {
    const createVersion = versionNote !== undefined;
    const edit = { definition, createVersion, versionNote };
    const { store, compute } = this;
    const { organizationId } = owner;
    const { template, warnings } = await runChecked(
      () => checkEdit(store.read, compute, organizationId, id, edit),
      (checked) =>
        store.unitOfWork.run((tx) =>
          editTemplate(tx, owner, id, { edit, checked }, actor),
        ),
    );
    return { id, version: template.version, warnings };
  }
}

/** A filter for names that contain `text`; `%`, `_` and `!` have no special meaning in it. */
function contains(text: string) {
  const pattern = toLikePattern(text);
  return Raw((column) => `${column} LIKE :pattern ESCAPE '!'`, { pattern });
}

interface GalleryQuery extends PageRequest {
  /** A part of the name; empty for all. */
  q: string;
  /** `all` by the time of their creation, `recent` and `trash` by their last change. */
  show: TemplateFilter;
  /** Null for all. */
  folderId: string | null;
}

const cardColumns = {
  id: true,
  name: true,
  description: true,
  templateType: true,
  definitionHash: true,
  partials: true,
  isActive: true,
  isFavorite: true,
  folderId: true,
  updatedAt: true,
} as const;

/** Lists an organization's templates as cards; those in the trash only on request. */
@scoped(Lifecycle.ContainerScoped)
export class TemplateGallery {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "snapshot">,
    @inject(THUMBNAIL_URL) private readonly thumbnailUrl: ThumbnailUrl,
  ) {}

  /** Newest first. */
  async list(
    organizationId: string,
    query: GalleryQuery,
  ): Promise<{ data: TemplateCard[]; total: number }> {
    const { show, page, pageSize } = query;
    const byChange = show === "recent" || show === "trash";
    return this.store.snapshot(async (read) => {
      const { rows, total } = await listPage(read, Template, {
        page,
        pageSize,
        where: { organizationId, ...whereOf(query) },
        select: cardColumns,
        newestBy: byChange ? "updatedAt" : "createdAt",
      });
      const ids = rows.map(({ id }) => id);
      const changed = await findChangedTemplates(read, ids);
      return {
        data: rows.map((row) => this.#card(row, changed.has(row.id))),
        total,
      };
    });
  }

  /** Whether its draft differs from the published definition; false for a template that does not exist. */
  async isChanged(organizationId: string, id: string): Promise<boolean> {
    return this.store.snapshot(async (read) => {
      const isOwn = await read.existsBy(Template, { organizationId, id });
      return isOwn && (await findChangedTemplates(read, [id])).has(id);
    });
  }

  #card(row: Template, hasUnpublishedChanges: boolean): TemplateCard {
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
      hasUnpublishedChanges,
      thumbnailUrl: this.thumbnailUrl(id, hashWithPartials(row)),
      updatedAt: row.updatedAt.toISOString(),
    };
  }
}

/** Those of some templates whose draft differs from the published definition. */
async function findChangedTemplates(
  read: EntityManager,
  templateIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (templateIds.length === 0) return new Set();
  // The database compares them: definitions can be large.
  const rows = await read
    .createQueryBuilder(TemplateDraft, "draft")
    .select("draft.templateId", "id")
    .innerJoin(Template, "template", "template.id = draft.templateId")
    .where("draft.templateId IN (:...ids)", { ids: templateIds })
    .andWhere("draft.definition <> template.definition")
    .getRawMany<{ id: string }>();
  return new Set(rows.map(({ id }) => id));
}

function whereOf({
  q,
  show,
  folderId,
}: GalleryQuery): FindOptionsWhere<Template> {
  return {
    ...LISTED,
    trashedAt: show === "trash" ? Not(IsNull()) : IsNull(),
    ...(q !== "" && { searchName: contains(searchNameOf(q)) }),
    ...(show === "favorites" && { isFavorite: true }),
    ...(folderId !== null && { folderId }),
  };
}

// Lists read all columns except the definitions, which may be large.

const person = { id: true, name: true, email: true, image: true } as const;

const templateColumns: FindOptionsSelect<Template> = {
  id: true,
  organizationId: true,
  folderId: true,
  name: true,
  description: true,
  dataSource: {},
  templateType: true,
  isActive: true,
  definitionHash: true,
  partials: true,
  createdAt: true,
  updatedAt: true,
  createdBy: person,
};

const versionColumns: FindOptionsSelect<TemplateVersion> = {
  id: true,
  templateId: true,
  description: true,
  version: true,
  createdAt: true,
  createdBy: person,
};
