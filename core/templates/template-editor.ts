import type { EntityManager, QueryDeepPartialEntity } from "typeorm";
import { type Actor, recordAudit, service } from "../accounts/index.js";
import { Compute } from "../compute/index.js";
import {
  type TemplateType,
  migrateDefinition,
  type ProjectData,
  getDataSource,
  normalizeDefinition,
} from "../definition/index.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import {
  type CreatedCallback,
  type Store,
  type DeliverEntry,
  Template,
  TemplateVersion,
  Folder,
  isId,
  STORE,
} from "../storage/database/index.js";
import { brandBlueprint } from "./apply-brand.js";
import { blueprint, blueprintBrand, blueprints } from "./blueprints/index.js";
import {
  checkTemplate,
  emptyDefinition,
  applyPaper,
  type PaperChoice,
  validateUpdate,
} from "./check-template.js";
import { lockPartials } from "./used-partials.js";
import { patchDefinition, type PatchOperation } from "./definition-patch.js";
import {
  publishTemplate,
  findReadableTemplate,
  findTemplate,
  insertTemplate,
  findTemplateForUpdate,
  nextTimestamp,
  hashOf,
  snapshotTemplate,
  searchNameOf,
  type NewTemplate,
  type TemplateOwner,
} from "./template-repository.js";
import {
  templateSettingsView,
  type TemplateSettingsView,
  type ThumbnailUrl,
  THUMBNAIL_URL,
} from "./template-view.js";

/** For editors whose definition is no version yet: batches render the newest version. Empty when it is one. */
export interface BatchNotice {
  batchVersion?: number;
  /** The same as a sentence. */
  notice?: string;
}

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
      const found = await findTemplateForUpdate(tx, organizationId, id);
      if ((found.trashedAt !== null) === isTrashed) return found;
      const at = nextTimestamp(found.updatedAt);
      await updateTemplate(tx, found, {
        trashedAt: isTrashed ? at : null,
        trashedById: isTrashed ? userId : null,
        updatedAt: at,
      });
      await recordAudit(tx, actor, {
        organizationId,
        action: isTrashed ? "template.trashed" : "template.restored",
        subject: id,
        details: { name: found.name },
      });
      return found;
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

/** A template to be created, from at most one source; without one it is empty. */
export interface TemplateOrder extends PaperChoice {
  name: string;
  /** By default, that of the blueprint or clone. */
  description?: string | null | undefined;
  /** By default, that of the blueprint or clone, or else `document`. */
  templateType?: TemplateType | undefined;
  /** Any JSON value; its problems are reported together. */
  definition?: unknown;
  /** Its id or name. */
  blueprint?: string | undefined;
  /** A template of the organization. */
  cloneTemplateId?: string | undefined;
}

const SOURCES = ["definition", "blueprint", "cloneTemplateId"] as const;

/** Checks the input and writes nothing. @throws PlatenError as `TemplateEditor.create`. */
async function prepareTemplate(
  read: EntityManager,
  compute: Compute,
  { organizationId }: Pick<TemplateOwner, "organizationId">,
  order: TemplateOrder,
): Promise<NewTemplate> {
  assertOneSource(order);
  const source = await findSource(read, organizationId, order);
  const { templateType } = source;
  return checkTemplate(read, compute, organizationId, {
    name: order.name,
    templateType,
    description:
      order.description === undefined ? source.description : order.description,
    definition: applyPaper(source.definition, templateType, order),
  });
}

interface Source {
  templateType: TemplateType;
  description: string | null;
  definition: unknown;
}

async function findSource(
  read: EntityManager,
  organizationId: string,
  order: TemplateOrder,
): Promise<Source> {
  if (order.blueprint !== undefined) {
    const found = blueprint(order.blueprint);
    const source = assertSameType(order, found, "blueprint");
    const definition = await brandBlueprint(
      read,
      organizationId,
      found.definition,
      blueprintBrand(found),
    );
    return { ...source, definition };
  }
  if (order.cloneTemplateId !== undefined) {
    const cloned = await findReadableTemplate(
      read,
      organizationId,
      order.cloneTemplateId,
    );
    return assertSameType(order, cloned, "template");
  }
  const { templateType = "document" } = order;
  const definition = order.definition ?? emptyDefinition(templateType);
  return { templateType, description: null, definition };
}

