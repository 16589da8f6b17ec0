import type { EntityManager } from "typeorm";
import {
  type Batch,
  RecordBatch,
  WriteBack,
  type WriteBackStatus,
} from "../storage/database/index.js";

export type WriteBackCounts = Record<WriteBackStatus, number>;

/** How many documents' files went back to the records' platform; null when none are to. */
export async function countWriteBacks(
  read: EntityManager,
  { id: batchId, platform }: Pick<Batch, "id" | "platform">,
): Promise<WriteBackCounts | null> {
  if (platform === null) return null;
  const order = await read.findOne(RecordBatch, {
    where: { batchId },
    select: { batchId: true, fieldId: true },
  });
  if (order?.fieldId == null) return null;
  const rows = await read
    .createQueryBuilder(WriteBack, "one")
    .select("one.status", "status")
    .addSelect("COUNT(*)", "count")
    .where({ batchId })
    .groupBy("one.status")
    .getRawMany<{ status: WriteBackStatus; count: string | number }>();
  const counts = { pending: 0, succeeded: 0, failed: 0 };
  for (const { status, count } of rows) counts[status] = Number(count);
  return counts;
}
