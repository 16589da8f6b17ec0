import type { EntityManager } from "typeorm";
import { TemplateDraft } from "../../storage/database/index.js";

/** A draft that is stored: none of its parts is null. */
export interface StoredDraft {
  definition: Record<string, unknown>;
  base: {
    definition: Record<string, unknown>;
    hash: string;
    updatedAt: Date;
    version: number;
  };
  savedBy: string | null;
  savedAt: Date;
}

export interface FoundDraft {
  /** 0 for a template that nobody has drafted yet. */
  revision: number;
  /** Null: there is none, or none any more. */
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
  return { definition, base, savedBy: savedBy?.name ?? null, savedAt };
}
