import type { Metrics } from "../../plugin-api/index.js";
import { platformCounts } from "./platform-counts.js";
import { WALK_JOB } from "./record-group.js";
import { maxWalks, type WalkParts, WalkWorker } from "./walk/walk-worker.js";
import { WRITE_BACK_JOB } from "./write-back/write-back-job.js";
import {
  type WriteBackParts,
  WriteBackWorker,
} from "./write-back/write-back-worker.js";

export interface PlatformWorkParts
  extends Omit<WalkParts, "counts">, Omit<WriteBackParts, "counts"> {
  metrics: Metrics;
  /** See `WriteBackWorker`. */
  retryDelaysMs: readonly number[];
}

/** Groups of records that this process fetches at once. */
const walks = 4;
/** Cells that this process writes at once; the pace of each platform is the host's matter. */
const writes = 16;
/** Longer than any call, so that a cell is not written by two. */
const writeLeaseMs = 150_000;

/** Has this process fetch records and write files back, once its queue is started. */
export function workPlatforms(parts: PlatformWorkParts): void {
  const counts = platformCounts(parts.metrics);
  const walker = new WalkWorker({ ...parts, counts });
  const writer = new WriteBackWorker({ ...parts, counts }, parts.retryDelaysMs);
  const { queue } = parts;
  queue.work(
    WALK_JOB,
    { concurrency: walks, maxInterruptions: maxWalks },
    (job) => walker.work(job),
    (group, attempts) => walker.poison(group, attempts),
  );
  queue.work(
    WRITE_BACK_JOB,
    { concurrency: writes, maxPerPartition: 1, leaseMs: writeLeaseMs },
    (job) => writer.work(job),
    (documentId, attempts) => writer.poison(documentId, attempts),
  );
}
