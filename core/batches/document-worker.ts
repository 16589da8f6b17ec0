import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type EntityManager, In } from "typeorm";
import {
  type RenderQueued,
  type Signing,
  recordQueuedSucceeded,
  type SucceededDocument,
  getPromisedTemplate,
  type QueuedDocument,
  type TemplateToRender,
} from "../documents/index.js";
import {
  Deadline,
  errorText,
  type Log,
  PlatenError,
} from "../plugin-api/index.js";
import type { JobOutcome, Queue, RunningJob } from "../queue/index.js";
import {
  type Store,
  changeRows,
  Document,
  DocumentRecord,
  GroupCommit,
  instantText,
  marks,
  Batch,
  databaseNow,
} from "../storage/database/index.js";
import {
  type EventNudge,
  recordEvents,
  type ServiceEvent,
} from "../webhooks/index.js";
import { batchSweeps } from "./sweeps.js";
import type { RecordSource } from "./batches.js";
import { cancelled } from "./cancel-batch.js";
import { DOCUMENT_JOB } from "./document-job.js";
import {
  type BadEnd,
  endDocuments,
  countAllEnded,
  eventMetadata,
} from "./end-documents.js";
import { Solitude } from "./solitude.js";

interface WorkerParts {
  store: Store;
  queue: Pick<Queue, "complete">;
  contexts: BatchContexts;
  clock: DatabaseClock;
  renderQueued: RenderQueued;
  events: EventNudge;
  records: RecordSource;
  signing: Pick<Signing, "nudge">;
  log: Log;
}

interface WorkerLimits {
  renderTimeoutMs: number;
  /** How long a document waits before its first, second and third retry. */
  retryDelaysMs: readonly number[];
}

const busyDelayMs = 1000;
const claimLostDelayMs = 1000;

/** Renders one document of a batch for each job, and says how it ended. */
class DocumentWorker {
  readonly #solitude = new Solitude();
  readonly #claims: ClaimDocuments;
  readonly #successes: Successes;

  constructor(
    private readonly parts: WorkerParts,
    private readonly limits: WorkerLimits,
  ) {
    this.#claims = claimsOfDocuments(parts.store);
    this.#successes = successesOf(parts);
  }

  /**
   * A document whose worker ended is rendered alone: if it was the one that ended it, it does so again, and the others
   * that this process has in hand must not be taken for it.
   */
  async work(job: RunningJob): Promise<JobOutcome> {
    const isSuspect = job.attempt > 1;
    return this.#solitude.run(isSuspect, () => this.#workOn(job));
  }

  async #workOn(job: RunningJob): Promise<JobOutcome> {
    // It may have waited for long. As long as it is not claimed, an end of this process is not counted against it.
    job.signal.throwIfAborted();
    const claim = await this.#claims.run(job.rowId);
    if (claim === null) return;
    const { row } = claim;
    if (row.interruptions >= mostInterruptions)
      return this.#end(job, row, this.#poisoned(row.id, row.interruptions));
    if (!(await this.#timeLeft(row))) return this.#end(job, row, expired);
    try {
      return await this.#render(job, claim);
    } catch (error) {
      return this.#afterFailure(job, row, error);
    }
  }

  /** Its process ended time after time, though it was hardly ever rendered: a last resort of the queue. */
  async poison(documentId: string, times: number): Promise<void> {
    const { store, events } = this.parts;
    await store.unitOfWork.run((tx) =>
      endDocuments(tx, { id: documentId }, this.#poisoned(documentId, times)),
    );
    events.nudge();
  }

  #poisoned(documentId: string, times: number): BadEnd {
    const text = "a document was given up as poison";
    this.parts.log.error({ documentId, times }, text);
    return poisoned(times);
  }

  async #render(
    job: RunningJob,
    { row, data }: DocumentClaim,
  ): Promise<JobOutcome> {
    const { contexts, renderQueued, events, records, signing } = this.parts;
    const deadline = Deadline.after(
      Math.min(this.limits.renderTimeoutMs, await this.#timeLeft(row)),
      job.signal,
    );
    const context = await contexts.of(row.batchId);
    if (data === null) return this.#sendForRecord(job, row, context);
    const { platform } = context;
    let isLast = false;
    const isOurs = await renderQueued(
      { row, data: recordOf(data), ...context },
      {
        deadline,
        record: async (ended) => {
          const success = { row, ended, job, platform };
          const result = await this.#successes.run(success);
          isLast = result.isLast;
          return result.isOurs;
        },
      },
    );
    // The document has ended; or else whoever holds it may be about to fail, since this job is not theirs.
    if (!isOurs) return { again: claimLostDelayMs };
    // Events are looked for every second: to be told of each document would cost more than its record.
    if (isLast) events.nudge();
    if (platform !== null) records.nudge();
    if (context.signing !== null) signing.nudge();
  }

  /** The document waits, without a job of its own, until whoever brings its record wakes it. */
  async #sendForRecord(
    job: RunningJob,
    row: ClaimedDocument,
    { platform }: BatchContext,
  ): Promise<void> {
    if (platform === null)
      throw new PlatenError("internal", "This document's data is lost.");
    const { store, records } = this.parts;
    if (await putBack(store, row, null))
      await store.unitOfWork.run((tx) => records.bring(tx, row));
    else await this.#end(job, row, cancelled);
  }

