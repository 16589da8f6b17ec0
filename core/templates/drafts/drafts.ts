import { isDeepStrictEqual } from "node:util";
import {
  type EntityManager,
  IsNull,
  type QueryDeepPartialEntity,
} from "typeorm";
import type {
  DraftChange,
  DraftStatus,
  DraftView,
  Publication,
  PublishedState,
} from "./views.js";
import { type Actor, findLastChange } from "../../accounts/index.js";
import type { Compute } from "../../compute/index.js";
import { findUnfinished, migrateDefinition } from "../../definition/index.js";
import { isPlainObject } from "../../lib/json.js";
import { PlatenError } from "../../plugin-api/index.js";
import {
  TemplateDraft,
  isId,
  Template,
  insertRow,
  isDuplicate,
} from "../../storage/database/index.js";
import {
  checkEdit,
  createDefinitionError,
  findTemplate,
  type TemplateOwner,
  throwTemplateNotFound,
  editTemplate,
} from "../index.js";

export async function readPulse(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<DraftStatus> {
  const template = await findPublished(read, organizationId, id);
  const row = await read.findOne(TemplateDraft, {
    where: { templateId: id, organizationId },
    relations: { savedBy: true },
    select: {
      templateId: true,
      revision: true,
      savedAt: true,
      savedBy: { id: true, name: true },
    },
  });
  return {
    revision: row?.revision ?? 0,
    savedAt: row?.savedAt?.toISOString() ?? null,
    savedBy: row?.savedBy?.name ?? null,
    savedById: row?.savedBy?.id ?? null,
    ...template,
  };
}

const maxBytes = 2 * 1024 * 1024;

/**
 * Checks what may be stored as a draft: an object with the arrays of a definition, which may have any other problem.
 * @throws PlatenError `invalid_request`, `too_large` over 2 MiB of JSON.
 */
export function draftDefinition(written: unknown): Record<string, unknown> {
  if (!isPlainObject(written))
    throw createDraftError("$.definition", "must be an object.");
  for (const part of ["schema", "components"])
    if (!Array.isArray(written[part]))
      throw createDraftError(`$.definition.${part}`, "must be an array.");
  if (Buffer.byteLength(JSON.stringify(written)) > maxBytes)
    throw new PlatenError(
      "too_large",
      `The draft is larger than ${maxBytes} bytes. Remove large texts or samples from it.`,
    );
  return written;
}

function createDraftError(path: string, message: string): PlatenError {
  const problems = [{ path, code: "invalid_value", message }];
  return new PlatenError("invalid_request", `${path}: ${message}`, {
    problems,
  });
}

/** A stored draft; none of its fields is null. */
interface StoredDraft {
  definition: Record<string, unknown>;
  base: {
    definition: Record<string, unknown>;
    hash: string;
    updatedAt: Date;
    version: number;
  };
  savedBy: { id: string; name: string } | null;
  savedAt: Date;
}

interface FoundDraft {
  /** 0 for a template that has never had a draft. */
  revision: number;
  /** Null when there is none, or it has ended. */
  draft: StoredDraft | null;
}

/** The draft of a template that is known to be this organization's. */
export async function findDraft(
  read: EntityManager,
  organizationId: string,
  templateId: string,
): Promise<FoundDraft> {
  const row = await read.findOne(TemplateDraft, {
    where: { templateId, organizationId },
    relations: { savedBy: true },
  });
  return { revision: row?.revision ?? 0, draft: row && storedDraft(row) };
}

function storedDraft(row: TemplateDraft): StoredDraft | null {
  const { definition, baseDefinition, savedAt, savedBy } = row;
  const { baseHash: hash, baseUpdatedAt, baseVersion } = row;
  if (!definition || !baseDefinition || !savedAt) return null;
  if (hash === null || !baseUpdatedAt || baseVersion === null) return null;
  const base = {
    definition: baseDefinition,
    hash,
    updatedAt: baseUpdatedAt,
    version: baseVersion,
  };
  return { definition, base, savedBy: savedBy ?? null, savedAt };
}

const publishedColumns = {
  id: true,
  definitionHash: true,
  updatedAt: true,
  version: true,
  trashedAt: true,
} as const;

/** The published state of a template without its definition, and whether it is in the trash. @throws PlatenError `not_found`. */
async function findPublished(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<{ published: PublishedState; isTrashed: boolean }> {
  const where = { id, organizationId, inlineHash: IsNull() };
  const row = isId(id)
    ? await read.findOne(Template, { where, select: publishedColumns })
    : null;
  if (!row) return throwTemplateNotFound();
  return { published: publishedState(row), isTrashed: row.trashedAt !== null };
}

/**
 * Writes the draft over the one with the expected revision. @throws PlatenError `conflict`; then nothing is written.
 * @param change with a definition that `draftDefinition` has checked.
 */
export async function saveDraft(
  tx: EntityManager,
  owner: TemplateOwner,
  { template, draft: foundDraft }: { template: Template; draft: FoundDraft },
  change: DraftChange & { definition: Record<string, unknown> },
  at: Date,
): Promise<void> {
  const { definition, expectedRevision } = change;
  if (foundDraft.revision !== expectedRevision) throw staleDraft();
  const columns = {
    ...baseColumns(template, foundDraft, change.base),
    definition,
    savedById: owner.userId,
    savedAt: at,
  };
  if (foundDraft.revision > 0)
    return changeDraft(tx, template, expectedRevision, columns);
  await insertFirst(tx, {
    ...columns,
    templateId: template.id,
    organizationId: owner.organizationId,
    revision: 1,
  });
}

/** The base of a draft stays, unless the draft was merged with the published definition. */
function baseColumns(
  template: Template,
  { draft }: FoundDraft,
  base: string,
): Pick<
  TemplateDraft,
  "baseDefinition" | "baseHash" | "baseUpdatedAt" | "baseVersion"
> {
  if (draft?.base.hash === base)
    return {
      baseDefinition: draft.base.definition,
      baseHash: base,
      baseUpdatedAt: draft.base.updatedAt,
      baseVersion: draft.base.version,
    };
  if (template.definitionHash !== base) throw movedBase();
  return {
    // Only checked definitions are stored, and a checked one is an object.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    baseDefinition: migrateDefinition(template.definition) as Record<
      string,
      unknown
    >,
    baseHash: base,
    baseUpdatedAt: template.updatedAt,
    baseVersion: template.version,
  };
}

/** The first draft of a template. Of two concurrent inserts, the database accepts one. */
async function insertFirst(
  tx: EntityManager,
  row: Omit<TemplateDraft, "savedBy">,
): Promise<void> {
  try {
    await insertRow(tx, TemplateDraft, row);
  } catch (error) {
    throw isDuplicate(error) ? staleDraft() : error;
  }
}

function movedBase(): PlatenError {
  const message =
    "The template was published again after this draft was started. Open it again and merge both changes.";
  return new PlatenError("conflict", message, {
    problems: [{ path: "$.base", code: "stale_base", message }],
  });
}

/** The draft as an edit of its template, which is checked before the transaction that publishes it. */
export type CheckedPublication = Awaited<ReturnType<typeof checkPublication>>;

/** @throws PlatenError `not_found`, `conflict`, `invalid_definition` with every problem. */
export async function checkPublication(
  read: EntityManager,
  compute: Compute,
  organizationId: string,
  templateId: string,
  { expectedRevision, createVersion, versionNote }: Publication,
) {
  await findTemplate(read, organizationId, templateId);
  const { revision, draft } = await findDraft(read, organizationId, templateId);
  if (revision !== expectedRevision) throw staleDraft();
  const edit = {
    ...(draft && { definition: draft.definition }),
    createVersion,
    ...(createVersion && versionNote !== null && { versionNote }),
  };
  const checked = await checkEdit(
    read,
    compute,
    organizationId,
    templateId,
    edit,
  );
  const { template, successor } = checked;
  const problems = successor
    ? findUnfinished(successor.definition, template.templateType)
    : [];
  if (problems.length > 0)
    throw createDefinitionError("The template", problems);
  return { ...checked, edit };
}

/**
 * Makes the draft the template's definition and ends it. Without a draft, the published definition becomes a version if
 * requested. @throws PlatenError `conflict`; for `runChecked`.
 * @param template locked until the transaction ends
 */
export async function publishDraft(
  tx: EntityManager,
  owner: TemplateOwner,
  template: Template,
  { expectedRevision }: Pick<Publication, "expectedRevision">,
  { edit, ...checked }: CheckedPublication,
  actor: Actor,
): Promise<void> {
  const { organizationId } = owner;
  const { revision, draft } = await findDraft(tx, organizationId, template.id);
  // A revision never has another definition, so this is the draft that was checked.
  if (revision !== expectedRevision) throw staleDraft();
  if (draft && draft.base.hash !== template.definitionHash) throw redefined();
  await editTemplate(tx, owner, template.id, { edit, checked }, actor);
  if (draft) await endDraft(tx, template, expectedRevision);
}

function redefined(): PlatenError {
  const message =
    "Somebody else has published this template meanwhile. Open it again, merge both changes, and publish then.";
  return new PlatenError("conflict", message, {
    problems: [{ path: "$.base", code: "stale_base", message }],
  });
}

type Columns = Partial<
  Omit<TemplateDraft, "templateId" | "organizationId" | "revision" | "savedBy">
>;

/**
 * Changes the draft if it still has that revision, and increments it; of several concurrent changes, one succeeds.
 * @throws PlatenError `conflict`; then nothing is written.
 */
async function changeDraft(
  tx: EntityManager,
  { id: templateId, organizationId }: Pick<Template, "id" | "organizationId">,
  revision: number,
  columns: Columns,
): Promise<void> {
  // TypeORM's type of a change does not accept JSON columns.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const change = {
    ...columns,
    revision: revision + 1,
  } as QueryDeepPartialEntity<TemplateDraft>;
  const where = { templateId, organizationId, revision };
  const { affected } = await tx.update(TemplateDraft, where, change);
  if (affected !== 1) throw staleDraft();
}

/** Ends the draft; its revision continues, so that an outdated save is not accepted later. */
export function endDraft(
  tx: EntityManager,
  template: Pick<Template, "id" | "organizationId">,
  revision: number,
): Promise<void> {
  return changeDraft(tx, template, revision, {
    definition: null,
    baseDefinition: null,
    baseHash: null,
    baseUpdatedAt: null,
    baseVersion: null,
    savedById: null,
    savedAt: null,
  });
}

export function staleDraft(): PlatenError {
  const message =
    "Somebody else has changed this draft meanwhile. Open it again and merge both changes.";
  return new PlatenError("conflict", message, {
    problems: [{ path: "$.expectedRevision", code: "stale_revision", message }],
  });
}

export async function readDraftView(
  read: EntityManager,
  template: Template,
): Promise<DraftView> {
  const { id, organizationId } = template;
  const foundDraft = await findDraft(read, organizationId, id);
  const base = foundDraft.draft?.base;
  const publishedBy =
    !base || base.hash === template.definitionHash
      ? null
      : await findLastChange(read, organizationId, {
          action: "template.redefined",
          subject: id,
          since: base.updatedAt,
        });
  return draftView(template, foundDraft, publishedBy);
}

function draftView(
  template: Template,
  { revision, draft }: FoundDraft,
  publishedBy: DraftView["publishedBy"],
): DraftView {
  const { id: templateId, name, templateType, folderId } = template;
  const live = publishedState(template);
  const published = migrateDefinition(template.definition);
  const base = draft
    ? { ...toState(draft.base), definition: draft.base.definition }
    : { ...live, definition: published };
  const definition = draft ? draft.definition : published;
  return {
    templateId,
    name,
    templateType,
    folderId,
    definition,
    revision,
    savedAt: draft && draft.savedAt.toISOString(),
    savedBy: draft?.savedBy?.name ?? null,
    savedById: draft?.savedBy?.id ?? null,
    base,
    published: {
      ...live,
      definition: live.hash === base.hash ? null : published,
    },
    publishedBy,
    isChanged: !isDeepStrictEqual(definition, published),
    isTrashed: template.trashedAt !== null,
  };
}

function publishedState({
  definitionHash: hash,
  updatedAt,
  version,
}: Pick<Template, "definitionHash" | "updatedAt" | "version">): PublishedState {
  return toState({ hash, updatedAt, version });
}

function toState(state: {
  hash: string;
  updatedAt: Date;
  version: number;
}): PublishedState {
  const { hash, updatedAt, version } = state;
  return { hash, updatedAt: updatedAt.toISOString(), version };
}
