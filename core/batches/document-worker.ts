import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type EntityManager, In } from "typeorm";
import {
  countWarnings,
  getAcceptedTemplate,
  type QueuedDocument,
  recordQueuedSucceeded,
  type RenderQueued,
  type Signing,
  type StoredDocument,
  type TemplateToRender,
  RENDER_QUEUED,
  SIGNING,
} from "../documents/index.js";
import { clock } from "../lib/clock.js";
import { isServingOthers, runAsOwner } from "../lib/event-loop.js";
import { answeringTurns } from "../lib/fair-queue.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../lib/injection.js";
import {
  Deadline,
  formatError,
  type Log,
  PlatenError,
} from "../plugin-api/index.js";
import {
  type JobOutcome,
  type Queue,
  type RunningJob,
  QUEUE,
} from "../queue/index.js";
import {
  Batch,
  changeRows,
  getDatabaseTime,
  Document,
  DocumentRecord,
  GroupCommit,
  formatDatetime,
  marks,
  type Store,
  STORE,
} from "../storage/database/index.js";
import {
  type EventWaker,
  recordEvents,
  type ServiceEvent,
  EVENTS,
} from "../webhooks/index.js";
import { LOG, CONFIG } from "../lib/process-values.js";
import {
  DOCUMENT_JOB,
  type DocumentDeliveries,
  DOCUMENT_DELIVERIES,
} from "./accept-batch.js";
import { type RecordSource, RECORD_SOURCE } from "./batches.js";
import {
  countAllEnded,
  type DocumentFailure,
  documentCancelled,
  documentExpired,
  endDocuments,
  getEventMetadata,
} from "./end-documents.js";
import { batchSweeps } from "./sweeps.js";

const DOCUMENT_WORKER_OPTIONS = createToken<DocumentWorkerOptions>(
  "DocumentWorkerOptions",
);
provide(DOCUMENT_WORKER_OPTIONS, (c) => {
  const { batch, render } = c.resolve(CONFIG);
  // While each page prints one document, another is merged or stored; a few more, so that no page ever waits.
  const defaultConcurrency = 2 * render.pages + 4;
  return {
    concurrency: batch.concurrency ?? defaultConcurrency,
    perOrganization: batch.perOrganization,
    retryDelaysMs: batch.retryDelaysMs,
    renderTimeoutMs: render.timeoutMs,
  };
});

export interface DocumentWorkerOptions {
  /** Documents that this process renders at once. */
  concurrency: number;
  /** Documents of one organization that all processes together render at once; null for no limit. */
  perOrganization: number | null;
  renderTimeoutMs: number;
  /** How long a document waits before its first, second and third retry. */
  retryDelaysMs: readonly number[];
}

/** The queue's own limit is out of reach: a document counts only the interruptions of its render. */
const maxJobInterruptions = 1000;
/** A document whose worker process ended this often while it was rendered is not given to another. */
const maxInterruptions = 3;
const busyDelayMs = 1000;
const claimLostDelayMs = 1000;
const cachedBatches = 200;
/** Documents whose jobs were taken together are claimed together. */
const claimGroup = { gatherMs: 0, most: 50 };
/**
 * Documents that succeed within a short time are saved together; while they wait, others are printed. When all that this
 * process has in progress wait, as html does, none of them waits longer.
 */
const successGroup = { gatherMs: 20, most: 16 };

/** A document under this worker's claim. */
type ClaimedDocument = Document & { batchId: string; lockToken: string };

interface DocumentClaim {
  row: ClaimedDocument;
  /** The root record as JSON; null when it is missing, or not fetched yet. */
  data: string | null;
}

/** What all documents of a batch have in common, and what never changes while it runs, except for reusable blocks. */
interface BatchContext {
  template: TemplateToRender;
  renderOptions: QueuedDocument["renderOptions"];
  strict: boolean;
  unknownFields: QueuedDocument["unknownFields"];
  signing: QueuedDocument["signing"];
  /** See `Batch.platform`. */
  platform: string | null;
  deliver: Batch["deliver"];
}

interface Success {
  row: ClaimedDocument;
  ended: StoredDocument;
  job: RunningJob;
  /** See `Batch.platform`. */
  platform: string | null;
  deliver: Batch["deliver"];
}

interface SuccessResult {
  /** False: the claim was lost, and nothing was written. */
  isOurs: boolean;
  /** Whether it was the last document of its batch. */
  isLast: boolean;
}