  /** Given back, tried again or ended, by whose fault it was. */
  async #afterFailure(
    job: RunningJob,
    row: ClaimedDocument,
    error: unknown,
  ): Promise<JobOutcome> {
    const { store, log } = this.parts;
    const { id: documentId, batchId, attempts } = row;
    if (job.signal.aborted) {
      await putBack(store, row, null);
      throw error;
    }
    if (!(await this.#timeLeft(row))) return this.#end(job, row, expired);
    if (isBusy(error) && (await putBack(store, row, null)))
      return { again: busyDelayMs };
    log.warn({ documentId, batchId, attempts, err: error }, "a render failed");
    const text = errorText(error);
    const delay = this.limits.retryDelaysMs[attempts];
    if (isRetryable(error) && delay !== undefined)
      if (await putBack(store, row, text)) return { again: delay };
    return this.#end(job, row, { status: "failed", error: text });
  }

  /** Milliseconds until it expires; 0 when it has. */
  async #timeLeft({ expiresAt }: ClaimedDocument): Promise<number> {
    const now = await this.parts.clock.now();
    return Math.max(0, expiresAt.getTime() - now.getTime());
  }

  async #end(
    job: RunningJob,
    { id, lockToken }: ClaimedDocument,
    end: BadEnd,
  ): Promise<void> {
    const { store, events } = this.parts;
    const claim = { id, lockToken, status: "rendering" } as const;
    const isAttempt = end.status === "failed";
    await store.unitOfWork.run(async (tx) => {
      await endDocuments(tx, claim, { ...end, isAttempt });
      await job.complete(tx);
    });
    events.nudge();
  }
}

/** Written by `BatchDraft`, which takes objects alone. */
function recordOf(json: string): object {
  const data: unknown = JSON.parse(json);
  return typeof data === "object" && data !== null ? data : {};
}

function isBusy(error: unknown): boolean {
  return error instanceof PlatenError && error.code === "busy";
}

/** What is not ours to understand may pass. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof PlatenError) || error.retryable;
}

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
      ...(perOrganization !== null && { maxPerPartition: perOrganization }),
    },
    (job) => worker.work(job),
    (documentId, attempts) => worker.poison(documentId, attempts),
  );
  for (const { name, everyMs, run } of batchSweeps(parts))
    queue.every(name, everyMs, run);
}

/** A document under this worker's claim. */
type ClaimedDocument = Document & { batchId: string; lockToken: string };

interface DocumentClaim {
  row: ClaimedDocument;
  /** The root record as JSON; null when it is not there, or not yet. */
  data: string | null;
}

type ClaimDocuments = GroupCommit<string, DocumentClaim | null>;

