import { type EntityManager, type FindOptionsWhere, Raw } from "typeorm";
import { Batch, type Document } from "../storage/database/index.js";

/** Batches of which nothing is to be seen yet, since not all of their documents are written. */
export async function acceptingBatches(read: EntityManager): Promise<string[]> {
  const rows = await read.find(Batch, {
    where: { status: "accepting" },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/** Documents outside of these batches. */
export function notIn(
  batchIds: readonly string[],
): Pick<FindOptionsWhere<Document>, "batchId"> {
  if (batchIds.length === 0) return {};
  return {
    batchId: Raw(
      (column) => `(${column} IS NULL OR ${column} NOT IN (:...batchIds))`,
      { batchIds },
    ),
  };
}
