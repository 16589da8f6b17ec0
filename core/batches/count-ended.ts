import type { EntityManager } from "typeorm";
import { recordEvent } from "../webhooks/index.js";
import { Batch, changeRows, instantText } from "../storage/database/index.js";
import { countByStatus } from "./count-by-status.js";

/**
 * Counts documents that end in this transaction, one for each time that its batch is named. Whoever takes a batch's
 * counter to zero completes it: since the counter's row is locked until the commit, exactly one does, after all others
 * are committed.
 * @returns the batches that this completed.
 */
export async function countAllEnded(
  tx: EntityManager,
  batchIds: readonly string[],
  at: Date,
): Promise<Set<string>> {
  const completed = new Set<string>();
  // In one order everywhere, so that two transactions cannot wait for each other.
  for (const batchId of [...new Set(batchIds)].toSorted()) {
    const ended = batchIds.filter((one) => one === batchId).length;
    if (await countEnded(tx, batchId, ended, at)) completed.add(batchId);
  }
  return completed;
}

async function countEnded(
  tx: EntityManager,
  batchId: string,
  ended: number,
  at: Date,
): Promise<boolean> {
  await changeRows(
    tx,
    "UPDATE batch SET remaining = remaining - ? WHERE id = ?",
    [ended, batchId],
  );
  const now = instantText(at);
  const completed = await changeRows(
    tx,
    `UPDATE batch SET status = 'completed', completed_at = ?, updated_at = ?
     WHERE id = ? AND remaining = 0 AND status <> 'completed'`,
    [now, now, batchId],
  );
  if (completed === 0) return false;
  await recordCompleted(tx, batchId, at);
  return true;
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