/** Renders one document of a batch for each job: claim, render, save. */
@scoped(Lifecycle.ContainerScoped)
export class DocumentWorker {
  readonly #lock = new ReadWriteLock();
  #inProgress = 0;
  readonly #clock: DatabaseClock;
  readonly #contexts: LRUCache<string, BatchContext>;
  readonly #claims: GroupCommit<string, DocumentClaim | null>;
  readonly #successes: GroupCommit<Success, SuccessResult>;

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(RENDER_QUEUED) private readonly renderQueued: RenderQueued,
    @inject(EVENTS) private readonly events: { dispatch: EventWaker },
    @inject(RECORD_SOURCE) private readonly records: RecordSource,
    @inject(DOCUMENT_DELIVERIES)
    private readonly deliveries: DocumentDeliveries,
    @inject(SIGNING) private readonly signing: Pick<Signing, "nudge">,
    @inject(LOG) private readonly log: Log,
    @inject(DOCUMENT_WORKER_OPTIONS)
    private readonly options: DocumentWorkerOptions,
  ) {
    const { unitOfWork } = store;
    this.#clock = new DatabaseClock(store);
    this.#contexts = new LRUCache({
      max: cachedBatches,
      fetchMethod: (batchId) => startBatch(store, batchId),
    });
    this.#claims = new GroupCommit(unitOfWork, claimDocuments, claimGroup);
    this.#successes = new GroupCommit(
      unitOfWork,
      (tx, group) => saveSuccesses({ queue, records, deliveries }, tx, group),
      {
        ...successGroup,
        isComplete: (waiting) => waiting === this.#inProgress,
      },
    );
  }

  /** Call before the queue starts. */
  register(): void {
    const { store, queue, events } = this;
    const { concurrency, perOrganization } = this.options;
    queue.work(
      DOCUMENT_JOB,
      {
        concurrency,
        maxInterruptions: maxJobInterruptions,
        ...(perOrganization !== null && { maxPerPartition: perOrganization }),
      },
      // A document whose worker process ended is rendered exclusively: if it caused that, it does so again, and then
      // the other documents of this process must not be suspected.
      async (job) => {
        this.#inProgress += 1;
        try {
          return await this.#lock.run(job.attempt > 1, () => this.#work(job));
        } finally {
          this.#inProgress -= 1;
        }
      },
      (documentId, times) => this.#endPoison(documentId, times),
    );
    const sweeps = batchSweeps({ store, queue, events: events.dispatch });
    for (const { name, everyMs, run } of sweeps)
      queue.every(name, everyMs, run);
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    // It may have waited long for the lock. Until it is claimed, an end of this process does not count against it.
    job.signal.throwIfAborted();
    const claim = await this.#claims.run(job.rowId);
    if (claim === null) return;
    const { row } = claim;
    if (row.interruptions >= maxInterruptions)
      return this.#end(job, row, this.#failPoison(row.id, row.interruptions));
    if (!(await this.#getTimeLeft(row)))
      return this.#end(job, row, documentExpired);
    try {
      return await this.#render(job, claim);
    } catch (error) {
      return this.#handleFailure(job, row, error);
    }
  }

  /** The queue's last resort: the process ended time after time, though the document was hardly ever rendered. */
  async #endPoison(documentId: string, times: number): Promise<void> {
    const failure = this.#failPoison(documentId, times);
    await this.store.unitOfWork.run((tx) =>
      endDocuments(tx, { id: documentId }, failure),
    );
    this.events.dispatch.nudge();
  }

  #failPoison(documentId: string, times: number): DocumentFailure {
    const text = "a document exceeded the crash limit";
    this.log.error({ documentId, times }, text);
    return {
      status: "failed",
      error:
        `The process that rendered this document ended ${times} times, so it is not tried again. ` +
        "Look for unusual data in it, such as content for very many pages.",
    };
  }

  async #render(
    job: RunningJob,
    { row, data }: DocumentClaim,
  ): Promise<JobOutcome> {
    const { events, records, deliveries, signing } = this;
    const deadline = Deadline.after(
      Math.min(this.options.renderTimeoutMs, await this.#getTimeLeft(row)),
      job.signal,
    );
    const context = await this.#contexts.forceFetch(row.batchId);
    const { platform, deliver, template: accepted } = context;
    if (data === null) return this.#awaitRecord(job, row, platform);
    // `BatchDraft` stores only objects.
    const record: object = JSON.parse(data);
    let isLast = false;
    const { organizationId, templateId } = row;
    const owner = { route: "batch document", organizationId, templateId };
    const isOurs = await runAsOwner(owner, async () => {
      if (isServingOthers(organizationId)) await answeringTurns.take();
      const template = (await accepted.refresh?.()) ?? accepted;
      return this.renderQueued(
        { row, data: record, ...context, template },
        {
          deadline,
          record: async (ended) => {
            const success = { row, ended, job, platform, deliver };
            const result = await this.#successes.run(success);
            isLast = result.isLast;
            return result.isOurs;
          },
        },
      );
    });
    // The document has ended, or another worker holds it and may still fail, since this job is not its own.
    if (!isOurs) return { again: clock.pause(claimLostDelayMs) };
    // Events are polled every second; waking for each document would cost more than recording it.
    if (isLast) events.dispatch.nudge();
    if (platform !== null) records.nudge();
    if (deliver !== null) deliveries.nudge();
    if (context.signing !== null) signing.nudge();
  }

  /** The document waits without a job until `RecordSource` has stored its record and enqueues it. */
  async #awaitRecord(
    job: RunningJob,
    row: ClaimedDocument,
    platform: string | null,
  ): Promise<void> {
    if (platform === null)
      throw new PlatenError("internal", "This document's data is missing.");
    const { store, records } = this;
    if (await requeue(store, row, null))
      await store.unitOfWork.run((tx) => records.bring(tx, row));
    else await this.#end(job, row, documentCancelled);
  }

  /** Requeued, retried or ended, depending on the cause. */
  async #handleFailure(
    job: RunningJob,
    row: ClaimedDocument,
    error: unknown,
  ): Promise<JobOutcome> {
    const { store, log } = this;
    const { id: documentId, batchId, attempts } = row;
    if (job.signal.aborted) {
      await requeue(store, row, null);
      throw error;
    }
    if (!(await this.#getTimeLeft(row)))
      return this.#end(job, row, documentExpired);
    const isKnown = error instanceof PlatenError;
    if (isKnown && error.code === "busy" && (await requeue(store, row, null)))
      return { again: clock.pause(busyDelayMs) };
    log.warn({ documentId, batchId, attempts, err: error }, "a render failed");
    const text = formatError(error);
    const delay = this.options.retryDelaysMs[attempts];
    const isRetryable = !isKnown || error.retryable;
    if (isRetryable && delay !== undefined && (await requeue(store, row, text)))
      return { again: clock.pause(delay) };
    return this.#end(job, row, {
      status: "failed",
      error: text,
      ...(isKnown &&
        error.code === "merge_failed" && {
          warningCount: error.problems.length,
        }),
    });
  }

  /** Milliseconds until it expires; 0 when it has. */
  async #getTimeLeft({ expiresAt }: ClaimedDocument): Promise<number> {
    const now = await this.#clock.now();
    return Math.max(0, expiresAt.getTime() - now.getTime());
  }

  async #end(
    job: RunningJob,
    { id, lockToken }: ClaimedDocument,
    failure: DocumentFailure,
  ): Promise<void> {
    const claim = { id, lockToken, status: "rendering" } as const;
    const isAttempt = failure.status === "failed";
    await this.store.unitOfWork.run(async (tx) => {
      await endDocuments(tx, claim, { ...failure, isAttempt });
      await job.complete(tx);
    });
    this.events.dispatch.nudge();
  }
}

