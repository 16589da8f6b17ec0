import { createHash } from "node:crypto";
import { type EntityManager, IsNull } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import {
  getDataSource,
  type ProjectData,
  migrateDefinition,
  type TemplateType,
} from "../definition/index.js";
import { clock } from "../lib/clock.js";
import { PlatenError, type Problem } from "../plugin-api/index.js";
import {
  findForUpdate,
  isId,
  Template,
  insertRow,
  newId,
  TemplateVersion,
  type UsedPartials,
} from "../storage/database/index.js";
import { lockPartials } from "./used-partials.js";

export interface TemplateOwner {
  organizationId: string;
  userId: string;
}

/** A template before it has an id; also the format of a template file. */
export interface NewTemplate {
  name: string;
  templateType: TemplateType;
  description: string | null;
  definition: ProjectData;
  /** Allowed but suspicious, such as paths that the schema does not declare. */
  warnings: readonly Problem[];
  /** The reusable blocks that the definition was checked with; null when it uses none. */
  partials: UsedPartials | null;
}

/** Templates that people made, without those of definitions in requests. */
export const LISTED = { inlineHash: IsNull() };

/** A template of this organization, in the trash or not. @throws PlatenError `not_found`. */
export async function findTemplate(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Template> {
  const row = await findReadableTemplate(read, organizationId, id);
  return row.inlineHash === null ? row : throwTemplateNotFound();
}

/** The same; those of definitions in requests too, which can be read and copied. @throws PlatenError `not_found`. */
export async function findReadableTemplate(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Template> {
  const row = isId(id)
    ? await read.findOneBy(Template, { id, organizationId })
    : null;
  const isSwept = row?.inlineHash !== null && row?.trashedAt !== null;
  return row && !isSwept ? row : throwTemplateNotFound();
}

/** The same as `findTemplate`, locked until the unit of work ends. */
export async function findTemplateForUpdate(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Template> {
  const row = isId(id)
    ? await findForUpdate(tx, Template, { id, organizationId })
    : null;
  return row?.inlineHash === null ? row : throwTemplateNotFound();
}

/** @throws PlatenError `not_found`, also for a template of another organization, whose existence must not be revealed. */
export function throwTemplateNotFound(): never {
  throw new PlatenError("not_found", "There is no such template.");
}

/** Inserts a checked template with its first snapshot, version 1. */
export async function insertTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  input: Omit<NewTemplate, "warnings">,
  folderId: string | null = null,
): Promise<Template> {
  const isCurrent = await lockPartials(
    tx,
    owner.organizationId,
    input.partials,
  );
  if (!isCurrent)
    throw new PlatenError(
      "conflict",
      "A block of this template was changed at the same time. Try again.",
    );
  const template = createTemplateRow(owner, input, folderId);
  await insertRow(tx, Template, template);
  await snapshotTemplate(tx, template, {
    userId: owner.userId,
    description: "",
    at: template.createdAt,
  });
  return template;
}

/** The same, with an entry in the audit trail. */
export async function publishTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  input: NewTemplate,
  actor: Actor,
  action: "template.created" | "template.imported",
): Promise<Template> {
  const template = await insertTemplate(tx, owner, input);
  await recordAudit(tx, actor, {
    organizationId: owner.organizationId,
    action,
    subject: template.id,
    details: { name: template.name },
  });
  return template;
}

/** The row of a new template, which is not stored yet. */
export function createTemplateRow(
  owner: TemplateOwner,
  input: Omit<NewTemplate, "warnings">,
  folderId: string | null = null,
): Template {
  const now = clock.date();
  return {
    id: newId(),
    organizationId: owner.organizationId,
    folderId,
    name: input.name,
    searchName: searchNameOf(input.name),
    description: input.description,
    templateType: input.templateType,
    dataSource: getDataSource(input.definition),
    thumbnailKey: null,
    isActive: true,
    isFavorite: false,
    trashedAt: null,
    trashedById: null,
    version: 1,
    definition: input.definition,
    definitionHash: hashOf(input.definition),
    partials: input.partials,
    deliver: null,
    inlineHash: null,
    createdById: owner.userId,
    createdAt: now,
    updatedAt: now,
  };
}

/** The case-insensitive form of a name that searches compare. */
export function searchNameOf(text: string): string {
  return text.toLowerCase();
}

/** Identifies a definition in caches and thumbnails. */
export function hashOf(definition: ProjectData): string {
  return createHash("sha256").update(JSON.stringify(definition)).digest("hex");
}

interface Snapshot {
  userId: string;
  /** The author's description of the change; may be empty. */
  description: string;
  at: Date;
}

/** Freezes the live definition under the template's current number. */
export async function snapshotTemplate(
  tx: EntityManager,
  template: Template,
  { userId, description, at }: Snapshot,
): Promise<void> {
  await insertRow(tx, TemplateVersion, {
    id: newId("ver"),
    organizationId: template.organizationId,
    templateId: template.id,
    version: template.version,
    description,
    definition: template.definition,
    definitionHash: template.definitionHash,
    partials: template.partials,
    createdById: userId,
    createdAt: at,
  });
}

/** Every change gets a unique timestamp, also within one millisecond, since `updatedAt` identifies a state. */
export function nextTimestamp(previous: Date): Date {
  return new Date(Math.max(clock.now(), previous.getTime() + 1));
}

/**
 * Loads a definition by its row and hash, since a changed one must not be compiled under its old hash.
 * @throws PlatenError `unavailable` when it was changed meanwhile.
 */
export async function loadDefinition(
  read: EntityManager,
  entity: typeof Template | typeof TemplateVersion,
  { id, definitionHash }: { id: string; definitionHash: string },
): Promise<ProjectData> {
  const row = await read.findOne<Template | TemplateVersion>(entity, {
    where: { id, definitionHash },
    select: { id: true, definition: true },
  });
  // Only checked definitions are stored.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (row) return migrateDefinition(row.definition) as ProjectData;
  throw new PlatenError(
    "unavailable",
    "The template was changed while it was being read. Try again.",
  );
}
