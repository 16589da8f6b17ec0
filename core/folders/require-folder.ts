import type { EntityManager } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import { findForUpdate, Folder, isId } from "../storage/database/index.js";

/**
 * For whoever puts something into a folder, which nobody deletes until that is done.
 * @throws PlatenError `invalid_request` unless the organization has such a folder of that kind.
 */
export async function requireFolder(
  tx: EntityManager,
  organizationId: string,
  kind: Folder["kind"],
  id: string,
): Promise<void> {
  const where = { id, organizationId, kind };
  if (isId(id) && (await findForUpdate(tx, Folder, where))) return;
  throw noFolder("$.folderId", kind);
}

/** The same words wherever a request names a folder that is not there. */
export function noFolder(path: string, kind: Folder["kind"]): PlatenError {
  return new PlatenError("invalid_request", "There is no such folder.", {
    problems: [
      {
        path,
        code: "unknown_folder",
        message: `is no folder of ${kind}s in this organization`,
      },
    ],
  });
}
