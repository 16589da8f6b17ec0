import {
  Deadline,
  errorText,
  type Log,
  PlatenError,
} from "../plugin-api/index.js";
import type { RenderQueued, Signing } from "../documents/index.js";
import type { EventNudge } from "../webhooks/index.js";
import type { JobOutcome, Queue, RunningJob } from "../queue/index.js";
import type { Store } from "../storage/database/index.js";
import type { BatchContext, BatchContexts } from "./batch-contexts.js";
import { cancelled } from "./cancel-batch.js";
import {
  type ClaimDocuments,
  type ClaimedDocument,
  claimsOfDocuments,
  type DocumentClaim,
} from "./claim-documents.js";
import type { DatabaseClock } from "./database-clock.js";
import { type BadEnd, endDocuments } from "./end-documents.js";
import { type Successes, successesOf } from "./end-succeeded.js";
import { expired } from "./expired.js";
import { mostInterruptions, poisoned } from "./poisoned.js";
import { putBack } from "./put-back.js";
import type { RecordSource } from "./record-source.js";
import { Solitude } from "./solitude.js";

export interface WorkerParts {
  store: Store;
  queue: Pick<Queue, "forget">;
  contexts: BatchContexts;
  clock: DatabaseClock;
  renderQueued: RenderQueued;
  events: EventNudge;
  records: RecordSource;
  signing: Pick<Signing, "nudge">;
  log: Log;
}

export interface WorkerLimits {
  renderTimeoutMs: number;
  /** How long a document waits before its first, second and third retry. */
  retryDelaysMs: readonly number[];
}

const busyDelayMs = 1000;
const claimLostDelayMs = 1000;

/** Renders one document of a batch for each job, and says how it ended. */
export class DocumentWorker {
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
      await job.forget(tx);
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
