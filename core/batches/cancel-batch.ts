import { In, IsNull, Not } from "typeorm";
import { PlatenError } from "../plugin-api/index.js";
import {
  Batch,
  Document,
  findForUpdate,
  type Store,
} from "../storage/database/index.js";
import { endDocuments } from "./end-documents.js";
import { findBatch } from "./batches.js";

const chunk = 200;

/** How a document of a cancelled batch ends. */
export const cancelled = { status: "failed", error: "cancelled" } as const;

/**
 * Ends the documents that nobody has begun to render; the others end by themselves, and are not tried again.
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
    if (batch?.status === "completed") throw tooLate();
    const now = new Date();
    await tx.update(
      Batch,
      { id, cancelledAt: IsNull() },
      { cancelledAt: now, updatedAt: now },
    );
  });
  await endQueued(store, id);
}

/** Ends what a crash in the middle of a cancellation has left. */
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
      take: chunk,
    });
    if (rows.length === 0) return;
    const where = {
      id: In(rows.map(({ id }) => id)),
      status: "queued",
    } as const;
    await unitOfWork.run((tx) => endDocuments(tx, where, cancelled));
  }
}

function tooLate(): PlatenError {
  return new PlatenError(
    "conflict",
    "This batch is completed: there is nothing to cancel.",
  );
}
