import type { RenderQueued } from "../document/index.js";
import type { EventNudge } from "../event/index.js";
import type { Log } from "../contract/index.js";
import type { Queue } from "../queue/index.js";
import type { Store } from "../store/index.js";
import { BatchContexts } from "./batch-contexts.js";
import { sweepCancelled } from "./cancel-batch.js";
import { discardAbandonedBatches } from "./discard-batch.js";
import { DOCUMENT_JOB } from "./document-job.js";
import { DocumentWorker, type WorkerLimits } from "./document-worker.js";
import { sweepExpired } from "./sweep-expired.js";
import { sweepForgotten } from "./sweep-forgotten.js";
import { sweepRecords } from "./sweep-records.js";

export interface WorkParts {
  store: Store;
  queue: Queue;
  renderQueued: RenderQueued;
  events: EventNudge;
  log: Log;
}

export interface WorkLimits extends WorkerLimits {
  /** Documents that this process renders at once. */
  concurrency: number;
  /** Documents of one organization that are rendered at once, by all processes; null for no limit. */
  perOrganization: number | null;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** Has this process work on batches, once its queue is started. */
export function workBatches(parts: WorkParts, limits: WorkLimits): void {
  const { store, queue } = parts;
  const contexts = new BatchContexts(store);
  const worker = new DocumentWorker({ ...parts, contexts }, limits);
  const { concurrency, perOrganization } = limits;
  queue.work(
    DOCUMENT_JOB,
    {
      concurrency,
      ...(perOrganization !== null && { perShare: perOrganization }),
    },
    (job) => worker.work(job),
    (documentId, attempts) => worker.poison(documentId, attempts),
  );
  queue.every("batch-expired", 10 * secondMs, async () => {
    if ((await sweepExpired(store, new Date())) > 0) parts.events.nudge();
  });
  queue.every("batch-forgotten", minuteMs, async () => {
    await sweepForgotten(store, queue, new Date());
  });
  queue.every("batch-cancelled", minuteMs, () => sweepCancelled(store));
  queue.every("batch-leftovers", 10 * minuteMs, async () => {
    await sweepRecords(store, new Date());
    await discardAbandonedBatches(store, new Date());
  });
}
