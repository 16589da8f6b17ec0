import { type EntityManager, type FindOptionsWhere, In } from "typeorm";
import { type ServiceEvent, recordEvents } from "../webhooks/index.js";
import { Document } from "../storage/database/index.js";
import { countAllEnded } from "./count-ended.js";
import { eventMetadata } from "./event-metadata.js";

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
