import type { EntityManager } from "typeorm";
import {
  findForUpdate,
  WriteBack,
  type WrittenFile,
} from "../../../storage/database/index.js";

/** Files that came since the row was read, such as signed ones; locks the row. */
export async function addedFiles(
  tx: EntityManager,
  { documentId, files }: Pick<WriteBack, "documentId" | "files">,
): Promise<WrittenFile[]> {
  const known = new Set(files.map(({ label }) => label));
  const now = await findForUpdate(tx, WriteBack, { documentId });
  return now?.files.filter(({ label }) => !known.has(label)) ?? [];
}