/**
 * Claims documents for one render each, also those that another worker holds: the queue gives a job to one worker at a
 * time, so the other one is gone or too slow, and its writes name an old token and change nothing. Null for a document
 * that has ended.
 */
async function claimDocuments(
  tx: EntityManager,
  ids: readonly string[],
): Promise<(DocumentClaim | null)[]> {
  const lockToken = randomUUID();
  await changeRows(
    tx,
    // MySQL sets the columns in this order, so the expression that reads the status comes first.
    `UPDATE document SET
       interruptions = CASE WHEN status = 'rendering' THEN interruptions + 1 ELSE interruptions END,
       status = 'rendering', lock_token = ?, updated_at = ?
     WHERE id IN (${marks(ids)}) AND status IN ('queued', 'rendering') AND batch_id IS NOT NULL`,
    [lockToken, formatDatetime(clock.date()), ...ids],
  );
  const rows = await tx.findBy(Document, { id: In(ids), lockToken });
  const records = await tx.findBy(DocumentRecord, { documentId: In(ids) });
  return ids.map((id) => {
    const row = rows.find((candidate) => candidate.id === id);
    if (!row || row.batchId === null) return null;
    const { batchId } = row;
    const record = records.find(({ documentId }) => documentId === id);
    return {
      row: Object.assign(row, { batchId, lockToken }),
      data: record?.data ?? null,
    };
  });
}

/** Marks the batch as running. @throws PlatenError `not_found`. */
async function startBatch(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  batchId: string,
): Promise<BatchContext> {
  const batch = await read.findOneByOrFail(Batch, { id: batchId });
  const template = await getAcceptedTemplate(read, batch);
  await unitOfWork.run((tx) =>
    tx.update(
      Batch,
      { id: batchId, status: "queued" },
      { status: "running", updatedAt: clock.date() },
    ),
  );
  const { platform, deliver, signing, strict, unknownFields } = batch;
  const renderOptions = batch.renderOptions ?? undefined;
  return {
    template,
    signing,
    renderOptions,
    strict,
    unknownFields,
    platform,
    deliver,
  };
}

