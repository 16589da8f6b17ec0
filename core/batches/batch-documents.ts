import { type EntityManager, type FindOptionsWhere, MoreThan } from "typeorm";
import { Document } from "../storage/database/index.js";

const chunk = 250;

/** Documents of a batch, in the order in which they were sent, read chunk by chunk as they are asked for. */
export async function* batchDocuments(
  read: EntityManager,
  batchId: string,
  where: FindOptionsWhere<Document> = {},
): AsyncGenerator<Document> {
  let after = -1;
  for (;;) {
    const rows = await read.find(Document, {
      where: { ...where, batchId, batchIndex: MoreThan(after) },
      order: { batchIndex: "ASC" },
      take: chunk,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last?.batchIndex == null) return;
    after = last.batchIndex;
  }
}