/** @throws PlatenError `invalid_request` when the requested type is not the source's. */
function assertSameType(
  { templateType: asked }: TemplateOrder,
  source: Source,
  what: "blueprint" | "template",
): Source {
  const { templateType } = source;
  if (asked === undefined || asked === templateType) return source;
  const message = `The ${what} has the type "${templateType}" and cannot become "${asked}".`;
  const hint = "Leave out templateType.";
  throw new PlatenError("invalid_request", `${message} ${hint}`, {
    problems: [{ path: "$.templateType", code: "wrong_value", message, hint }],
  });
}

function assertOneSource(order: TemplateOrder): void {
  const given = SOURCES.filter((name) => order[name] !== undefined);
  if (given.length < 2) return;
  const message = `A template is made from one source, and ${given.join(" and ")} were given.`;
  const problems = given.map((name): Problem => ({
    path: `$.${name}`,
    code: "ambiguous",
    message,
    hint: "Leave all but one of them out.",
  }));
  throw new PlatenError("invalid_request", message, { problems });
}

const suffix = " (copy)";
const longestName = 255;

/**
 * A copy of a template in the same folder, with the identical definition and without its earlier versions. @throws PlatenError `not_found`.
 */
async function duplicateTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  actor: Actor,
): Promise<Template> {
  const { organizationId } = owner;
  const original = await findReadableTemplate(tx, organizationId, id);
  const { folderId, templateType, description, partials } = original;
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const definition = migrateDefinition(original.definition) as ProjectData;
  const name = copyName(original.name);
  const copy = await insertTemplate(
    tx,
    owner,
    { name, templateType, description, definition, partials },
    folderId,
  );
  await recordAudit(tx, actor, {
    organizationId,
    action: "template.created",
    subject: copy.id,
    details: { name, duplicateOf: id },
  });
  return copy;
}

/** Shortens the name between characters only. */
function copyName(name: string): string {
  const letters = Array.from(
    new Intl.Segmenter().segment(name),
    ({ segment }) => segment,
  );
  while (letters.join("").length + suffix.length > longestName) letters.pop();
  return letters.join("") + suffix;
}

export async function importBlueprints(
  tx: EntityManager,
  owner: TemplateOwner,
): Promise<void> {
  for (const { name, description, templateType, definition } of blueprints()) {
    const template = {
      name,
      description,
      templateType,
      definition: normalizeDefinition(definition),
      warnings: [],
      partials: null,
    };
    await publishTemplate(tx, owner, template, service, "template.imported");
  }
}

/** Fields that are left out stay as they are; all others change together. */
export interface TemplateEdit extends TemplateSettings, PaperChoice {
  /** The new live definition, any JSON value; its components are identified by their ids. */
  definition?: unknown;
  /** Changes parts of the live definition, instead of `definition`. */
  patch?: readonly PatchOperation[] | undefined;
  /** Stores the live definition, as it is after the edit, as the next version. */
  createVersion?: boolean | undefined;
  versionNote?: string | undefined;
  /** The edit is rejected when the template has changed since. */
  expectedVersion?: ExpectedVersion | undefined;
}

interface EditedTemplate {
  template: Template;
  warnings: readonly Problem[];
}

/** An edit whose definition was checked before its transaction, in which nothing that takes long may run. */
interface CheckedEdit {
  /** The hash of the definition that the template had when the edit was checked. */
  basedOn: string;
  /** The new definition; null when it does not change. */
  successor: NewTemplate | null;
}

/** The template has another definition than the one that an edit was checked against. */
class OutdatedCheckError extends PlatenError {
  constructor() {
    super(
      "conflict",
      "Somebody else changes this template at the same time. Read it again, then send your change again.",
    );
  }
}

const maxChecks = 3;

/** Checks an edit, then runs its transaction; does both again when the template got another definition in between. */
export async function runChecked<C extends CheckedEdit, T>(
  check: () => Promise<C>,
  run: (checked: C) => Promise<T>,
): Promise<T> {
  for (let count = 1; ; count += 1)
    try {
      return await run(await check());
    } catch (error) {
      const isOutdated = error instanceof OutdatedCheckError;
      if (!isOutdated || count === maxChecks) throw error;
    }
}

/**
 * Changes a template and adds a version if requested, in one transaction.
 * @param order with the check of the edit, see `runChecked`; null for an edit that leaves the definition as it is
 * @throws PlatenError as `TemplateEditor.edit`
 */
