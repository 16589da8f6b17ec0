import { In, LessThanOrEqual } from "typeorm";
import {
  Batch,
  DocumentRecord,
  type Store,
} from "../storage/database/index.js";

const chunk = 500;

/** Deletes the records of batches that are completed and whose files have expired. */
export async function sweepRecords(
  store: Pick<Store, "read" | "unitOfWork">,
  now: Date,
): Promise<void> {
  const batches = await store.read.find(Batch, {
    where: { status: "completed", recordsPurgeAt: LessThanOrEqual(now) },
    select: { id: true },
  });
  for (const { id } of batches) {
    await deleteRecords(store, id);
    await store.unitOfWork.run((tx) =>
      tx.update(Batch, { id }, { recordsPurgeAt: null }),
    );
  }
}

async function deleteRecords(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  batchId: string,
): Promise<void> {
  for (;;) {
    const rows = await read.find(DocumentRecord, {
      where: { batchId },
      select: { documentId: true },
      take: chunk,
    });
    if (rows.length === 0) return;
    const documentId = In(rows.map((row) => row.documentId));
    await unitOfWork.run((tx) => tx.delete(DocumentRecord, { documentId }));
  }
}
