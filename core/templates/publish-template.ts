import { createHash } from "node:crypto";
import type { EntityManager } from "typeorm";
import { type Actor, recordAudit } from "../accounts/index.js";
import { insertRow, newId, Template } from "../storage/database/index.js";
import { dataSourceOf, type ProjectData } from "../definition/index.js";
import type { NewTemplate } from "./check-template.js";
import { snapshotTemplate } from "./snapshot-template.js";
import type { TemplateOwner } from "./template-owner.js";

/** Writes a checked template with its first snapshot, which is version 1. */
export async function insertTemplate(
  tx: EntityManager,
  owner: TemplateOwner,
  input: Omit<NewTemplate, "warnings">,
  folderId: string | null = null,
): Promise<Template> {
  const template = rowOf(owner, input, folderId);
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

function rowOf(
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
