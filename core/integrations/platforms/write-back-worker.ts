import { extname } from "node:path";
import { buffer } from "node:stream/consumers";
import pLimit from "p-limit";
import type { EntityManager } from "typeorm";
import type { Config } from "../../../config/index.js";
import { getEventMetadata, recordSaved } from "../../batches/index.js";
import { safeFileName } from "../../documents/index.js";
import { clock } from "../../lib/clock.js";
import { inject, Lifecycle, scoped } from "../../lib/injection.js";
import {
  formatError,
  type FileStore,
  hasRequestedFormat,
  isSignedOutput,
  type Log,
  type Metrics,
  getOutputSuffix,
  PlatenError,
} from "../../plugin-api/index.js";
import {
  type JobOutcome,
  type Queue,
  type RunningJob,
  type TakenJob,
  QUEUE,
} from "../../queue/index.js";
import {
  Document,
  findForUpdate,
  getDatabaseTime,
  getTimeUntilDue,
  type RecordBatch,
  type Store,
  WriteBack,
  STORE,
} from "../../storage/database/index.js";
import { type EventWaker, recordEvent, EVENTS } from "../../webhooks/index.js";
import {
  BASE_URL,
  FILE_STORE,
  LOG,
  METRICS,
  CONFIG,
} from "../../lib/process-values.js";
import { ConnectionService } from "../connections/index.js";
import {
  findPlatformError,
  getRateLimitDelay,
  isRetryable,
} from "../host/index.js";
import {
  createCallLimits,
  createWriteBackJob,
  WRITE_BACK_JOB,
} from "./jobs.js";
import { canUseLinks, PlatformRateLimits } from "./rate-limits.js";
import { findRecordBatch } from "./record-source.js";
import {
  type OutgoingFile,
  type CellTarget,
  CellWriter,
  findAddedFiles,
  isRefusal,
} from "./cell-writers.js";

/** A pending write-back: a document's files, and the cell that they are written to. */
interface WriteBackTask extends CellTarget {
  document: Document;
  batch: TaskBatch;
}

type TaskBatch = Omit<RecordBatch, "plan">;

type WriteBackResult =
  { status: "succeeded" } | { status: "failed"; error: string };

/** The number of cells that this process writes at once; most of the time, it waits for platforms. */
const maxConcurrentWrites = 64;
/** Longer than the timeout of any call, so that no two jobs write to the same cell. */
const leaseMs = 150_000;

/** How many of the records that a job has taken are written one by one at the same time. */
const maxConcurrentOfJob = 4;

interface WriteBackJob {
  job: RunningJob;
  task: WriteBackTask;
}

/**
 * Writes the files of one document into its record for each run of a cell's job, and stores the result. Where a platform
 * can write many records in one request, the first job takes along all that are due.
 */
