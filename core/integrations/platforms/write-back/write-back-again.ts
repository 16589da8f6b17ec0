import { In } from "typeorm";
import { findBatch } from "../../../batches/index.js";
import { isSignedOutput, PlatenError } from "../../../plugin-api/index.js";
import type { Queue } from "../../../queue/index.js";
import {
  Document,
  type Store,
  WriteBack,
} from "../../../storage/database/index.js";
import { lockOf } from "../cell.js";
import { WRITE_BACK_JOB } from "./write-back-job.js";

export interface AgainParts {
  store: Store;
  queue: Queue;
}

const chunk = 500;

/** See `RecordBatches.writeBackAgain`. */
export async function writeBackAgain(
  { store, queue }: AgainParts,
  organizationId: string,
  batchId: string,
): Promise<number> {
  const { id } = await findBatch(store.read, organizationId, batchId);
  const failed = await store.read.find(WriteBack, {
    where: { batchId: id, status: "failed" },
    select: {
      documentId: true,
      cell: true,
      organizationId: true,
      files: true,
    },
  });
  if (failed.length === 0)
    throw new PlatenError(
      "conflict",
      "No write-back of this batch has failed, so there is nothing to try again.",
    );
  let total = 0;
  for (let at = 0; at < failed.length; at += chunk)
    total += await again(store, queue, failed.slice(at, at + chunk));
  if (total === 0)
    throw new PlatenError(
      "gone",
      "The files of this batch have expired. Render its records again.",
    );
  queue.nudge(WRITE_BACK_JOB);
  return total;
}

type Failed = Pick<
  WriteBack,
  "documentId" | "cell" | "organizationId" | "files"
>;

/** The ledger stays: what arrived is not written a second time. */
async function again(
  { read, unitOfWork }: Store,
  queue: Queue,
  failed: readonly Failed[],
): Promise<number> {
  const now = new Date();
  const documents = await read.find(Document, {
    where: { id: In(failed.map(({ documentId }) => documentId)) },
    select: { id: true, expiresAt: true },
  });
  const kept = new Set(
    documents.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id),
  );
  const some = failed.filter(
    ({ documentId, files }) =>
      kept.has(documentId) || files.some(isSignedOutput),
  );
  const ids = some.map(({ documentId }) => documentId);
  await unitOfWork.run(async (tx) => {
    await tx.update(
      WriteBack,
      { documentId: In(ids), status: "failed" },
      { status: "pending", attempts: 0, completedAt: null, updatedAt: now },
    );
    await queue.enqueue(tx, some.map(jobOf));
  });
  return some.length;
}

function jobOf({ documentId, cell, organizationId }: Failed) {
  const partitionKey = lockOf(organizationId, cell);
  return { kind: WRITE_BACK_JOB, rowId: documentId, partitionKey };
}
