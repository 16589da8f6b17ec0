import { In, IsNull, Not } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  Batch,
  Document,
  findForUpdate,
  type Store,
} from "../storage/database/index.js";
import { documentCancelled, endDocuments } from "./end-documents.js";
import { findBatch } from "./read-batches.js";

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
    const now = new Date();
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
