import type { EntityManager } from "typeorm";
import {
  Document,
  findForUpdate,
  WriteBack,
} from "../../../storage/database/index.js";
import { addedFiles } from "./added-files.js";

/** How a write-back ended. */
export type WriteBackEnd =
  { status: "succeeded" } | { status: "failed"; error: string };

/**
 * Ends a write-back that is pending, and tells of it in the document's metadata; unless more files came since `row` was
 * read, which have their job.
 */
export async function endWriteBack(
  tx: EntityManager,
  { row, field }: { row: WriteBack; field: string },
  end: WriteBackEnd,
): Promise<void> {
  const { documentId } = row;
  if ((await addedFiles(tx, row)).length > 0) return;
  const at = new Date();
  const error = end.status === "failed" ? end.error : null;
  const { affected } = await tx.update(
    WriteBack,
    { documentId, status: "pending" },
    { status: end.status, error, completedAt: at, updatedAt: at },
  );
  if (affected !== 1) return;
  const document = await findForUpdate(tx, Document, { id: documentId });
  const { platen, ...metadata } = document?.metadata ?? {};
  const writeBack = { ...end, field, at: at.toISOString() };
  const ours =
    typeof platen === "object" ? { ...platen, writeBack } : { writeBack };
  await tx.update(
    Document,
    { id: documentId },
    { metadata: { ...metadata, platen: ours }, updatedAt: at },
  );
}