export async function editTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  { edit, checked }: { edit: TemplateEdit; checked: CheckedEdit | null },
  actor: Actor,
): Promise<EditedTemplate> {
  const { organizationId } = owner;
  const template = await findTemplateForUpdate(tx, organizationId, id);
  await assertApplicable(tx, template, edit);
  if (checked && checked.basedOn !== template.definitionHash)
    throw new OutdatedCheckError();
  const successor = checked?.successor ?? null;
  if (
    successor &&
    !(await lockPartials(tx, organizationId, successor.partials))
  )
    throw new OutdatedCheckError();
  const warnings = [...(successor?.warnings ?? []), ...findUnusedNote(edit)];
  const columns = toColumns(edit, successor);
  const createVersion = edit.createVersion ?? false;
  if (!createVersion && Object.keys(columns).length === 0)
    return { template, warnings };
  const at = nextTimestamp(template.updatedAt);
  const version = template.version + (createVersion ? 1 : 0);
  await updateTemplate(tx, template, { ...columns, version, updatedAt: at });
  if (createVersion)
    await snapshotTemplate(tx, template, {
      userId: owner.userId,
      description: edit.versionNote ?? "",
      at,
    });
  if (successor !== null)
    await recordAudit(tx, actor, {
      organizationId,
      action: "template.redefined",
      subject: id,
      details: { version },
    });
  return { template, warnings };
}

/** Checks the edit and writes nothing. @throws PlatenError as `TemplateEditor.edit`. @returns the template as it would be */
async function prepareEdit(
  read: EntityManager,
  compute: Compute,
  organizationId: string,
  id: string,
  edit: TemplateEdit,
): Promise<NewTemplate> {
  const template = await findTemplate(read, organizationId, id);
  const { successor } = await checkFoundEdit(read, compute, template, edit);
  return (
    successor ?? validateUpdate(read, compute, template, template.definition)
  );
}

/** Checks an edit outside of its transaction. @throws PlatenError as `TemplateEditor.edit`. */
export async function checkEdit(
  read: EntityManager,
  compute: Compute,
  organizationId: string,
  id: string,
  edit: TemplateEdit,
): Promise<CheckedEdit> {
  const template = await findTemplate(read, organizationId, id);
  return checkFoundEdit(read, compute, template, edit);
}

async function checkFoundEdit(
  read: EntityManager,
  compute: Compute,
  template: Template,
  edit: TemplateEdit,
): Promise<CheckedEdit> {
  await assertApplicable(read, template, edit);
  const definition = getEditedDefinition(template, edit);
  const written = applyPaper(definition, template.templateType, edit);
  const isSame = written === template.definition;
  return {
    basedOn: template.definitionHash,
    successor: isSame
      ? null
      : await validateUpdate(read, compute, template, written),
  };
}

async function assertApplicable(
  read: EntityManager,
  template: Template,
  edit: TemplateEdit,
): Promise<void> {
  await assertCurrent(read, template, edit.expectedVersion);
  if (typeof edit.folderId === "string")
    await assertFolderExists(read, template.organizationId, edit.folderId);
}

/** @throws PlatenError `invalid_request` when both are given, or as `patchDefinition`. */
function getEditedDefinition(
  template: Template,
  { definition, patch }: TemplateEdit,
): unknown {
  if (patch === undefined)
    return definition === undefined ? template.definition : definition;
  if (definition === undefined)
    return patchDefinition(template.definition, patch);
  const message = "A definition is either replaced or patched.";
  const problems = ["definition", "patch"].map((name): Problem => ({
    path: `$.${name}`,
    code: "ambiguous",
    message,
    hint: "Leave out definition or patch.",
  }));
  throw new PlatenError(
    "invalid_request",
    `${message} Leave out one of them.`,
    {
      problems,
    },
  );
}

function toColumns(edit: TemplateEdit, successor: NewTemplate | null) {
  const { name, description, folderId, isActive, isFavorite, deliver } = edit;
  return {
    ...(name !== undefined && { name, searchName: searchNameOf(name) }),
    ...(description !== undefined && { description }),
    ...(folderId !== undefined && { folderId }),
    ...(isActive !== undefined && { isActive }),
    ...(isFavorite !== undefined && { isFavorite }),
    ...(deliver !== undefined && { deliver }),
    ...(successor && {
      definition: successor.definition,
      definitionHash: hashOf(successor.definition),
      partials: successor.partials,
      dataSource: getDataSource(successor.definition),
    }),
  };
}

