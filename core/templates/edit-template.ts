import type { EntityManager, QueryDeepPartialEntity } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import { dataSourceOf } from "../definition/index.js";
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

/** What is left out stays as it is; what is named changes together. */
export interface TemplateEdit extends TemplateSettings, PaperChoice {
  /** The new live definition, any JSON value; its components keep their place by their ids. */
  definition?: unknown;
  /** True freezes the live definition, as it is after the edit, under the next number. */
  createVersion?: boolean | undefined;
  /** What changed, in the author's words; is kept with the version. */
  versionNote?: string | undefined;
  /** The edit is refused when the template is no longer as it was then. */
  expectedVersion?: SeenVersion | undefined;
}

interface EditedTemplate {
  template: Template;
  warnings: readonly Problem[];
}

/**
 * Changes a template and adds the version that was asked for: all of it or nothing.
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

/** Checks all of an edit and writes nothing. @throws PlatenError as `Templates.edit`. @returns the template as it would be */
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

/** @returns the definition that follows; null when it stays. */
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
      dataSource: dataSourceOf(successor.definition),
    }),
  };
}

/** A note is kept with a version: without one, whoever wrote it is told. */
function findUnusedNote({
  createVersion,
  versionNote,
}: TemplateEdit): Problem[] {
  if (createVersion || !versionNote) return [];
  return [
    {
      path: "$.versionNote",
      code: "unused",
      message: "No version was made, so this note is kept nowhere.",
      hint: "Set createVersion to true to make one.",
    },
  ];
}

async function updateTemplate(
  tx: EntityManager,
  template: Template,
  columns: Partial<Template>,
): Promise<void> {
  const { id, organizationId } = template;
  // TypeORM's type of a change leaves no room for columns of any JSON.
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
 * A state of a template that somebody has read: its `updatedAt`, which every change moves on; or the number of a
 * version, as long as nothing was changed since that version was made.
 */
export type SeenVersion = string | number;

/** @throws PlatenError `conflict` that tells the current state when the template is no longer in that one, `invalid_request` for what names none. */
async function assertCurrent(
  read: EntityManager,
  template: Template,
  seen: SeenVersion | undefined,
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
    throw createStaleError(template, `after version ${number} was made`);
}

function createStaleError(template: Template, when: string): PlatenError {
  const updatedAt = template.updatedAt.toISOString();
  const message =
    `This template was changed ${when}: its version is now ${template.version}, ` +
    `and its updatedAt ${updatedAt}.`;
  const hint = `Read it again, and edit what you find there with expectedVersion "${updatedAt}".`;
  return new PlatenError("conflict", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "stale_version", message, hint },
    ],
  });
}

function createUnknownVersionError(): PlatenError {
  const message = "This is no version of a template.";
  const hint = "Give the version or the updatedAt that you have read.";
  return new PlatenError("invalid_request", `${message} ${hint}`, {
    problems: [
      { path: "$.expectedVersion", code: "wrong_value", message, hint },
    ],
  });
}

/** What a template is beside its definition; what is left out stays. */
export interface TemplateSettings {
  name?: string | undefined;
  description?: string | null | undefined;
  /** A folder of the organization's templates. */
  folderId?: string | null | undefined;
  isActive?: boolean | undefined;
  isFavorite?: boolean | undefined;
}

/** The columns that were named: what is undefined is not a change. */
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

/** @throws PlatenError `invalid_request` for a folder that is not there. */
async function assertFolderExists(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<void> {
  const where = { id, organizationId, kind: "template" } as const;
  if (isId(id) && (await read.existsBy(Folder, where))) return;
  throw new PlatenError("invalid_request", "There is no such folder.", {
    problems: [
      {
        path: "$.folderId",
        code: "unknown_folder",
        message: "is no folder of templates in this organization",
      },
    ],
  });
}

/**
 * Puts a template into the trash: it is no longer listed nor rendered, and keeps all that it is. One that is there
 * already stays as it was put there. @throws PlatenError `not_found`.
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

/** Takes it out again; one that is not in the trash stays as it is. @throws PlatenError `not_found`. */
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
