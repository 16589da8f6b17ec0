import {
  errorText,
  type FileStore,
  type Log,
  PlatenError,
} from "../../../plugin-api/index.js";
import type { JobOutcome, RunningJob } from "../../../queue/index.js";
import { type Store, WriteBack } from "../../../storage/database/index.js";
import type { Connections } from "../connections.js";
import type { PlatformCounts } from "../platform-counts.js";
import { CellWriter } from "./cell-writer.js";
import { laterMs } from "../later.js";
import { endWriteBack, type WriteBackEnd } from "./end-write-back.js";
import { outgoingFiles } from "./outgoing-files.js";
import { findTask, type WriteBackTask } from "./task.js";

export interface WriteBackParts {
  store: Store;
  files: FileStore;
  connections: Connections;
  /** Whether platforms can fetch what our links lead to. */
  isPublic: boolean;
  counts: PlatformCounts;
  log: Log;
}

/** Writes one document's files into its record for each job, and says how it ended. */
export class WriteBackWorker {
  constructor(
    private readonly parts: WriteBackParts,
    /** Before each retry; after the last, it has failed. */
    private readonly delaysMs: readonly number[],
  ) {}

  async work(job: RunningJob): Promise<JobOutcome> {
    const task = await findTask(this.parts.store.read, job.rowId);
    if (task === null) return;
    try {
      await this.#write(task, job.signal);
    } catch (error) {
      if (job.signal.aborted) throw error;
      return this.#afterFailure(job, task, error);
    }
    await this.#end(job, task, { status: "succeeded" });
  }

  /** A write-back under which its process ended time after time. */
  async poison(documentId: string, attempts: number): Promise<void> {
    const task = await findTask(this.parts.store.read, documentId);
    if (task === null) return;
    const error = `The process that wrote this file ended ${attempts} times. Try the write-back again.`;
    await this.parts.store.unitOfWork.run((tx) =>
      endWriteBack(tx, placeOf(task), { status: "failed", error }),
    );
  }

  async #write(task: WriteBackTask, signal: AbortSignal): Promise<void> {
    const { store, files, connections, isPublic } = this.parts;
    const { organizationId, connectionId } = task.order;
    const { platform } = await connections.open(organizationId, connectionId);
    // A link in a cell is for people, who may be where the service is.
    const isLink = platform.capabilities.attachments === "link-cell";
    const parts = { files, hasLinks: isPublic || isLink };
    const outgoing = outgoingFiles(parts, task.document, new Date());
    await new CellWriter(store, platform, task, signal).write(outgoing);
  }

  async #afterFailure(
    job: RunningJob,
    task: WriteBackTask,
    error: unknown,
  ): Promise<JobOutcome> {
    const { documentId, batchId, attempts } = task.row;
    const { log, store } = this.parts;
    log.warn({ documentId, batchId, attempts, err: error }, "no write-back");
    const later = laterMs(error);
    if (later !== null) return { again: later };
    const text = errorText(error);
    const delay = this.delaysMs[attempts];
    if (!isRetryable(error) || delay === undefined)
      return this.#end(job, task, { status: "failed", error: text });
    const failure = {
      attempts: attempts + 1,
      error: text,
      updatedAt: new Date(),
    };
    await store.unitOfWork.run((tx) =>
      tx.update(WriteBack, { documentId, status: "pending" }, failure),
    );
    this.parts.counts.writeBack("retried");
    return { again: delay };
  }

  async #end(
    job: RunningJob,
    task: WriteBackTask,
    end: WriteBackEnd,
  ): Promise<void> {
    await this.parts.store.unitOfWork.run(async (tx) => {
      await job.complete(tx);
      await endWriteBack(tx, placeOf(task), end);
    });
    this.parts.counts.writeBack(end.status);
  }
}

function placeOf({ row, order }: WriteBackTask) {
  return { row, field: order.fieldName ?? "" };
}

/** What is not ours to understand may pass. */
function isRetryable(error: unknown): boolean {
  return !(error instanceof PlatenError) || error.retryable;
}
