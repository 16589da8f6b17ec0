import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import {
  dataSourceOf,
  type ProjectData,
  liftDefinition,
} from "../definition/index.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  findForUpdate,
  isId,
  Template,
  insertRow,
  newId,
  TemplateVersion,
} from "../storage/database/index.js";
import type { NewTemplate } from "./check-template.js";

/** A template of this organization, in the trash or not. @throws PlatenError `not_found`. */
export async function findTemplate(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Template> {
  const row = isId(id)
    ? await read.findOneBy(Template, { id, organizationId })
    : null;
  return row ?? noTemplate();
}

/** The same, kept from others until the unit of work ends. */
export async function findTemplateForUpdate(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<Template> {
  const row = isId(id)
    ? await findForUpdate(tx, Template, { id, organizationId })
    : null;
  return row ?? noTemplate();
}

/** @throws PlatenError `not_found`: also for another organization's, whose existence is nobody's business. */
export function noTemplate(): never {
  throw new PlatenError("not_found", "There is no such template.");
}

/** Writes a checked template with its first snapshot, which is version 1. */
export async function insertTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  input: Omit<NewTemplate, "warnings">,
  folderId: string | null = null,
): Promise<Template> {
  const template = createRow(owner, input, folderId);
  await insertRow(tx, Template, template);
  await snapshotTemplate(tx, template, {
    userId: owner.userId,
    description: "",
    at: template.createdAt,
  });
  return template;
}

/** The same, and a line in the audit trail that says how it came. */
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

function createRow(
  owner: TemplateOwner,
  input: Omit<NewTemplate, "warnings">,
  folderId: string | null,
): Template {
  const now = new Date();
  return {
    id: newId(),
    organizationId: owner.organizationId,
    folderId,
    name: input.name,
    searchName: searchNameOf(input.name),
    description: input.description,
    templateType: input.templateType,
    dataSource: dataSourceOf(input.definition),
    thumbnailKey: null,
    isActive: true,
    isFavorite: false,
    trashedAt: null,
    trashedById: null,
    version: 1,
    definition: input.definition,
    definitionHash: hashOf(input.definition),
    createdById: owner.userId,
    createdAt: now,
    updatedAt: now,
  };
}

/** As names are compared when templates are searched: without regard to case, in every alphabet. */
export function searchNameOf(text: string): string {
  return text.toLowerCase();
}

/** What a definition is known by: caches and pictures are kept by it. */
export function hashOf(definition: ProjectData): string {
  return createHash("sha256").update(JSON.stringify(definition)).digest("hex");
}

interface Snapshot {
  userId: string;
  /** What changed, in the author's words; may be empty. */
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
    createdById: userId,
    createdAt: at,
  });
}

/** In whose organization and name something is made. */
export interface TemplateOwner {
  organizationId: string;
  userId: string;
}

/** Each change has a moment of its own, also within a millisecond: `updatedAt` names the state that it left. */
export function nextTimestamp(previous: Date): Date {
  return new Date(Math.max(Date.now(), previous.getTime() + 1));
}

/**
 * A definition by its row and hash: one that was changed in between must not be compiled under its old hash.
 * @throws PlatenError `unavailable` when it was.
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
  if (row) return liftDefinition(row.definition) as ProjectData;
  throw new PlatenError(
    "unavailable",
    "The template was changed at this very moment. Try again.",
  );
}
