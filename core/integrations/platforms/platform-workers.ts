import { inject, injectable } from "../../lib/injection.js";
import { BASE_URL, FILE_STORE, LOG, METRICS } from "../../lib/tokens.js";
import type { FileStore, Log, Metrics } from "../../plugin-api/index.js";
import type { Queue } from "../../queue/index.js";
import { QUEUE } from "../../queue/tokens.js";
import type { Store } from "../../storage/database/index.js";
import { STORE } from "../../storage/database/tokens.js";
import type { Events } from "../../webhooks/index.js";
import { EVENTS } from "../../webhooks/tokens.js";
import type { ConnectionService } from "../connections/index.js";
import { CONNECTIONS } from "../connections/tokens.js";
import { FETCH_JOB, WRITE_BACK_JOB } from "./jobs.js";
import { FetchWorker, maxFetches } from "./records/fetch-worker.js";
import { WRITE_BACK_DELAYS_MS } from "./tokens.js";
import { WriteBackWorker } from "./write-back/write-back-worker.js";

/** The number of groups of records that this process fetches at once. */
const maxConcurrentFetches = 4;
/** The number of cells that this process writes at once; the host limits the rate of each platform. */
const maxConcurrentWrites = 16;
/** Longer than the timeout of any call, so that no two jobs write to the same cell. */
const writeLeaseMs = 150_000;

/** The workers that fetch records and write files back. */
@injectable()
export class PlatformWorkers {
  private readonly fetcher: FetchWorker;
  private readonly writer: WriteBackWorker;

  constructor(
    @inject(STORE) store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(FILE_STORE) files: FileStore,
    @inject(CONNECTIONS) connections: ConnectionService,
    @inject(EVENTS) { dispatch }: Pick<Events, "dispatch">,
    @inject(BASE_URL) baseUrl: string,
    @inject(WRITE_BACK_DELAYS_MS) retryDelaysMs: readonly number[],
    @inject(LOG) log: Log,
    @inject(METRICS) metrics: Metrics,
  ) {
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
    this.fetcher = new FetchWorker({
      store,
      queue,
      connections,
      events: dispatch,
      countRecord: (outcome) => countRecord({ outcome }),
      log,
    });
    this.writer = new WriteBackWorker({
      store,
      files,
      connections,
      baseUrl,
      retryDelaysMs,
      countAttempt: (outcome) => countWriteBack({ outcome }),
      log,
    });
  }

  /** Registers the workers with the queue. They run once it is started. */
  register(): void {
    this.queue.work(
      FETCH_JOB,
      { concurrency: maxConcurrentFetches, maxInterruptions: maxFetches },
      (job) => this.fetcher.work(job),
      (group, attempts) => this.fetcher.poison(group, attempts),
    );
    this.queue.work(
      WRITE_BACK_JOB,
      { concurrency: maxConcurrentWrites, perShare: 1, leaseMs: writeLeaseMs },
      (job) => this.writer.work(job),
      (documentId, attempts) => this.writer.poison(documentId, attempts),
    );
  }
}
