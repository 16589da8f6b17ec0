import type { RenderQueued, Signing } from "../documents/index.js";
import type { EventNudge } from "../webhooks/index.js";
import type { Log } from "../plugin-api/index.js";
import type { Queue } from "../queue/index.js";
import type { Store } from "../storage/database/index.js";
import { batchSweeps } from "./batch-sweeps.js";
import { BatchContexts } from "./batch-contexts.js";
import { DatabaseClock } from "./database-clock.js";
import type { RecordSource } from "./record-source.js";
import { DOCUMENT_JOB } from "./document-job.js";
import { DocumentWorker, type WorkerLimits } from "./document-worker.js";

export interface WorkParts {
  store: Store;
  queue: Queue;
  renderQueued: RenderQueued;
  events: EventNudge;
  records: RecordSource;
  signing: Pick<Signing, "nudge">;
  log: Log;
}

export interface WorkLimits extends WorkerLimits {
  /** Documents that this process renders at once. */
  concurrency: number;
  /** Documents of one organization that are rendered at once, by all processes; null for no limit. */
  perOrganization: number | null;
  /** After how long a silent process's documents go to others. */
  leaseMs: number;
}

/** Documents count for themselves which of them were being rendered when their worker ended. */
const maxInterruptions = 1000;

/** Has this process work on batches, once its queue is started. */
export function workBatches(parts: WorkParts, limits: WorkLimits): void {
  const { store, queue } = parts;
  const contexts = new BatchContexts(store);
  const clock = new DatabaseClock(store);
  const worker = new DocumentWorker({ ...parts, contexts, clock }, limits);
  const { concurrency, perOrganization, leaseMs } = limits;
  queue.work(
    DOCUMENT_JOB,
    {
      concurrency,
      leaseMs,
      maxInterruptions,
      ...(perOrganization !== null && { perShare: perOrganization }),
    },
    (job) => worker.work(job),
    (documentId, attempts) => worker.poison(documentId, attempts),
  );
  for (const { name, everyMs, run } of batchSweeps(parts))
    queue.every(name, everyMs, run);
}
