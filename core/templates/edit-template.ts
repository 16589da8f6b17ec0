import type { EntityManager, QueryDeepPartialEntity } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import type { Problem } from "../plugin-api/index.js";
import { Template } from "../storage/database/index.js";
import { checkSuccessor } from "./check-successor.js";
import { dataSourceOf } from "../definition/index.js";
import type { NewTemplate } from "./check-template.js";
import { refuseStale, type SeenVersion } from "./seen-version.js";
import { findTemplate, findTemplateForUpdate } from "./find-template.js";
import { onPaper, type PaperChoice } from "./paper-choice.js";
import { momentAfter } from "./moment-after.js";
import { hashOf } from "./publish-template.js";
import { snapshotTemplate } from "./snapshot-template.js";
import type { TemplateOwner } from "./template-owner.js";
import {
  refuseUnknownFolder,
  settingsColumns,
  type TemplateSettings,
} from "./template-settings.js";

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

export interface EditedTemplate {
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
  const warnings = [...(successor?.warnings ?? []), ...lostNote(edit)];
  const columns = columnsOf(edit, successor);
  const createVersion = edit.createVersion ?? false;
  if (!createVersion && Object.keys(columns).length === 0)
    return { template, warnings };
  const at = momentAfter(template.updatedAt);
  const version = template.version + (createVersion ? 1 : 0);
  await write(tx, template, { ...columns, version, updatedAt: at });
  if (createVersion)
    await snapshotTemplate(tx, template, {
      userId: owner.userId,
      description: edit.versionNote ?? "",
      at,
    });
  if (successor !== null) await noteRedefined(tx, template, actor);
  return { template, warnings };
}

/** Checks all of an edit and writes nothing. @throws PlatenError as `Templates.edit`. @returns the template as it would be */
export async function draftEdit(
  read: EntityManager,
  organizationId: string,
  id: string,
  edit: TemplateEdit,
): Promise<NewTemplate> {
  const template = await findTemplate(read, organizationId, id);
  const successor = await checkEdit(read, template, edit);
  return successor ?? checkSuccessor(template, template.definition);
}

/** @returns the definition that follows; null when it stays. */
async function checkEdit(
  read: EntityManager,
  template: Template,
  edit: TemplateEdit,
): Promise<NewTemplate | null> {
  await refuseStale(read, template, edit.expectedVersion);
  if (edit.folderId)
    await refuseUnknownFolder(read, template.organizationId, edit.folderId);
  const { definition = template.definition } = edit;
  const written = onPaper(definition, template.templateType, edit);
  return written === template.definition
    ? null
    : checkSuccessor(template, written);
}

function columnsOf(edit: TemplateEdit, successor: NewTemplate | null) {
  return {
    ...settingsColumns(edit),
    ...(successor && {
      definition: successor.definition,
      definitionHash: hashOf(successor.definition),
      dataSource: dataSourceOf(successor.definition),
    }),
  };
}

/** A note is kept with a version: without one, whoever wrote it is told. */
function lostNote({ createVersion, versionNote }: TemplateEdit): Problem[] {
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

async function write(
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

async function noteRedefined(
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
