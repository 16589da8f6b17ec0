import type { EntityManager } from "typeorm";
import { Document, findForUpdate, WriteBack } from "../../store/index.js";

/** How a write-back ended. */
export type WriteBackEnd =
  { status: "succeeded" } | { status: "failed"; error: string };

/** Ends a write-back that is pending, and tells of it in the document's metadata. */
export async function endWriteBack(
  tx: EntityManager,
  { documentId, field }: { documentId: string; field: string },
  end: WriteBackEnd,
): Promise<void> {
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
