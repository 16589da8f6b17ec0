import { type EntityManager, type FindOptionsWhere, In } from "typeorm";
import {
  Document,
  Batch,
  changeRows,
  instantText,
} from "../storage/database/index.js";
import {
  type ServiceEvent,
  recordEvents,
  recordEvent,
} from "../webhooks/index.js";
import { countByStatus } from "./read-batches.js";

/** How documents end that do not succeed. */
export interface BadEnd {
  status: "failed" | "expired";
  error: string;
  /** Whether the last render ended by itself. */
  isAttempt?: boolean;
}

/**
 * Ends the documents of batches that `where` finds unfinished, whoever holds them, together with their events and the
 * counters of their batches. Rows that others ended first are left alone. @returns how many were ended.
 */
export async function endDocuments(
  tx: EntityManager,
  where: FindOptionsWhere<Document>,
  end: BadEnd,
): Promise<number> {
  const rows = await unfinished(tx, where);
  if (rows.length === 0) return 0;
  const at = new Date();
  await tx
    .createQueryBuilder()
    .update(Document)
    .set({
      status: end.status,
      error: end.error,
      isRetrying: false,
      ...(end.isAttempt && { attempts: () => "attempts + 1" }),
      lockToken: null,
      lockedUntil: null,
      completedAt: at,
      updatedAt: at,
    })
    .whereInIds(rows.map(({ id }) => id))
    .execute();
  await recordEvents(
    tx,
    rows.map((row) => eventOf(row, end, at)),
  );
  const batches = rows.flatMap(({ batchId }) => batchId ?? []);
  await countAllEnded(tx, batches, at);
  return rows.length;
}

/** Locked, so that nobody ends them between this look and the change. */
function unfinished(
  tx: EntityManager,
  where: FindOptionsWhere<Document>,
): Promise<Document[]> {
  const isSqlite = tx.dataSource.options.type === "better-sqlite3";
  return tx.find(Document, {
    where: { status: In(["queued", "rendering"]), ...where },
    select: {
      id: true,
      organizationId: true,
      batchId: true,
      metadata: true,
      fileName: true,
    },
    ...(!isSqlite && { lock: { mode: "pessimistic_write" } }),
  });
}

function eventOf(row: Document, end: BadEnd, at: Date): ServiceEvent {
  const data = {
    documentId: row.id,
    batchId: row.batchId ?? "",
    organizationId: row.organizationId,
    error: end.error,
    metadata: eventMetadata(row),
    completedAt: at.toISOString(),
  };
  return end.status === "failed"
    ? { type: "document.failed", data: { ...data, status: "failed" } }
    : { type: "document.expired", data: { ...data, status: "expired" } };
}

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

/**
 * What events tell of a document's metadata: the caller's keys, its place in the batch, and its name once it has one,
 * unless the caller gave it a `documentName` of their own.
 */
export function eventMetadata({
  metadata,
  fileName,
}: Pick<Document, "metadata" | "fileName">): Record<string, unknown> {
  const { platen: _ours, ...shown } = metadata ?? {};
  return { ...(fileName !== null && { documentName: fileName }), ...shown };
}
