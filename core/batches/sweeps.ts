import { In, LessThanOrEqual, LessThan, MoreThan } from "typeorm";
import { findAcceptingBatchIds, notIn } from "../documents/index.js";
import type { Queue } from "../queue/index.js";
import {
  databaseNow,
  type Store,
  Document,
  Batch,
  DocumentRecord,
} from "../storage/database/index.js";
import type { EventNudge } from "../webhooks/index.js";
import { discardAbandonedBatches } from "./accept-batch.js";
import { sweepCancelled } from "./cancel-batch.js";
import { DOCUMENT_JOB } from "./document-job.js";
import { expired } from "./document-worker.js";
import { endDocuments } from "./end-documents.js";

/** What finds and mends what was forgotten: it may run at any time, on one process or several. */
export interface Sweep {
  name: `batch-${string}`;
  everyMs: number;
  run: () => Promise<void>;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;

export function batchSweeps({
  store,
  queue,
  events,
}: {
  store: Store;
  queue: Queue;
  events: EventNudge;
}): Sweep[] {
  const now = () => databaseNow(store.read);
  const sweep = (
    name: Sweep["name"],
    everyMs: number,
    work: () => Promise<unknown>,
  ): Sweep => ({
    name,
    everyMs,
    run: async () => {
      await work();
      events.nudge();
    },
  });
  return [
    sweep("batch-expired", 10 * secondMs, async () =>
      sweepExpired(store, await now()),
    ),
    sweep("batch-forgotten", minuteMs, async () =>
      sweepForgotten(store, queue, await now()),
    ),
    sweep("batch-cancelled", minuteMs, () => sweepCancelled(store)),
    sweep("batch-records", 10 * minuteMs, async () =>
      sweepRecords(store, await now()),
    ),
    sweep("batch-abandoned", 10 * minuteMs, async () =>
      discardAbandonedBatches(store, await now()),
    ),
  ];
}

/** Ends documents whose expiry passed before they were ready, chunk by chunk. @returns how many. */
async function sweepExpired(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  now: Date,
): Promise<number> {
  let total = 0;
  const hidden = await findAcceptingBatchIds(read);
  for (;;) {
    const rows = await read.find(Document, {
      where: {
        status: In(["queued", "rendering"]),
        expiresAt: LessThanOrEqual(now),
        ...notIn(hidden),
      },
      select: { id: true },
      take: chunk,
    });
    if (rows.length === 0) return total;
    const ids = rows.map(({ id }) => id);
    total += await unitOfWork.run((tx) =>
      endDocuments(tx, { id: In(ids) }, expired),
    );
  }
}

const chunk = 500;
/** An acceptance that is under way may not have written its jobs yet. */
const youngestMs = 2 * 60_000;

/**
 * Wakes documents that wait without a job, which a crash in the middle of an acceptance leaves. As long as there are as
 * many jobs as documents, nothing is missing and no document is looked at. @returns how many were looked at.
 */
async function sweepForgotten(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  queue: Queue,
  now: Date,
): Promise<number> {
  const unfinished = { status: In(["queued", "rendering"]) };
  const stats = await queue.stats();
  const jobs = stats.find(({ kind }) => kind === DOCUMENT_JOB);
  const known = jobs ? jobs.ready + jobs.delayed + jobs.running : 0;
  if ((await read.countBy(Document, unfinished)) <= known) return 0;
  const hidden = await findAcceptingBatchIds(read);
  const updatedAt = LessThan(new Date(now.getTime() - youngestMs));
  let after = "";
  for (let total = 0; ;) {
    const rows = await read.find(Document, {
      where: {
        ...unfinished,
        updatedAt,
        id: MoreThan(after),
        ...notIn(hidden),
      },
      select: { id: true, organizationId: true },
      order: { id: "ASC" },
      take: chunk,
    });
    const last = rows.at(-1);
    if (!last) return total;
    await unitOfWork.run((tx) => queue.enqueue(tx, rows.map(jobOf)));
    total += rows.length;
    after = last.id;
  }
}

function jobOf({ id, organizationId }: Document) {
  return { kind: DOCUMENT_JOB, rowId: id, partitionKey: organizationId };
}

/** Deletes the records of batches that are completed and whose files have expired. */
async function sweepRecords(
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
