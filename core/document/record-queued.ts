import { countUsage } from "../account/index.js";
import { Document, type Store } from "../store/index.js";
import type { ProducedDocument } from "./produce-document.js";
import type { QueuedWatch } from "./render-queued.js";
import type { RenderRun } from "./render-run.js";

/**
 * Publishes the files of a queued document, with one unit of usage and what its batch adds: together, and only while
 * the row is still under this claim. @returns whether it was.
 */
export async function recordQueuedSucceeded(
  { store }: { store: Store },
  { run, row }: { run: RenderRun; row: Document },
  { saved, fileName, report }: ProducedDocument,
  watch: Pick<QueuedWatch, "alongside">,
): Promise<boolean> {
  const completedAt = new Date();
  const outputs = saved.map(({ output }) => output);
  return store.unitOfWork.run(async (tx) => {
    const { id, lockToken } = row;
    const { affected } = await tx.update(
      Document,
      { id, lockToken: lockToken ?? "", status: "rendering" },
      {
        status: "succeeded",
        outputs,
        metadata: { ...row.metadata, platen: { report } },
        fileName,
        error: null,
        attempts: row.attempts + 1,
        isRetrying: false,
        lockToken: null,
        lockedUntil: null,
        purgeAt: run.request.expiresAt,
        completedAt,
        updatedAt: completedAt,
      },
    );
    if (affected !== 1) return false;
    const { organizationId, isTest } = run.request;
    if (!isTest)
      await countUsage(tx, organizationId, "documents", 1, completedAt);
    await watch.alongside(tx, { outputs, fileName, completedAt });
    return true;
  });
}