@scoped(Lifecycle.ContainerScoped)
export class WriteBackWorker {
  readonly #count: (labels: {
    outcome: "succeeded" | "retried" | "failed";
  }) => void;

  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "open">,
    @inject(PlatformRateLimits)
    private readonly rateLimits: PlatformRateLimits,
    /** Platforms can download files from it if it is public. */
    @inject(BASE_URL) private readonly baseUrl: string,
    @inject(CONFIG) private readonly config: Pick<Config, "platforms">,
    @inject(EVENTS) private readonly events: { dispatch: EventWaker },
    @inject(METRICS) metrics: Metrics,
    @inject(LOG) private readonly log: Log,
  ) {
    this.#count = metrics.counter({
      name: "platen_platform_write_backs_total",
      help: "Attempts at writing a document's files into its record, by how they ended.",
      labels: ["outcome"],
    });
  }

  /** The worker runs once the queue is started. */
  register(): void {
    this.queue.work(
      WRITE_BACK_JOB,
      {
        concurrency: maxConcurrentWrites,
        leavesSlotsFree: true,
        getLimit: this.rateLimits.getWriteLimit,
        leaseMs,
      },
      (job) => this.#work(job),
      (cell, attempts) => this.#poison(cell, attempts),
    );
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    const due = await this.#findDue(job);
    if (!("task" in due)) return due.outcome;
    const { task } = due;
    const { isUrgent } = task.batch;
    const many = isUrgent ? null : this.rateLimits.getWriteMany(task.batch);
    const others = many
      ? await this.queue.takeMore(job, many.maxRecords - 1)
      : [];
    return others.length > 0
      ? this.#workTogether({ job, task }, others, many?.minRecords ?? 2)
      : this.#workAlone(job, task);
  }

  /** The write-back of the cell that is due, or how the job ends without it. */
  async #findDue(
    job: RunningJob,
  ): Promise<
    { task: WriteBackTask } | { outcome: { again: number } | undefined }
  > {
    const { read } = this.store;
    const row = await findNext(read, job.rowId);
    if (row === null) return { outcome: undefined };
    const wait = await getTimeUntilDue(read, row);
    return wait > 0
      ? { outcome: { again: wait } }
      : { task: await findTask(read, row) };
  }

  /** Writes what can be written together, and then each of the others alone. */
  async #workTogether(
    first: WriteBackJob,
    others: readonly TakenJob[],
    minRecords: number,
  ): Promise<JobOutcome> {
    const dueJobs = await Promise.all(
      others.map(async ({ job }): Promise<WriteBackJob[]> => {
        const due = await this.#findDue(job);
        return "task" in due ? [{ job, task: due.task }] : [];
      }),
    );
    const suitable = [first, ...dueJobs.flat()].filter(
      ({ task }) =>
        canBeWrittenWithOthers(task) && hasSamePlace(task, first.task),
    );
    const { completed, failure } =
      suitable.length >= minRecords
        ? await this.#writeMany(suitable)
        : { completed: new Set(), failure: null };
    const handle = async (job: RunningJob): Promise<JobOutcome> => {
      if (completed.has(job)) return;
      const failed = suitable.find((each) => each.job === job);
      if (failure && failed)
        return this.#handleFailure(job, failed.task, failure.error);
      // It may have been written with others meanwhile.
      const due = await this.#findDue(job);
      return "task" in due ? this.#workAlone(job, due.task) : due.outcome;
    };
    const limit = pLimit(maxConcurrentOfJob);
    const [outcome] = await Promise.all([
      limit(() => handle(first.job)),
      ...others.map((other) => limit(() => other.run(handle))),
    ]);
    return outcome;
  }

  /**
   * Writes several documents in few requests, and completes the jobs of those that the platform says to be written.
   * @returns also the failure of all, when they must not be written one by one now: the platform did not answer or
   * accepts no more requests.
   */
  async #writeMany(jobs: readonly WriteBackJob[]): Promise<{
    completed: Set<RunningJob>;
    failure: { error: unknown } | null;
  }> {
    const completed = new Set<RunningJob>();
    const [first] = jobs;
    if (!first) return { completed, failure: null };
    const { batch } = first.task;
    const signal = AbortSignal.any(jobs.map(({ job }) => job.signal));
    try {
      const { writer, hasLinks } = await this.#connect(first.task, signal);
      const written = await writer.writeMany(
        jobs.map(({ task }) => task),
        ({ document }) => listOutgoingFiles(this.files, document, hasLinks),
      );
      if (written.size === 0) this.rateLimits.noteManyInVain(batch);
      for (const { job, task } of jobs) {
        if (!written.has(task)) continue;
        await this.#complete(job, task, { status: "succeeded" });
        completed.add(job);
      }
      return { completed, failure: null };
    } catch (error) {
      if (signal.aborted) throw error;
      const code = findPlatformError(error)?.code;
      const isForAll = code === "auth" || code === "quota_exceeded";
      if (isForAll || !isRefusal(error) || getRateLimitDelay(error) !== null)
        return { completed, failure: { error } };
      const { batchId } = batch;
      this.log.info({ batchId, err: error }, "records are written one by one");
      return { completed, failure: null };
    }
  }

  async #workAlone(job: RunningJob, task: WriteBackTask): Promise<JobOutcome> {
    const startedAt = performance.now();
    try {
      await this.#write(task, job.signal);
    } catch (error) {
      this.rateLimits.noteWrite(task.batch, Infinity);
      if (job.signal.aborted) throw error;
      return this.#handleFailure(job, task, error);
    }
    this.rateLimits.noteWrite(task.batch, performance.now() - startedAt);
    await this.#complete(job, task, { status: "succeeded" });
  }

  /** Fails the write-back at which the process crashed on each attempt; those behind it go on. */
  async #poison(cell: string, attempts: number): Promise<void> {
    const { store, queue } = this;
    const row = await findNext(store.read, cell);
    if (row === null) return;
    const task = await findTask(store.read, row);
    const error = `The process that wrote this file ended ${attempts} times. Retry the write-back.`;
    await store.unitOfWork.run(async (tx) => {
      await completeWriteBack(tx, task, { status: "failed", error });
      await enqueueNext(tx, queue, cell);
    });
    this.events.dispatch.nudge();
  }

  async #write(task: WriteBackTask, signal: AbortSignal): Promise<void> {
    const { writer, hasLinks } = await this.#connect(task, signal);
    const files = listOutgoingFiles(this.files, task.document, hasLinks);
    await writer.write(task, files);
  }

  /** @returns also whether the platform can use links to files. */
  async #connect({ batch, cell }: WriteBackTask, signal: AbortSignal) {
    const { organizationId, connectionId } = batch;
    const { platform } = await this.connections.open(
      organizationId,
      connectionId,
    );
    if (await this.rateLimits.learn(batch, platform, cell.tableId))
      this.queue.nudge(WRITE_BACK_JOB);
    const limits = createCallLimits(batch, signal);
    return {
      writer: new CellWriter(this.store, platform, limits),
      hasLinks: canUseLinks(platform, this.baseUrl),
    };
  }

  async #handleFailure(
    job: RunningJob,
    task: WriteBackTask,
    error: unknown,
  ): Promise<JobOutcome> {
    const { documentId, batchId, attempts } = task.row;
    const { log, config } = this;
    const text = formatError(error);
    const rateLimitDelay = getRateLimitDelay(error);
    if (rateLimitDelay !== null) {
      log.info({ documentId, batchId }, `a write-back waits: ${text}`);
      return this.#postpone(task, rateLimitDelay, { error: text });
    }
    log.warn(
      { documentId, batchId, attempts, err: error },
      "a write-back failed",
    );
    const delay = config.platforms.writeBackDelaysMs[attempts];
    if (!isRetryable(error) || delay === undefined)
      return this.#complete(job, task, { status: "failed", error: text });
    this.#count({ outcome: "retried" });
    return this.#postpone(task, delay, { attempts: attempts + 1, error: text });
  }

  /** The document waits; others of the same cell do not. */
  async #postpone(
    { row: { documentId, cell } }: WriteBackTask,
    delayMs: number,
    changes: Partial<Pick<WriteBack, "attempts" | "error">>,
  ): Promise<{ again: number }> {
    return this.store.unitOfWork.run(async (tx) => {
      const now = await getDatabaseTime(tx);
      const nextAttemptAt = new Date(now.getTime() + clock.pause(delayMs));
      await tx.update(
        WriteBack,
        { documentId, status: "pending" },
        { ...changes, nextAttemptAt, updatedAt: now },
      );
      const due = (await findNext(tx, cell))?.nextAttemptAt ?? now;
      return { again: Math.max(0, due.getTime() - now.getTime()) };
    });
  }

  async #complete(
    job: RunningJob,
    task: WriteBackTask,
    result: WriteBackResult,
  ): Promise<void> {
    const { store, queue } = this;
    const hasNext = await store.unitOfWork.run(async (tx) => {
      await job.complete(tx);
      await completeWriteBack(tx, task, result);
      return enqueueNext(tx, queue, task.row.cell);
    });
    this.events.dispatch.nudge();
    if (hasNext) queue.nudge(WRITE_BACK_JOB);
    this.#count({ outcome: result.status });
  }
}

