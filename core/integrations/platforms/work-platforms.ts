import type { FileStore, Log, Metrics } from "../../plugin-api/index.js";
import type { Queue } from "../../queue/index.js";
import type { Store } from "../../storage/database/index.js";
import type { EventNudge } from "../../webhooks/index.js";
import type { ConnectionService } from "../connections/index.js";
import { FETCH_JOB, WRITE_BACK_JOB } from "./jobs.js";
import { FetchWorker, maxFetches } from "./records/fetch-worker.js";
import { WriteBackWorker } from "./write-back/write-back-worker.js";

export interface PlatformWorkOptions {
  store: Store;
  queue: Queue;
  files: FileStore;
  connections: Pick<ConnectionService, "open">;
  events: EventNudge;
  /** The address under which platforms can download files, if it is public. */
  baseUrl: string;
  log: Log;
  metrics: Metrics;
  /** The waits before retries of a write-back; after the last retry, it fails. */
  retryDelaysMs: readonly number[];
}

/** The number of groups of records that this process fetches at once. */
const maxConcurrentFetches = 4;
/** The number of cells that this process writes at once; the host limits the rate of each platform. */
const maxConcurrentWrites = 16;
/** Longer than the timeout of any call, so that no two jobs write to the same cell. */
const writeLeaseMs = 150_000;

/** Registers the workers that fetch records and write files back. They run once the queue is started. */
export function workPlatforms(options: PlatformWorkOptions): void {
  const { queue, metrics } = options;
  const countRecord = metrics.counter({
    name: "platen_platform_records_total",
    help: "Records of platforms that were to be fetched for documents, by how that ended.",
    labels: ["outcome"],
  });
  const countWriteBack = metrics.counter({
    name: "platen_platform_write_backs_total",
    help: "Attempts at writing a document's files into its record, by how they ended.",
    labels: ["outcome"],
  });
  const fetcher = new FetchWorker({
    ...options,
    countRecord: (outcome) => countRecord({ outcome }),
  });
  const writer = new WriteBackWorker({
    ...options,
    countAttempt: (outcome) => countWriteBack({ outcome }),
  });
  queue.work(
    FETCH_JOB,
    { concurrency: maxConcurrentFetches, maxInterruptions: maxFetches },
    (job) => fetcher.work(job),
    (group, attempts) => fetcher.poison(group, attempts),
  );
  queue.work(
    WRITE_BACK_JOB,
    { concurrency: maxConcurrentWrites, perShare: 1, leaseMs: writeLeaseMs },
    (job) => writer.work(job),
    (documentId, attempts) => writer.poison(documentId, attempts),
  );
}
