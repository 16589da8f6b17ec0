import type { EntityManager, QueryDeepPartialEntity } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import { getDataSource } from "../definition/index.js";
import { type Problem, PlatenError } from "../plugin-api/index.js";
import {
  Template,
  TemplateVersion,
  Folder,
  isId,
} from "../storage/database/index.js";
import {
  validateUpdate,
  type NewTemplate,
  applyPaper,
  type PaperChoice,
} from "./check-template.js";
import {
  findTemplate,
  findTemplateForUpdate,
  nextTimestamp,
  hashOf,
  snapshotTemplate,
  type TemplateOwner,
  searchNameOf,
} from "./template-repository.js";

/** Fields that are left out stay as they are; all others change together. */
export interface TemplateEdit extends TemplateSettings, PaperChoice {
  /** The new live definition, any JSON value; its components are identified by their ids. */
  definition?: unknown;
  /** Stores the live definition, as it is after the edit, as the next version. */
  createVersion?: boolean | undefined;
  /** The author's description of the change; stored with the version. */
  versionNote?: string | undefined;
  /** The edit is rejected when the template has changed since. */
  expectedVersion?: ExpectedVersion | undefined;
}

interface EditedTemplate {
  template: Template;
  warnings: readonly Problem[];
}

/**
 * Changes a template and adds a version if requested, in one transaction.
 * @throws PlatenError as `Templates.edit`.
 */
export async function editTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  edit: TemplateEdit,
  actor: Actor,
): Promise<EditedTemplate> {
  const { organizationId } = owner;
  const template = await findTemplateForUpdate(tx, organizationId, id);
  const successor = await checkEdit(tx, template, edit);
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
  if (successor !== null) await recordRedefinition(tx, template, actor);
  return { template, warnings };
}

/** Checks the edit and writes nothing. @throws PlatenError as `TemplateEditor.edit`. @returns the template as it would be */
export async function prepareEdit(
  read: EntityManager,
  organizationId: string,
  id: string,
  edit: TemplateEdit,
): Promise<NewTemplate> {
  const template = await findTemplate(read, organizationId, id);
  const successor = await checkEdit(read, template, edit);
  return successor ?? validateUpdate(template, template.definition);
}

/** @returns the new definition; null when it does not change. */
async function checkEdit(
  read: EntityManager,
  template: Template,
  edit: TemplateEdit,
): Promise<NewTemplate | null> {
  await assertCurrent(read, template, edit.expectedVersion);
  if (edit.folderId)
    await assertFolderExists(read, template.organizationId, edit.folderId);
  const { definition = template.definition } = edit;
  const written = applyPaper(definition, template.templateType, edit);
  return written === template.definition
    ? null
    : validateUpdate(template, written);
}

function toColumns(edit: TemplateEdit, successor: NewTemplate | null) {
  return {
    ...toSettingsColumns(edit),
    ...(successor && {
      definition: successor.definition,
      definitionHash: hashOf(successor.definition),
      dataSource: getDataSource(successor.definition),
    }),
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

async function recordRedefinition(
  tx: EntityManager,
  { id, organizationId, version }: Template,
  actor: Actor,
): Promise<void> {
  await recordAudit(tx, actor, {
    organizationId,
    action: "template.redefined",
    subject: id,
    details: { version },
  });
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
}

/** The columns of the fields that are not undefined. */
function toSettingsColumns(settings: TemplateSettings) {
  const { name, description, folderId, isActive, isFavorite } = settings;
  return {
    ...(name !== undefined && { name, searchName: searchNameOf(name) }),
    ...(description !== undefined && { description }),
    ...(folderId !== undefined && { folderId }),
    ...(isActive !== undefined && { isActive }),
    ...(isFavorite !== undefined && { isFavorite }),
  };
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

/**
 * Moves a template to the trash: it is no longer listed or rendered, but keeps all its data. A template that is in the
 * trash already stays unchanged. @throws PlatenError `not_found`.
 */
export async function trashTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  actor: Actor,
): Promise<Template> {
  const template = await findTemplateForUpdate(tx, owner.organizationId, id);
  if (template.trashedAt !== null) return template;
  const at = nextTimestamp(template.updatedAt);
  await setTrashed(
    tx,
    template,
    { trashedAt: at, trashedById: owner.userId },
    at,
  );
  await recordTrashAudit(tx, template, "template.trashed", actor);
  return template;
}

/** Restores a template from the trash; one that is not there stays unchanged. @throws PlatenError `not_found`. */
export async function restoreTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  id: string,
  actor: Actor,
): Promise<Template> {
  const template = await findTemplateForUpdate(tx, owner.organizationId, id);
  if (template.trashedAt === null) return template;
  const at = nextTimestamp(template.updatedAt);
  await setTrashed(tx, template, { trashedAt: null, trashedById: null }, at);
  await recordTrashAudit(tx, template, "template.restored", actor);
  return template;
}

async function setTrashed(
  tx: EntityManager,
  template: Template,
  place: Pick<Template, "trashedAt" | "trashedById">,
  updatedAt: Date,
): Promise<void> {
  const { id, organizationId } = template;
  const columns = { ...place, updatedAt };
  await tx.update(Template, { id, organizationId }, columns);
  Object.assign(template, columns);
}

async function recordTrashAudit(
  tx: EntityManager,
  { id, organizationId, name }: Template,
  action: "template.trashed" | "template.restored",
  actor: Actor,
): Promise<void> {
  await recordAudit(tx, actor, {
    organizationId,
    action,
    subject: id,
    details: { name },
  });
}
