import type { EntityManager } from "typeorm";
import { PlatenError } from "../contract/index.js";
import { Folder, isId, Template } from "../store/index.js";
import { findTemplateForUpdate } from "./find-template.js";
import { searchNameOf } from "./publish-template.js";
import { snapshotTemplate } from "./snapshot-template.js";
import type { TemplateOwner } from "./template-owner.js";

/** What may be changed without touching the definition; what is left out stays. */
export interface TemplatePatch {
  name?: string | undefined;
  description?: string | null | undefined;
  /** A folder of the organization's templates. */
  folderId?: string | null | undefined;
  isActive?: boolean | undefined;
  isFavorite?: boolean | undefined;
  /** True freezes the live definition under the next number. */
  createVersion?: boolean | undefined;
}

/** @throws PlatenError `not_found` for the template, `invalid_request` for a folder that is not there. */
export async function patchTemplate(
  tx: EntityManager,
  { organizationId, userId }: TemplateOwner,
  id: string,
  patch: TemplatePatch,
): Promise<Template> {
  const template = await findTemplateForUpdate(tx, organizationId, id);
  const { createVersion = false, ...settings } = patch;
  const changes = changesOf(settings);
  if (!createVersion && Object.keys(changes).length === 0) return template;
  if (changes.folderId) await checkFolder(tx, organizationId, changes.folderId);
  const at = new Date();
  const version = template.version + (createVersion ? 1 : 0);
  const columns = { ...changes, version, updatedAt: at };
  await tx.update(Template, { id, organizationId }, columns);
  Object.assign(template, columns);
  if (createVersion)
    await snapshotTemplate(tx, template, { userId, description: "", at });
  return template;
}

type Settings = Omit<TemplatePatch, "createVersion">;

/** The columns that were named: what is undefined is not a change. */
function changesOf(settings: Settings) {
  const { name, description, folderId, isActive, isFavorite } = settings;
  return {
    ...(name !== undefined && { name, searchName: searchNameOf(name) }),
    ...(description !== undefined && { description }),
    ...(folderId !== undefined && { folderId }),
    ...(isActive !== undefined && { isActive }),
    ...(isFavorite !== undefined && { isFavorite }),
  };
}

async function checkFolder(
  tx: EntityManager,
  organizationId: string,
  id: string,
): Promise<void> {
  const where = { id, organizationId, kind: "template" } as const;
  if (isId(id) && (await tx.existsBy(Folder, where))) return;
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
