import { type Actor, recordAudit } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import {
  type Template,
  type CreatedCallback,
  type Store,
  STORE,
} from "../storage/database/index.js";
import {
  publishTemplate,
  findTemplateForUpdate,
  nextTimestamp,
  type NewTemplate,
  type TemplateOwner,
} from "./template-repository.js";
import {
  templateSettingsView,
  type TemplateSettingsView,
  type ThumbnailUrl,
  THUMBNAIL_URL,
} from "./template-view.js";
import {
  type TemplateEdit,
  runChecked,
  editTemplate,
  prepareEdit,
  checkEdit,
  updateTemplate,
  type BatchNotice,
  findBatchNotice,
} from "./edit-template.js";
import {
  type TemplateOrder,
  prepareTemplate,
  duplicateTemplate,
} from "./create-template.js";

export interface ChangedTemplate extends TemplateSettingsView, BatchNotice {
  /** Allowed but suspicious, such as paths that the schema does not declare. */
  warnings: readonly Problem[];
}

/** What would be saved. `template` is null when there are problems. */
export interface TemplateDraft {
  template: Omit<NewTemplate, "warnings" | "partials"> | null;
  problems: readonly Problem[];
  warnings: readonly Problem[];
}

/** Creates and changes templates of organizations. Templates of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class TemplateEditor {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(THUMBNAIL_URL) private readonly thumbnailUrl: ThumbnailUrl,
    @inject(Compute) private readonly compute: Compute,
  ) {}

  /**
   * Creates a template, which is version 1.
   * @throws PlatenError `invalid_definition` with every problem at once, `not_found` for a blueprint or a template to
   * clone, `invalid_request` for conflicting options.
   */
  async create(
    owner: TemplateOwner,
    order: TemplateOrder,
    actor: Actor,
    inTransaction?: CreatedCallback<ChangedTemplate>,
  ): Promise<ChangedTemplate> {
    const { store, compute } = this;
    const draft = await prepareTemplate(store.read, compute, owner, order);
    const action = "template.created";
    return this.store.unitOfWork.run(async (tx) => {
      const row = await publishTemplate(tx, owner, draft, actor, action);
      const created = this.#changed(row, draft.warnings);
      await inTransaction?.(tx, created);
      return created;
    });
  }

  /** A dry run of `create`. @throws PlatenError as `create`, but returns problems of the definition. */
  dryCreate(
    owner: TemplateOwner,
    order: TemplateOrder,
  ): Promise<TemplateDraft> {
    const { store, compute } = this;
    return drafted(prepareTemplate(store.read, compute, owner, order));
  }

  /**
   * Makes all changes of one edit in one transaction.
   * @throws PlatenError `not_found`, `conflict` when the template is not at `expectedVersion`, `invalid_definition`
   * with every problem at once, `invalid_request`.
   */
  async edit(
    owner: TemplateOwner,
    id: string,
    edit: TemplateEdit,
    actor: Actor,
  ): Promise<ChangedTemplate> {
    const { store, compute } = this;
    const { organizationId } = owner;
    return runChecked(
      () => checkEdit(store.read, compute, organizationId, id, edit),
      (checked) =>
        store.unitOfWork.run(async (tx) => {
          const order = { edit, checked };
          const edited = await editTemplate(tx, owner, id, order, actor);
          const { template, warnings } = edited;
          return {
            ...this.#changed(template, warnings),
            ...(await findBatchNotice(tx, template)),
          };
        }),
    );
  }

  /** A dry run of `edit`. @throws PlatenError as `edit`, but returns problems of the definition. */
  dryEdit(
    { organizationId }: TemplateOwner,
    id: string,
    edit: TemplateEdit,
  ): Promise<TemplateDraft> {
    const { store, compute } = this;
    return drafted(prepareEdit(store.read, compute, organizationId, id, edit));
  }

  /** @throws PlatenError `not_found`. */
  async duplicate(
    owner: TemplateOwner,
    id: string,
    actor: Actor,
    inTransaction?: CreatedCallback<TemplateSettingsView>,
  ): Promise<TemplateSettingsView> {
    return this.store.unitOfWork.run(async (tx) => {
      const row = await duplicateTemplate(tx, owner, id, actor);
      const copy = templateSettingsView(row, this.thumbnailUrl);
      await inTransaction?.(tx, copy);
      return copy;
    });
  }

  /**
   * Moves it to the trash: it is no longer listed or rendered, but keeps all its data. One that is there already stays
   * unchanged. @throws PlatenError `not_found`.
   */
  trash(
    owner: TemplateOwner,
    id: string,
    actor: Actor,
  ): Promise<TemplateSettingsView> {
    return this.#setTrashed(owner, id, actor, true);
  }

  /** Restores it from the trash; one that is not there stays unchanged. @throws PlatenError `not_found`. */
  restore(
    owner: TemplateOwner,
    id: string,
    actor: Actor,
  ): Promise<TemplateSettingsView> {
    return this.#setTrashed(owner, id, actor, false);
  }

  async #setTrashed(
    { organizationId, userId }: TemplateOwner,
    id: string,
    actor: Actor,
    isTrashed: boolean,
  ): Promise<TemplateSettingsView> {
    const template = await this.store.unitOfWork.run(async (tx) => {
      const current = await findTemplateForUpdate(tx, organizationId, id);
      if ((current.trashedAt !== null) === isTrashed) return current;
      const at = nextTimestamp(current.updatedAt);
      await updateTemplate(tx, current, {
        trashedAt: isTrashed ? at : null,
        trashedById: isTrashed ? userId : null,
        updatedAt: at,
      });
      await recordAudit(tx, actor, {
        organizationId,
        action: isTrashed ? "template.trashed" : "template.restored",
        subject: id,
        details: { name: current.name },
      });
      return current;
    });
    return templateSettingsView(template, this.thumbnailUrl);
  }

  #changed(template: Template, warnings: readonly Problem[]): ChangedTemplate {
    return { ...templateSettingsView(template, this.thumbnailUrl), warnings };
  }
}

async function drafted(draft: Promise<NewTemplate>): Promise<TemplateDraft> {
  try {
    const { warnings, partials: _partials, ...template } = await draft;
    return { template, problems: [], warnings };
  } catch (error) {
    if (!(error instanceof PlatenError) || error.code !== "invalid_definition")
      throw error;
    return { template: null, problems: error.problems, warnings: [] };
  }
}
