import type { EntityManager } from "typeorm";
import { recordEvent } from "../event/index.js";
import { Batch } from "../store/index.js";
import { countByStatus } from "./count-by-status.js";

/**
 * Counts documents of a batch that end in this transaction. Whoever takes the counter to zero completes the batch:
 * since the counter's row is locked until the commit, exactly one does, after all others are committed.
 * @returns whether this did.
 */
export async function countEnded(
  tx: EntityManager,
  batchId: string,
  ended: number,
  at: Date,
): Promise<boolean> {
  await tx.decrement(Batch, { id: batchId }, "remaining", ended);
  const done = { status: "completed", completedAt: at, updatedAt: at } as const;
  const { affected } = await tx
    .createQueryBuilder()
    .update(Batch)
    .set(done)
    .where("id = :batchId AND remaining = 0", { batchId })
    .andWhere("status <> 'completed'")
    .execute();
  const isLast = affected === 1;
  if (isLast) await recordCompleted(tx, batchId, at);
  return isLast;
}

async function recordCompleted(
  tx: EntityManager,
  batchId: string,
  at: Date,
): Promise<void> {
  const batch = await tx.findOneByOrFail(Batch, { id: batchId });
  const counts = await countByStatus(tx, batchId);
  await recordEvent(tx, {
    type: "documents.completed",
    data: {
      batchId,
      organizationId: batch.organizationId,
      totalDocuments: batch.totalCount,
      succeededCount: counts.succeeded,
      failedCount: counts.failed,
      expiredCount: counts.expired,
      completedAt: at.toISOString(),
    },
  });
}
