import { randomUUID } from "node:crypto";
import { Document, type Store } from "../store/index.js";

/** A document under this worker's claim. */
export type ClaimedDocument = Document & { batchId: string; lockToken: string };

/**
 * Takes a document for one render, also from whoever holds it: the queue hands a job to one worker at a time, so that
 * one has lost it. Its saves name the old token and change nothing. Null when the document has ended.
 */
export async function claimDocument(
  store: Pick<Store, "unitOfWork">,
  id: string,
): Promise<ClaimedDocument | null> {
  const lockToken = randomUUID();
  return store.unitOfWork.run(async (tx) => {
    const { affected } = await tx
      .createQueryBuilder()
      .update(Document)
      .set({
        // Before the status, which MySQL changes first if it stands first.
        interruptions: () =>
          "CASE WHEN status = 'rendering' THEN interruptions + 1 ELSE interruptions END",
        status: "rendering",
        lockToken,
        updatedAt: new Date(),
      })
      .where("id = :id AND status IN ('queued', 'rendering')", { id })
      .andWhere("batch_id IS NOT NULL")
      .execute();
    return affected === 1
      ? claimed(await tx.findOneBy(Document, { id }))
      : null;
  });
}

function claimed(row: Document | null): ClaimedDocument | null {
  if (row === null || row.batchId === null || row.lockToken === null)
    return null;
  const { batchId, lockToken } = row;
  return Object.assign(row, { batchId, lockToken });
}