/**
 * Returns a document to the queue, if it is still under this claim and its batch was not cancelled.
 * @param failure the error of a render that counts; null when the document did not cause the end of its render.
 * @returns whether it is queued again.
 */
async function requeue(
  { unitOfWork }: Pick<Store, "unitOfWork">,
  { id, batchId, lockToken, attempts, isRetrying }: ClaimedDocument,
  failure: string | null,
): Promise<boolean> {
  const counted = { attempts: attempts + 1, isRetrying: true, error: failure };
  return unitOfWork.run(async (tx) => {
    const batch = await tx.findOneByOrFail(Batch, { id: batchId });
    if (batch.cancelledAt !== null) return false;
    const { affected } = await tx.update(
      Document,
      { id, lockToken, status: "rendering" },
      {
        status: "queued",
        lockToken: null,
        updatedAt: clock.date(),
        ...(failure === null ? { isRetrying } : counted),
      },
    );
    return affected === 1;
  });
}

/**
 * Ends documents that succeeded: row, files, usage, events, counters of batches and the jobs, in one unit of work. Each
 * is fenced by its own claim and by its job's lease; when one of a group fails, `GroupCommit` tries each alone.
 */
async function saveSuccesses(
  {
    queue,
    records,
    deliveries,
  }: {
    queue: Pick<Queue, "complete">;
    records: Pick<RecordSource, "succeeded">;
    deliveries: Pick<DocumentDeliveries, "succeeded">;
  },
  tx: EntityManager,
  group: readonly Success[],
): Promise<SuccessResult[]> {
  if (!(await recordQueuedSucceeded(tx, group))) {
    if (group.length > 1) throw new Error("a claim was lost");
    return [{ isOurs: false, isLast: false }];
  }
  for (const { ended } of group) await ended.sign?.(tx);
  await recordEvents(tx, group.map(toSucceededEvent));
  for (const { platform, deliver, row, ended } of group) {
    if (platform !== null) await records.succeeded(tx, row, ended.outputs);
    if (deliver !== null) await deliveries.succeeded(tx, row, deliver);
  }
  const batchIds = group.map(({ row }) => row.batchId);
  const completed = await countAllEnded(tx, batchIds, clock.date());
  await queue.complete(
    tx,
    group.map(({ job }) => job),
  );
  return batchIds.map((id) => ({ isOurs: true, isLast: completed.has(id) }));
}

function toSucceededEvent({ row, ended }: Success): ServiceEvent {
  const { metadata, id: documentId, batchId, organizationId } = row;
  const { outputs, fileName } = ended;
  return {
    type: "document.succeeded",
    data: {
      documentId,
      batchId,
      organizationId,
      status: "succeeded",
      outputs,
      metadata: getEventMetadata({ metadata, fileName }),
      warningCount: countWarnings(ended.report),
      completedAt: ended.completedAt.toISOString(),
    },
  };
}

const readClockEveryMs = 30_000;

/** The database's time, by which documents expire, so that a wrong clock of this machine does not end them early. */
class DatabaseClock {
  #offsetMs = 0;
  #readAt = -Infinity;

  constructor(private readonly store: Pick<Store, "read">) {}

  async now(): Promise<Date> {
    if (performance.now() - this.#readAt > readClockEveryMs) {
      const now = await getDatabaseTime(this.store.read);
      this.#offsetMs = now.getTime() - clock.now();
      this.#readAt = performance.now();
    }
    return new Date(clock.now() + this.#offsetMs);
  }
}

/** Runs work concurrently or exclusively, in the order of the calls: later work waits for exclusive work before it. */
class ReadWriteLock {
  /** The end of the last exclusive work. */
  #exclusive: Promise<void> = Promise.resolve();
  /** The ends of the concurrent work that began since. */
  readonly #shared = new Set<Promise<void>>();

  run<T>(isExclusive: boolean, work: () => Promise<T>): Promise<T> {
    const before = isExclusive
      ? [this.#exclusive, ...this.#shared]
      : [this.#exclusive];
    const result = Promise.all(before).then(work);
    const ended = result.then(ignore, ignore);
    if (isExclusive) {
      this.#shared.clear();
      this.#exclusive = ended;
    } else {
      this.#shared.add(ended);
      void ended.then(() => this.#shared.delete(ended));
    }
    return result;
  }
}

/** The caller has the result. */
function ignore(): void {}
