import type { EntityManager } from "typeorm";
import { Document, type DocumentStatus } from "../storage/database/index.js";

export type StatusCounts = Record<DocumentStatus, number>;

/** How many documents of a batch are in each state; read from the index alone. */
export async function countByStatus(
  read: EntityManager,
  batchId: string,
): Promise<StatusCounts> {
  const rows = await read
    .createQueryBuilder(Document, "document")
    .select("document.status", "status")
    .addSelect("COUNT(*)", "count")
    .where({ batchId })
    .groupBy("document.status")
    .getRawMany<{ status: DocumentStatus; count: string | number }>();
  const counts = {
    queued: 0,
    rendering: 0,
    succeeded: 0,
    failed: 0,
    expired: 0,
  };
  for (const { status, count } of rows) counts[status] = Number(count);
  return counts;
}