/** Those whose jobs were taken claimGroup are claimed claimGroup. */
const claimGroup = { gatherMs: 5, most: 50 };

/**
 * Takes documents for one render each, also from whoever holds them: the queue hands a job to one worker at a time, so
 * that worker is gone, or too slow; its saves name an old token and change nothing. Null for one that has ended.
 */
function claimsOfDocuments({
  unitOfWork,
}: Pick<Store, "unitOfWork">): ClaimDocuments {
  return new GroupCommit(unitOfWork, claimAll, claimGroup);
}

async function claimAll(
  tx: EntityManager,
  ids: readonly string[],
): Promise<(DocumentClaim | null)[]> {
  const lockToken = randomUUID();
  await changeRows(
    tx,
    // MySQL sets the columns in this order: what asks for the status stands before it.
    `UPDATE document SET
       interruptions = CASE WHEN status = 'rendering' THEN interruptions + 1 ELSE interruptions END,
       status = 'rendering', lock_token = ?, updated_at = ?
     WHERE id IN (${marks(ids)}) AND status IN ('queued', 'rendering') AND batch_id IS NOT NULL`,
    [lockToken, instantText(new Date()), ...ids],
  );
  const rows = await tx.findBy(Document, { id: In(ids), lockToken });
  const records = await tx.findBy(DocumentRecord, { documentId: In(ids) });
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id);
    const record = records.find(({ documentId }) => documentId === id);
    return claimOf(row, record?.data ?? null);
  });
}

function claimOf(
  row: Document | undefined,
  data: string | null,
): DocumentClaim | null {
  if (!row || row.batchId === null || row.lockToken === null) return null;
  const { batchId, lockToken } = row;
  return { row: Object.assign(row, { batchId, lockToken }), data };
}

/**
 * Gives a document back to the queue, if it is still under this claim and its batch was not cancelled.
 * @param failure the error of a render that counts; null for a render that ended for no fault of the document.
 * @returns whether it is queued again.
 */
async function putBack(
  { unitOfWork }: Pick<Store, "unitOfWork">,
  { id, batchId, lockToken, attempts, isRetrying }: ClaimedDocument,
  failure: string | null,
): Promise<boolean> {
  const counted = {
    attempts: attempts + 1,
    isRetrying: true,
    error: failure,
  };
  return unitOfWork.run(async (tx) => {
    const batch = await tx.findOneByOrFail(Batch, { id: batchId });
    if (batch.cancelledAt !== null) return false;
    const { affected } = await tx.update(
      Document,
      { id, lockToken, status: "rendering" },
      {
        status: "queued",
        lockToken: null,
        updatedAt: new Date(),
        ...(failure === null ? { isRetrying } : counted),
      },
    );
    return affected === 1;
  });
}

/** A rendered document, and the job that named it. */
interface Success {
  row: ClaimedDocument;
  ended: SucceededDocument;
  job: RunningJob;
  /** See `Batch.platform`. */
  platform: string | null;
}

interface SuccessResult {
  /** False: the claim was lost, and nothing was written. */
  isOurs: boolean;
  /** Whether it was the last document of its batch. */
  isLast: boolean;
}

type Successes = GroupCommit<Success, SuccessResult>;

interface Ports {
  store: Pick<Store, "unitOfWork">;
  queue: Pick<Queue, "complete">;
  records: Pick<RecordSource, "succeeded">;
}

/** Documents that end so close successGroup are written successGroup; as they wait, others are printed. */
const successGroup = { gatherMs: 20, most: 16 };

/**
 * Ends documents that succeed: row, files, usage, events, counters of batches and the job, in one unit of work for
 * several of them. Each is fenced by its own claim and by its job's lease, and fails alone.
 */
function successesOf(ports: Ports): Successes {
  const { unitOfWork } = ports.store;
  return new GroupCommit(
    unitOfWork,
    (tx, group) => endAll(ports, tx, group),
    successGroup,
  );
}

