import { In, LessThan } from "typeorm";
import {
  Batch,
  Document,
  DocumentRecord,
  type Store,
} from "../storage/database/index.js";

const chunk = 500;
/** Longer than any acceptance takes. */
const youngestMs = 60 * 60_000;

/** Removes a batch that was never accepted, chunk by chunk; one that was accepted stays. */
export async function discardBatch(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  batchId: string,
): Promise<void> {
  const where = { id: batchId, status: "accepting" } as const;
  if (!(await read.existsBy(Batch, where))) return;
  for (;;) {
    const rows = await read.find(Document, {
      where: { batchId },
      select: { id: true },
      take: chunk,
    });
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) break;
    await unitOfWork.run(async (tx) => {
      await tx.delete(DocumentRecord, { documentId: In(ids) });
      await tx.delete(Document, { id: In(ids), batchId });
    });
  }
  await unitOfWork.run((tx) => tx.delete(Batch, where));
}

/** Removes what crashes in the middle of an acceptance have left: nobody was told of it. */
export async function discardAbandonedBatches(
  store: Pick<Store, "read" | "unitOfWork">,
  now: Date,
): Promise<void> {
  const createdAt = LessThan(new Date(now.getTime() - youngestMs));
  const rows = await store.read.find(Batch, {
    where: { status: "accepting", createdAt },
    select: { id: true },
  });
  for (const { id } of rows) await discardBatch(store, id);
}
