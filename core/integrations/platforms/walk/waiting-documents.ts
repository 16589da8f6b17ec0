import { Between, type EntityManager, In } from "typeorm";
import { Document, DocumentRecord } from "../../../storage/database/index.js";
import { groupSize, type RecordGroup } from "../record-group.js";

/** The documents of a group that have not ended and whose data is not there yet. */
export async function waitingDocuments(
  read: EntityManager,
  { batchId, number }: RecordGroup,
): Promise<Document[]> {
  const first = number * groupSize;
  const documents = await read.find(Document, {
    where: {
      batchId,
      batchIndex: Between(first, first + groupSize - 1),
      status: In(["queued", "rendering"]),
    },
    order: { batchIndex: "ASC" },
  });
  const brought = await read.find(DocumentRecord, {
    where: { documentId: In(documents.map(({ id }) => id)) },
    select: { documentId: true },
  });
  const there = new Set(brought.map(({ documentId }) => documentId));
  return documents.filter(({ id }) => !there.has(id));
}
