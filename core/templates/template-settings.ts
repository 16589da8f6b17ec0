import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { Folder, isId } from "../storage/database/index.js";
import { searchNameOf } from "./publish-template.js";

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
export function settingsColumns(settings: TemplateSettings) {
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
export async function refuseUnknownFolder(
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