export async function findBatchNotice(
  read: EntityManager,
  { id: templateId, version, definitionHash }: Template,
): Promise<BatchNotice> {
  const snapshot = { templateId, version, definitionHash };
  if (await read.existsBy(TemplateVersion, snapshot)) return {};
  return {
    batchVersion: version,
    notice:
      `POST /api/export renders this definition, but batches still use version ${version}. ` +
      "Set createVersion to true to make it a version, which batches then use.",
  };
}

/** A note is stored with a version; without one, the author gets a warning. */
function findUnusedNote({
  createVersion,
  versionNote,
}: TemplateEdit): Problem[] {
  if (createVersion || !versionNote) return [];
  return [
    {
      path: "$.versionNote",
      code: "unused",
      message: "No version was created, so this note is not stored.",
      hint: "Set createVersion to true to create one.",
    },
  ];
}

async function updateTemplate(
  tx: EntityManager,
  template: Template,
  columns: Partial<Template>,
): Promise<void> {
  const { id, organizationId } = template;
  // TypeORM's type of a change does not accept JSON columns.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const change = columns as QueryDeepPartialEntity<Template>;
  await tx.update(Template, { id, organizationId }, change);
  Object.assign(template, columns);
}

/**
 * The state of a template that the caller has read: its `updatedAt`, which every change increases; or the number of a
 * version, if nothing has changed since that version was created.
 */
export type ExpectedVersion = string | number;

/** @throws PlatenError `conflict` with the current state when the template has changed since, `invalid_request` for any other text. */
async function assertCurrent(
  read: EntityManager,
  template: Template,
  seen: ExpectedVersion | undefined,
): Promise<void> {
  if (seen === undefined) return;
  const number = Number(seen);
  if (Number.isInteger(number))
    return assertVersionNumber(read, template, number);
  const moment = new Date(seen).getTime();
  if (Number.isNaN(moment)) throw createUnknownVersionError();
  if (moment !== template.updatedAt.getTime())
    throw createStaleError(template, `since ${new Date(moment).toISOString()}`);
}

async function assertVersionNumber(
  read: EntityManager,
  template: Template,
  number: number,
): Promise<void> {
  if (number !== template.version)
    throw createStaleError(template, `since version ${number}`);
  const { id: templateId, version, updatedAt } = template;
  const frozen = await read.findOne(TemplateVersion, {
    where: { templateId, version },
    select: { id: true, createdAt: true },
  });
  if (frozen?.createdAt.getTime() !== updatedAt.getTime())
    throw createStaleError(template, `after version ${number} was created`);
}

function createStaleError(template: Template, when: string): PlatenError {
  const updatedAt = template.updatedAt.toISOString();
  const message =
    `This template was changed ${when}: its version is now ${template.version}, ` +
    `and its updatedAt ${updatedAt}.`;
  const hint = `Read it again, and edit the current state with expectedVersion "${updatedAt}".`;
  return new PlatenError("conflict", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "stale_version", message, hint },
    ],
  });
}

function createUnknownVersionError(): PlatenError {
  const message = "This is not a version of a template.";
  const hint = "Use the version or updatedAt of the template that you read.";
  return new PlatenError("invalid_request", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "wrong_value", message, hint },
    ],
  });
}

/** A template's fields other than its definition; those that are left out stay as they are. */
export interface TemplateSettings {
  name?: string | undefined;
  description?: string | null | undefined;
  /** A folder of the organization's templates. */
  folderId?: string | null | undefined;
  isActive?: boolean | undefined;
  isFavorite?: boolean | undefined;
  /** Where its documents are delivered by default; null for nowhere. */
  deliver?: DeliverEntry[] | null | undefined;
}

/** @throws PlatenError `invalid_request` for an unknown folder. */
async function assertFolderExists(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<void> {
  const where = { id, organizationId, kind: "template" } as const;
  if (isId(id) && (await read.existsBy(Folder, where))) return;
  throw new PlatenError("invalid_request", "Folder not found.", {
    problems: [
      {
        path: "$.folderId",
        code: "unknown_folder",
        message: "is not a template folder of this organization",
      },
    ],
  });
}
