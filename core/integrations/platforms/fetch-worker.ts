import { setMaxListeners } from "node:events";
import { Between, type EntityManager, In } from "typeorm";
import { DOCUMENT_JOB, endDocuments } from "../../batches/index.js";
import { chunksOf } from "../../lib/chunks.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import { formatError, type Log, type Metrics } from "../../plugin-api/index.js";
import {
  type JobOutcome,
  type Queue,
  type RunningJob,
  QUEUE,
} from "../../queue/index.js";
import {
  Document,
  DocumentRecord,
  insertRows,
  RecordBatch,
  type Store,
  STORE,
} from "../../storage/database/index.js";
import { type EventWaker, EVENTS } from "../../webhooks/index.js";
import { LOG, METRICS } from "../../lib/process-values.js";
import { ConnectionService } from "../connections/index.js";
import { getRateLimitDelay, isRetryable } from "../host/index.js";
import {
  createCallLimits,
  FETCH_JOB,
  getRecordId,
  getRecordIds,
  groupSize,
  parseGroup,
  type RecordGroup,
} from "./jobs.js";
import { type FetchedRecord, fetchRecords } from "./fetch-records.js";
import { PlatformRateLimits } from "./rate-limits.js";

/** Attempts after which the documents of a group fail; the queue waits longer before each. */
const maxFetches = 5;
/** The number of groups of records that this process fetches at once; most of the time, it waits for platforms. */
const maxConcurrentFetches = 16;
/** Data may be large, and a statement must fit into one packet of MySQL. */
const recordsPerInsert = 10;

/** Fetches the records of one group of documents for each job, and queues the documents. */
@scoped(Lifecycle.ContainerScoped)
export class FetchWorker {
  readonly #count: (labels: { outcome: "fetched" | "failed" }) => void;

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "open">,
    @inject(PlatformRateLimits)
    private readonly rateLimits: PlatformRateLimits,
    @inject(EVENTS) private readonly events: { dispatch: EventWaker },
    @inject(METRICS) metrics: Metrics,
    @inject(LOG) private readonly log: Log,
  ) {
    this.#count = metrics.counter({
      name: "platen_platform_records_total",
      help: "Records of platforms that were to be fetched for documents, by how that ended.",
      labels: ["outcome"],
    });
  }

  /** The worker runs once the queue is started. */
  register(): void {
    this.queue.work(
      FETCH_JOB,
      {
        concurrency: maxConcurrentFetches,
        maxInterruptions: maxFetches,
        leavesSlotsFree: true,
        getLimit: this.rateLimits.getLimit,
      },
      (job) => this.#work(job),
      (group, attempts) => this.#poison(group, attempts),
    );
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    const group = parseGroup(job.rowId);
    const { store, connections, log } = this;
    const { batchId } = group;
    const batch = await store.read.findOneBy(RecordBatch, { batchId });
    const documents = await findWaitingDocuments(store.read, group);
    if (batch === null || documents.length === 0) return;
    const { organizationId, connectionId } = batch;
    try {
      const { platform } = await connections.open(organizationId, connectionId);
      if (await this.rateLimits.learn(batch, platform, batch.tableId))
        this.queue.nudge(FETCH_JOB);
      // Each request of the fetch listens to the signal.
      setMaxListeners(0, job.signal);
      const ids = documents.map(getRecordIds);
      const limits = createCallLimits(batch, job.signal);
      const records = await fetchRecords(platform, batch, ids, limits);
      await this.#save(job, batch, documents, records);
    } catch (error) {
      if (job.signal.aborted) throw error;
      const delay = getRateLimitDelay(error);
      if (delay !== null) return { again: clock.pause(delay) };
      if (isRetryable(error) && job.attempt < maxFetches) throw error;
      log.warn({ batchId, err: error }, "records were not fetched");
      await this.#fail(job, documents, formatError(error));
    }
  }

  /** Fails a group whose process crashed on each attempt. */
  async #poison(rowId: string, attempts: number): Promise<void> {
    const { store, events } = this;
    const group = parseGroup(rowId);
    const documents = await findWaitingDocuments(store.read, group);
    const error = `The records could not be fetched: the process that tried ended ${attempts} times.`;
    await store.unitOfWork.run((tx) => failDocuments(tx, documents, error));
    events.dispatch.nudge();
  }

  /** In one transaction: stores the records, queues their documents, fails the others, and ends the job. */
  async #save(
    job: RunningJob,
    { batchId, organizationId, isUrgent }: RecordBatch,
    documents: readonly Document[],
    fetched: ReadonlyMap<string, FetchedRecord>,
  ): Promise<void> {
    const { store, queue, events } = this;
    await store.unitOfWork.run(async (tx) => {
      await job.complete(tx);
      const rows: DocumentRecord[] = [];
      for (const document of documents) {
        const record = fetched.get(getRecordId(document));
        const documentId = document.id;
        if (record && "json" in record)
          rows.push({
            documentId,
            batchId,
            data: record.json,
            source: null,
          });
        else if (record)
          await failDocuments(tx, [document], formatError(record.error));
      }
      for (const some of chunksOf(rows, recordsPerInsert))
        await insertRows(tx, DocumentRecord, some);
      const jobs = rows.map(({ documentId }) => ({
        kind: DOCUMENT_JOB,
        rowId: documentId,
        partitionKey: organizationId,
        isUrgent,
      }));
      await queue.enqueue(tx, jobs);
    });
    queue.nudge(DOCUMENT_JOB);
    events.dispatch.nudge();
    for (const record of fetched.values())
      this.#count({ outcome: "json" in record ? "fetched" : "failed" });
  }

  async #fail(
    job: RunningJob,
    documents: readonly Document[],
    error: string,
  ): Promise<void> {
    const { store, events } = this;
    await store.unitOfWork.run(async (tx) => {
      await job.complete(tx);
      await failDocuments(tx, documents, error);
    });
    events.dispatch.nudge();
    documents.forEach(() => this.#count({ outcome: "failed" }));
  }
}

/** The documents of a group that have not ended and have no data yet. */
async function findWaitingDocuments(
  read: EntityManager,
  { batchId, number }: RecordGroup,
): Promise<Document[]> {
  const first = number * groupSize;
  const documents = await read.find(Document, {
    where: {
      batchId,
      batchIndex: Between(first, first + groupSize - 1),
      status: In(["queued", "rendering"]),
    },
    order: { batchIndex: "ASC" },
  });
  const records = await read.find(DocumentRecord, {
    where: { documentId: In(documents.map(({ id }) => id)) },
    select: { documentId: true },
  });
  const fetched = new Set(records.map(({ documentId }) => documentId));
  return documents.filter(({ id }) => !fetched.has(id));
}

async function failDocuments(
  tx: EntityManager,
  documents: readonly Document[],
  error: string,
): Promise<void> {
  const id = In(documents.map((document) => document.id));
  await endDocuments(tx, { id }, { status: "failed", error });
}
