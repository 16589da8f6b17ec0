import type { Actor } from "../accounts/index.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import type { Store, Template } from "../storage/database/index.js";
import type { NewTemplate } from "./check-template.js";
import {
  prepareTemplate,
  type TemplateOrder,
  duplicateTemplate,
} from "./create-template.js";
import { publishTemplate, type TemplateOwner } from "./template-repository.js";
import {
  prepareEdit,
  editTemplate,
  type TemplateEdit,
  restoreTemplate,
  trashTemplate,
} from "./edit-template.js";
import {
  templateSettingsView,
  type TemplateSettingsView,
  type ThumbnailUrl,
} from "./template-view.js";
import { inject, injectable } from "../lib/injection.js";
import { STORE } from "../storage/database/tokens.js";
import { THUMBNAIL_URL } from "./tokens.js";

export interface ChangedTemplate extends TemplateSettingsView {
  /** Allowed but suspicious, such as paths that the schema does not declare. */
  warnings: readonly Problem[];
}

/** What would be saved. `template` is null when there are problems. */
export interface TemplateDraft {
  template: Omit<NewTemplate, "warnings"> | null;
  problems: readonly Problem[];
  warnings: readonly Problem[];
}

/** Creates and changes templates of organizations. Templates of other organizations are treated as missing. */
@injectable()
export class TemplateEditor {
  constructor(
    @inject(STORE) private readonly store: Pick<Store, "read" | "unitOfWork">,
    @inject(THUMBNAIL_URL) private readonly thumbnailUrl: ThumbnailUrl,
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
  ): Promise<ChangedTemplate> {
    const draft = await prepareTemplate(this.store.read, owner, order);
    const template = await this.store.unitOfWork.run((tx) =>
      publishTemplate(tx, owner, draft, actor, "template.created"),
    );
    return this.#changed(template, draft.warnings);
  }

  /** A dry run of `create`. @throws PlatenError as `create`, but returns problems of the definition. */
  dryCreate(
    owner: TemplateOwner,
    order: TemplateOrder,
  ): Promise<TemplateDraft> {
    return drafted(prepareTemplate(this.store.read, owner, order));
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
    const { template, warnings } = await this.store.unitOfWork.run((tx) =>
      editTemplate(tx, owner, id, edit, actor),
    );
    return this.#changed(template, warnings);
  }

  /** A dry run of `edit`. @throws PlatenError as `edit`, but returns problems of the definition. */
  dryEdit(
    { organizationId }: TemplateOwner,
    id: string,
    edit: TemplateEdit,
  ): Promise<TemplateDraft> {
    return drafted(prepareEdit(this.store.read, organizationId, id, edit));
  }

  /** @throws PlatenError `not_found`. */
  async duplicate(
    owner: TemplateOwner,
    id: string,
    actor: Actor,
  ): Promise<TemplateSettingsView> {
    const copy = await this.store.unitOfWork.run((tx) =>
      duplicateTemplate(tx, owner, id, actor),
    );
    return templateSettingsView(copy, this.thumbnailUrl);
  }

  /** Moves it to the trash. @throws PlatenError `not_found`. */
  async trash(
    owner: TemplateOwner,
    id: string,
    actor: Actor,
  ): Promise<TemplateSettingsView> {
    const template = await this.store.unitOfWork.run((tx) =>
      trashTemplate(tx, owner, id, actor),
    );
    return templateSettingsView(template, this.thumbnailUrl);
  }

  /** Restores it from the trash. @throws PlatenError `not_found`. */
  async restore(
    owner: TemplateOwner,
    id: string,
    actor: Actor,
  ): Promise<TemplateSettingsView> {
    const template = await this.store.unitOfWork.run((tx) =>
      restoreTemplate(tx, owner, id, actor),
    );
    return templateSettingsView(template, this.thumbnailUrl);
  }

  #changed(template: Template, warnings: readonly Problem[]): ChangedTemplate {
    return { ...templateSettingsView(template, this.thumbnailUrl), warnings };
  }
}

async function drafted(draft: Promise<NewTemplate>): Promise<TemplateDraft> {
  try {
    const { warnings, ...template } = await draft;
    return { template, problems: [], warnings };
  } catch (error) {
    if (!(error instanceof PlatenError) || error.code !== "invalid_definition")
      throw error;
    return { template: null, problems: error.problems, warnings: [] };
  }
}
