import {
  type EntityManager,
  type FindOptionsWhere,
  In,
  IsNull,
  Not,
} from "typeorm";
import { findEmptyLists } from "../documents/index.js";
import { clock } from "../lib/clock.js";
import { PlatenError } from "../plugin-api/index.js";
import {
  Batch,
  changeRows,
  Document,
  formatDatetime,
  findForUpdate,
  type Store,
  WriteBack,
} from "../storage/database/index.js";
import {
  recordEvent,
  recordEvents,
  type ServiceEvent,
} from "../webhooks/index.js";
import { countByStatus, countWriteBacks, findBatch } from "./read-batches.js";

export interface DocumentFailure {
  status: "failed" | "expired";
  error: string;
  /** Whether to count the last render as an attempt. */
  isAttempt?: boolean;
  /** How many problems the error lists; none by default. */
  warningCount?: number;
}

export const documentCancelled: DocumentFailure = {
  status: "failed",
  error: "cancelled",
};

export const documentExpired: DocumentFailure = {
  status: "expired",
  error: "The document was not ready before its expiry.",
};

/**
 * Ends the unfinished documents of batches that match `where`, whichever worker holds them, together with their events
 * and the counters of their batches. Rows that others ended first stay as they are. @returns how many were ended.
 */
export async function endDocuments(
  tx: EntityManager,
  where: FindOptionsWhere<Document>,
  failure: DocumentFailure,
): Promise<number> {
  const { status, error, isAttempt } = failure;
  // Locked, so that no other transaction ends them before the update.
  const isSqlite = tx.dataSource.options.type === "better-sqlite3";
  const rows = await tx.find(Document, {
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
  if (rows.length === 0) return 0;
  const at = clock.date();
  await tx
    .createQueryBuilder()
    .update(Document)
    .set({
      status,
      error,
      isRetrying: false,
      ...(isAttempt && { attempts: () => "attempts + 1" }),
      lockToken: null,
      lockedUntil: null,
      completedAt: at,
      updatedAt: at,
    })
    .whereInIds(rows.map(({ id }) => id))
    .execute();
  await recordEvents(
    tx,
    rows.map((row) => toEvent(row, failure, at)),
  );
  const batchIds = rows.flatMap(({ batchId }) => batchId ?? []);
  await countAllEnded(tx, batchIds, at);
  return rows.length;
}

function toEvent(
  row: Document,
  { status, error, warningCount = 0 }: DocumentFailure,
  at: Date,
): ServiceEvent {
  const data = {
    documentId: row.id,
    batchId: row.batchId ?? "",
    organizationId: row.organizationId,
    error,
    metadata: getEventMetadata(row),
    warningCount,
    completedAt: at.toISOString(),
  };
  return status === "failed"
    ? { type: "document.failed", data: { ...data, status } }
    : { type: "document.expired", data: { ...data, status } };
}

/**
 * A document's metadata in events: the caller's keys, its place in the batch, and its name as `documentName` once it has
 * one, unless the caller set that key.
 */
export function getEventMetadata({
  metadata,
  fileName,
}: Pick<Document, "metadata" | "fileName">): Record<string, unknown> {
  const { platen: _ours, ...publicMetadata } = metadata ?? {};
  return {
    ...(fileName !== null && { documentName: fileName }),
    ...publicMetadata,
  };
}

/**
 * Counts documents that end in this transaction, one for each time that its batch is listed. The transaction that takes
 * a batch's counter to zero completes it: the counter's row is locked until the commit, so exactly one transaction does,
 * after all others are committed.
 * @returns the batches that this completed.
 */
export async function countAllEnded(
  tx: EntityManager,
  batchIds: readonly string[],
  at: Date,
): Promise<Set<string>> {
  const completed = new Set<string>();
  const now = formatDatetime(at);
  // Always in the same order, so that two transactions cannot wait for each other.
  for (const id of [...new Set(batchIds)].toSorted()) {
    const ended = batchIds.filter((batchId) => batchId === id).length;
    await changeRows(
      tx,
      "UPDATE batch SET remaining = remaining - ? WHERE id = ?",
      [ended, id],
    );
    const changed = await changeRows(
      tx,
      `UPDATE batch SET status = 'completed', completed_at = ?, updated_at = ?
       WHERE id = ? AND remaining = 0 AND status <> 'completed'`,
      [now, now, id],
    );
    if (changed === 0) continue;
    completed.add(id);
    await recordCompleted(tx, id, at);
  }
  return completed;
}

async function recordCompleted(
  tx: EntityManager,
  batchId: string,
  at: Date,
): Promise<void> {
  const batch = await tx.findOneByOrFail(Batch, { id: batchId });
  const emptyLists = await findEmptyLists(tx, batch);
  await tx.update(Batch, { id: batchId }, { emptyLists });
  const counts = await countByStatus(tx, batchId);
  if (counts.expired > 0) await keepRecordsForRetry(tx, batch, at);
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
  await recordSaved(tx, batchId, at);
}

/**
 * Records `documents.saved` if the batch is completed and none of its write-backs is pending. Locks the batch first: of
 * two transactions that end the last of them, the later one sees what the other did.
 */
export async function recordSaved(
  tx: EntityManager,
  batchId: string,
  at: Date,
): Promise<void> {
  const batch = await findForUpdate(tx, Batch, { id: batchId });
  if (batch?.status !== "completed") return;
  const pending = { batchId, status: "pending" as const };
  if (await tx.existsBy(WriteBack, pending)) return;
  const counts = await countWriteBacks(tx, batch);
  if (counts === null) return;
  await recordEvent(tx, {
    type: "documents.saved",
    data: {
      batchId,
      organizationId: batch.organizationId,
      totalDocuments: batch.totalCount,
      savedCount: counts.succeeded,
      failedCount: counts.failed,
      completedAt: at.toISOString(),
    },
  });
}

const retryTimeMs = 24 * 60 * 60_000;

/** The records of expired documents would otherwise be deleted before anyone could retry them. */
async function keepRecordsForRetry(
  tx: EntityManager,
  { id, recordsPurgeAt }: Batch,
  at: Date,
): Promise<void> {
  const purgeAt = new Date(at.getTime() + retryTimeMs);
  if (recordsPurgeAt !== null && recordsPurgeAt > purgeAt) return;
  await tx.update(Batch, { id }, { recordsPurgeAt: purgeAt });
}

const documentsPerTransaction = 200;

/**
 * Ends the documents that no worker has started to render. Those that are rendering finish, and are not retried.
 * @throws PlatenError `not_found`; `conflict` for a batch that is completed.
 */
export async function cancelBatch(
  store: Pick<Store, "read" | "unitOfWork">,
  organizationId: string,
  id: string,
): Promise<void> {
  await findBatch(store.read, organizationId, id);
  await store.unitOfWork.run(async (tx) => {
    const batch = await findForUpdate(tx, Batch, { id });
    if (batch?.status === "completed")
      throw new PlatenError(
        "conflict",
        "This batch is already completed, so it cannot be cancelled.",
      );
    const now = clock.date();
    await tx.update(
      Batch,
      { id, cancelledAt: IsNull() },
      { cancelledAt: now, updatedAt: now },
    );
  });
  await endQueued(store, id);
}

/** Completes cancellations that a crash interrupted. */
export async function sweepCancelled(
  store: Pick<Store, "read" | "unitOfWork">,
): Promise<void> {
  const rows = await store.read.find(Batch, {
    where: { status: In(["queued", "running"]), cancelledAt: Not(IsNull()) },
    select: { id: true },
  });
  for (const { id } of rows) await endQueued(store, id);
}

async function endQueued(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  batchId: string,
): Promise<void> {
  for (;;) {
    const rows = await read.find(Document, {
      where: { batchId, status: "queued" },
      select: { id: true },
      take: documentsPerTransaction,
    });
    if (rows.length === 0) return;
    const id = In(rows.map((row) => row.id));
    await unitOfWork.run((tx) =>
      endDocuments(tx, { id, status: "queued" }, documentCancelled),
    );
  }
}
