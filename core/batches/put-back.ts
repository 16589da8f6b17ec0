import { Batch, Document, type Store } from "../storage/database/index.js";
import type { ClaimedDocument } from "./claim-documents.js";

/**
 * Gives a document back to the queue, if it is still under this claim and its batch was not cancelled.
 * @param failure the error of a render that counts; null for a render that ended for no fault of the document.
 * @returns whether it is queued again.
 */
export async function putBack(
  { unitOfWork }: Pick<Store, "unitOfWork">,
  { id, batchId, lockToken, attempts, isRetrying }: ClaimedDocument,
  failure: string | null,
): Promise<boolean> {
  const counted = {
    attempts: attempts + 1,
    isRetrying: true,
    error: failure,
  };
  return unitOfWork.run(async (tx) => {
    const batch = await tx.findOneByOrFail(Batch, { id: batchId });
    if (batch.cancelledAt !== null) return false;
    const { affected } = await tx.update(
      Document,
      { id, lockToken, status: "rendering" },
      {
        status: "queued",
        lockToken: null,
        updatedAt: new Date(),
        ...(failure === null ? { isRetrying } : counted),
      },
    );
    return affected === 1;
  });
}