async function endAll(
  { queue, records }: Ports,
  tx: EntityManager,
  group: readonly Success[],
): Promise<SuccessResult[]> {
  if (!(await recordQueuedSucceeded(tx, group))) return lostIn(group);
  for (const { ended } of group) await ended.sign?.(tx);
  await recordEvents(tx, group.map(eventOf));
  for (const { platform, row, ended } of group)
    if (platform !== null) await records.succeeded(tx, row, ended.outputs);
  const batches = group.map(({ row }) => row.batchId);
  const completed = await countAllEnded(tx, batches, new Date());
  await queue.complete(
    tx,
    group.map(({ job }) => job),
  );
  return group.map(({ row }) => ({
    isOurs: true,
    isLast: completed.has(row.batchId),
  }));
}

/** Of several, it is found by trying each alone. */
function lostIn(group: readonly Success[]): SuccessResult[] {
  if (group.length > 1) throw new Error("a claim was lost");
  return [{ isOurs: false, isLast: false }];
}

function eventOf({ row, ended }: Success): ServiceEvent {
  const { metadata, id: documentId, batchId, organizationId } = row;
  const { outputs, fileName, completedAt } = ended;
  return {
    type: "document.succeeded",
    data: {
      documentId,
      batchId,
      organizationId,
      status: "succeeded",
      outputs,
      metadata: eventMetadata({ metadata, fileName }),
      completedAt: completedAt.toISOString(),
    },
  };
}

/** What all documents of a batch have in common, and what never changes while it runs. */
interface BatchContext {
  template: TemplateToRender;
  renderOptions: QueuedDocument["renderOptions"];
  signing: QueuedDocument["signing"];
  /** See `Batch.platform`. */
  platform: string | null;
}

const kept = 200;

/** Spares every document but the first of a batch the look-up of batch and template. */
class BatchContexts {
  readonly #contexts: LRUCache<string, BatchContext>;

  constructor(store: Pick<Store, "read" | "unitOfWork">) {
    this.#contexts = new LRUCache({
      max: kept,
      fetchMethod: (batchId) => begin(store, batchId),
    });
  }

  /** The first call for a batch marks it as running. @throws PlatenError `not_found`. */
  of(batchId: string): Promise<BatchContext> {
    return this.#contexts.forceFetch(batchId);
  }
}

async function begin(
  { read, unitOfWork }: Pick<Store, "read" | "unitOfWork">,
  batchId: string,
): Promise<BatchContext> {
  const batch = await read.findOneByOrFail(Batch, { id: batchId });
  const template = await getPromisedTemplate(read, batch);
  await unitOfWork.run((tx) =>
    tx.update(
      Batch,
      { id: batchId, status: "queued" },
      { status: "running", updatedAt: new Date() },
    ),
  );
  const { platform, signing } = batch;
  return {
    template,
    signing,
    renderOptions: batch.renderOptions ?? undefined,
    platform,
  };
}

const readEveryMs = 30_000;

/** The database's time, by which documents expire: a machine whose own clock is wrong must not end them early. */
class DatabaseClock {
  #aheadMs = 0;
  #readAt: number | null = null;

  constructor(private readonly store: Pick<Store, "read">) {}

  async now(): Promise<Date> {
    if (this.#isOld) await this.#read();
    return new Date(Date.now() + this.#aheadMs);
  }

  get #isOld(): boolean {
    return (
      this.#readAt === null || performance.now() - this.#readAt > readEveryMs
    );
  }

  async #read(): Promise<void> {
    const now = await databaseNow(this.store.read);
    this.#aheadMs = now.getTime() - Date.now();
    this.#readAt = performance.now();
  }
}

export const expired: BadEnd = {
  status: "expired",
  error: "The document was not ready before its expiry.",
};

/** Workers that may end under a document; then it is not given to another. */
const mostInterruptions = 3;

/** How a document ends under which workers ended so many times. */
function poisoned(times: number): BadEnd {
  return {
    status: "failed",
    error:
      `The process that rendered this document ended ${times} times, so it is not tried again. ` +
      "Look for what is unusual in its data, such as very many pages.",
  };
}