/** The pending write-back of a cell that is due first, or that will be. */
function findNext(
  read: EntityManager,
  cell: string,
): Promise<WriteBack | null> {
  return read.findOne(WriteBack, {
    where: { cell, status: "pending" },
    order: { nextAttemptAt: "ASC", documentId: "ASC" },
  });
}

/** Gives the next write-back of a cell a job of its own rate limit. @returns whether there is one. */
async function enqueueNext(
  tx: EntityManager,
  queue: Pick<Queue, "enqueue">,
  cell: string,
): Promise<boolean> {
  const next = await findNext(tx, cell);
  const batch = next && (await findRecordBatch(tx, next.batchId));
  if (!next || !batch) return false;
  const job = createWriteBackJob(next, batch);
  const { nextAttemptAt } = next;
  await queue.enqueue(tx, [
    { ...job, ...(nextAttemptAt !== null && { runAt: nextAttemptAt }) },
  ]);
  return true;
}

async function findTask(
  read: EntityManager,
  row: WriteBack,
): Promise<WriteBackTask> {
  const { documentId, batchId, recordId } = row;
  const document = await read.findOneByOrFail(Document, { id: documentId });
  const batch = await findRecordBatch(read, batchId);
  if (batch === null)
    throw new PlatenError(
      "internal",
      `The batch ${batchId} has write-backs, but no table to write them to.`,
    );
  const { baseId, tableId, fieldId, mode } = batch;
  const scope = { tableId, ...(baseId !== null && { baseId }) };
  const cell = { ...scope, recordId, fieldId: fieldId ?? "" };
  return { row, document, batch, cell, mode };
}

