import { In, LessThan, LessThanOrEqual, MoreThan } from "typeorm";
import { findAcceptingBatches, notIn } from "../documents/index.js";
import type { Queue } from "../queue/index.js";
import {
  Batch,
  getDatabaseTime,
  Document,
  DocumentRecord,
  type Store,
} from "../storage/database/index.js";
import type { EventWaker } from "../webhooks/index.js";
import {
  discardAbandonedBatches,
  DOCUMENT_JOB,
  toDocumentJob,
} from "./accept-batch.js";
import {
  sweepCancelled,
  documentExpired,
  endDocuments,
} from "./end-documents.js";

/** Finds and fixes what was left behind; may run at any time, on one process or several. */
export interface Sweep {
  name: `batch-${string}`;
  everyMs: number;
  run: () => Promise<void>;
}

type Rows = Pick<Store, "read" | "unitOfWork">;

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const rowsPerTransaction = 500;

export function batchSweeps({
  store,
  queue,
  events,
}: {
  store: Store;
  queue: Pick<Queue, "stats" | "enqueue">;
  events: EventWaker;
}): Sweep[] {
  const sweep = (
    name: Sweep["name"],
    everyMs: number,
    work: (now: Date) => Promise<unknown>,
  ): Sweep => ({
    name,
    everyMs,
    run: async () => {
      await work(await getDatabaseTime(store.read));
      events.nudge();
    },
  });
  return [
    sweep("batch-expired", 10 * secondMs, (now) => endExpired(store, now)),
    sweep("batch-forgotten", minuteMs, (now) => requeueLost(store, queue, now)),
    sweep("batch-cancelled", minuteMs, () => sweepCancelled(store)),
    sweep("batch-records", 10 * minuteMs, (now) =>
      deleteOldRecords(store, now),
    ),
    sweep("batch-abandoned", 10 * minuteMs, (now) =>
      discardAbandonedBatches(store, now),
    ),
  ];
}

/** Ends documents whose expiry passed before they were ready. */
async function endExpired(
  { read, unitOfWork }: Rows,
  now: Date,
): Promise<void> {
  const hidden = await findAcceptingBatches(read);
  for (;;) {
    const rows = await read.find(Document, {
      where: {
        status: In(["queued", "rendering"]),
        expiresAt: LessThanOrEqual(now),
        ...notIn(hidden),
      },
      select: { id: true },
      take: 200,
    });
    if (rows.length === 0) return;
    const id = In(rows.map((row) => row.id));
    await unitOfWork.run((tx) => endDocuments(tx, { id }, documentExpired));
  }
}

/** An acceptance in progress may not have written its jobs yet. */
const minAgeMs = 2 * minuteMs;

/**
 * Enqueues unfinished documents without a job, which a crash during an acceptance leaves behind. As long as there are as
 * many jobs as documents, none is missing and no document is read.
 */
async function requeueLost(
  { read, unitOfWork }: Rows,
  queue: Pick<Queue, "stats" | "enqueue">,
  now: Date,
): Promise<void> {
  const unfinished = { status: In(["queued", "rendering"]) };
  const stats = await queue.stats();
  const jobs = stats.find(({ kind }) => kind === DOCUMENT_JOB);
  const jobCount = jobs ? jobs.ready + jobs.delayed + jobs.running : 0;
  if ((await read.countBy(Document, unfinished)) <= jobCount) return;
  const hidden = await findAcceptingBatches(read);
  const updatedAt = LessThan(new Date(now.getTime() - minAgeMs));
  for (let after = ""; ;) {
    const rows = await read.find(Document, {
      where: {
        ...unfinished,
        updatedAt,
        id: MoreThan(after),
        ...notIn(hidden),
      },
      select: { id: true, organizationId: true },
      order: { id: "ASC" },
      take: rowsPerTransaction,
    });
    const last = rows.at(-1);
    if (!last) return;
    await unitOfWork.run((tx) => queue.enqueue(tx, rows.map(toDocumentJob)));
    after = last.id;
  }
}

/** Deletes the records of batches that are completed and whose files have expired. */
async function deleteOldRecords(
  { read, unitOfWork }: Rows,
  now: Date,
): Promise<void> {
  const batches = await read.find(Batch, {
    where: { status: "completed", recordsPurgeAt: LessThanOrEqual(now) },
    select: { id: true },
  });
  for (const { id: batchId } of batches) {
    for (;;) {
      const rows = await read.find(DocumentRecord, {
        where: { batchId },
        select: { documentId: true },
        take: rowsPerTransaction,
      });
      if (rows.length === 0) break;
      const documentId = In(rows.map((row) => row.documentId));
      await unitOfWork.run((tx) => tx.delete(DocumentRecord, { documentId }));
    }
    await unitOfWork.run((tx) =>
      tx.update(Batch, { id: batchId }, { recordsPurgeAt: null }),
    );
  }
}
