import type { EntityManager, QueryDeepPartialEntity } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import type { Compute } from "../compute/index.js";
import { getDataSource } from "../definition/index.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import {
  type DeliverEntry,
  Template,
  TemplateVersion,
  Folder,
  isId,
} from "../storage/database/index.js";
import {
  applyPaper,
  type PaperChoice,
  validateUpdate,
} from "./check-template.js";
import { lockPartials } from "./used-partials.js";
import { patchDefinition, type PatchOperation } from "./definition-patch.js";
import {
  findTemplate,
  findTemplateForUpdate,
  nextTimestamp,
  hashOf,
  snapshotTemplate,
  searchNameOf,
  type NewTemplate,
  type TemplateOwner,
} from "./template-repository.js";

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
) {
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
export async function prepareEdit(
  read: EntityManager,
  compute: Compute,
  organizationId: string,
  id: string,
  edit: TemplateEdit,
): Promise<NewTemplate> {
  const checked = await checkEdit(read, compute, organizationId, id, edit);
  const { template, successor } = checked;
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
): Promise<CheckedEdit & { template: Template }> {
  const template = await findTemplate(read, organizationId, id);
  await assertApplicable(read, template, edit);
  const definition = getEditedDefinition(template, edit);
  const written = applyPaper(definition, template.templateType, edit);
  const isSame = written === template.definition;
  return {
    template,
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

export async function updateTemplate(
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

/** For editors whose definition is no version yet: batches render the newest version. Empty when it is one. */
export interface BatchNotice {
  batchVersion?: number;
  /** The same as a sentence. */
  notice?: string;
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