/**
 * Stores the result of a pending write-back, also in the document's metadata, with the events of its end. Does nothing
 * when files were added since the row was read: the job runs again for them.
 */
async function completeWriteBack(
  tx: EntityManager,
  { row, batch }: WriteBackTask,
  result: WriteBackResult,
): Promise<void> {
  const { documentId } = row;
  if ((await findAddedFiles(tx, row)).length > 0) return;
  const at = clock.date();
  const error = result.status === "failed" ? result.error : null;
  const { affected } = await tx.update(
    WriteBack,
    { documentId, status: "pending" },
    {
      status: result.status,
      error,
      nextAttemptAt: null,
      completedAt: at,
      updatedAt: at,
    },
  );
  if (affected !== 1) return;
  const document = await findForUpdate(tx, Document, { id: documentId });
  const { platen, ...metadata } = document?.metadata ?? {};
  const field = batch.fieldName ?? "";
  const writeBack = { ...result, field, at: at.toISOString() };
  const platenMetadata =
    typeof platen === "object" ? { ...platen, writeBack } : { writeBack };
  await tx.update(
    Document,
    { id: documentId },
    { metadata: { ...metadata, platen: platenMetadata }, updatedAt: at },
  );
  if (document === null) return;
  await recordEvent(tx, {
    type: "document.saved",
    data: {
      documentId,
      batchId: batch.batchId,
      organizationId: batch.organizationId,
      ...result,
      recordId: row.recordId,
      field,
      metadata: getEventMetadata(document),
      completedAt: at.toISOString(),
    },
  });
  await recordSaved(tx, batch.batchId, at);
}

type OutgoingDocument = Pick<
  Document,
  "id" | "fileName" | "formats" | "outputs" | "expiresAt"
>;

/**
 * The files of a document that exist now. @param hasLinks whether the platform can use links to them.
 * @throws PlatenError `gone` when all files of the document have expired.
 */
function listOutgoingFiles(
  store: FileStore,
  { id, fileName, formats, outputs, expiresAt }: OutgoingDocument,
  hasLinks: boolean,
): OutgoingFile[] {
  const isExpired = expiresAt <= clock.date();
  const availableOutputs = outputs.filter(
    (output) =>
      isSignedOutput(output) ||
      (!isExpired && hasRequestedFormat(output, formats)),
  );
  if (isExpired && availableOutputs.length === 0) throw createExpiredError();
  const name = safeFileName(fileName ?? "");
  return availableOutputs.map(
    ({ label, storageKey, mimeType, sizeBytes, url }) => ({
      label,
      key: `${id}/${label}`,
      filename: `${name}${getOutputSuffix(label)}${extname(storageKey)}`,
      contentType: mimeType,
      sizeBytes,
      bytes: () => readFile(store, storageKey),
      // Valid for as long as the document is.
      ...(hasLinks && { publicUrl: async () => url }),
    }),
  );
}

async function readFile(store: FileStore, key: string): Promise<Uint8Array> {
  const file = await store.open(key);
  if (file === null) throw createExpiredError();
  return buffer(file.stream);
}

function createExpiredError(): PlatenError {
  return new PlatenError(
    "gone",
    "The file expired before it could be written. Render the record again.",
  );
}

/** Only files of which nothing was sent yet, and no signed ones, which are always added. */
function canBeWrittenWithOthers({ row, document }: WriteBackTask): boolean {
  return (
    document.expiresAt > clock.date() &&
    row.files.length > 0 &&
    row.files.every((file) => file.state === "waiting" && !isSignedOutput(file))
  );
}

function hasSamePlace(task: WriteBackTask, other: WriteBackTask): boolean {
  return (
    task.mode === other.mode &&
    task.cell.tableId === other.cell.tableId &&
    task.cell.fieldId === other.cell.fieldId
  );
}
