import { buffer } from "node:stream/consumers";
import { In, LessThan } from "typeorm";
import { OutputStore, type StoredFile, toOutput } from "../documents/index.js";
import { ConnectionService } from "../integrations/connections/index.js";
import {
  type ConnectedEsign,
  findPlatformError,
  isAmbiguous,
} from "../integrations/host/index.js";
import { clock } from "../lib/clock.js";
import {
  inject,
  Lifecycle,
  scoped,
  createToken,
  provide,
} from "../lib/injection.js";
import {
  type EsignCapabilities,
  type FileStore,
  formatError,
  type Log,
  PlatenError,
  type RequestState,
  type SignedFile,
  type SignRequest,
  type StartedRequest,
} from "../plugin-api/index.js";
import {
  type JobOutcome,
  type Queue,
  type RunningJob,
  QUEUE,
} from "../queue/index.js";
import {
  Document,
  SeenNotice,
  SignatureRequest,
  type SigningSource,
  type Store,
  STORE,
} from "../storage/database/index.js";
import { FILE_STORE, LOG, CONFIG } from "../lib/process-values.js";
import {
  changeRequest,
  mergeSigners,
  type Outcome,
  releaseSource,
  RequestEnder,
  type RequestRow,
  SIGNATURE_JOB,
  toSignatureJob,
} from "./signature-request.js";

const SIGNATURE_WORKER_OPTIONS = createToken<SignatureWorkerOptions>(
  "SignatureWorkerOptions",
);
provide(SIGNATURE_WORKER_OPTIONS, (c) => c.resolve(CONFIG).signatures);

/** Requests that this process starts or polls at once; the plugin host limits the rate of each provider. */
const concurrency = 16;
const maxInterruptions = 50;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const rowsPerTransaction = 200;
/** A request overdue for this long may have lost its job. */
const forgottenMs = 10 * minuteMs;
/** Longer than any provider repeats a notice that was not answered. */
const noticeRetentionMs = 7 * 24 * hourMs;

/** After a longer pause between recording a start and making it, another process may have taken the request. */
const maxPauseMs = 10_000;

/** After so many consecutive polls that did not find it, the request counts as deleted at the provider. */
const maxMisses = 5;

/** How long to retry a request that cannot be sent. */
const giveUpMs = 3 * 24 * hourMs;

/** Databases support no later year than 9999. */
const latest = Date.UTC(9999, 0);

const extensions: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "application/json": "json",
  "application/zip": "zip",
};

/** Times in milliseconds. */
export interface SignatureWorkerOptions {
  /** The limit of one start. */
  timeoutMs: number;
  /** The waits before each retry of a start that was rejected for now; the last one repeats. */
  retryDelaysMs: readonly number[];
  /**
   * After a start without a response, the waits before each lookup of the request at the provider. Their sum is longer than
   * a start, so that no start is in progress any more when the request is sent again.
   */
  findWaitsMs: readonly number[];
  /** The shortest and the longest wait between two polls of a pending request. */
  pollMs: readonly [min: number, max: number];
  /** How long signed files and ended requests are kept. */
  retentionMs: number;
}

/** Starts signature requests at their provider, and polls them there until they have ended. */
@scoped(Lifecycle.ContainerScoped)
export class SignatureWorker {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(ConnectionService)
    private readonly connections: Pick<ConnectionService, "openEsign">,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(OutputStore) private readonly outputs: OutputStore,
    @inject(RequestEnder) private readonly ender: RequestEnder,
    @inject(LOG) private readonly log: Log,
    @inject(SIGNATURE_WORKER_OPTIONS)
    private readonly options: SignatureWorkerOptions,
  ) {}

  /** Call before the queue starts. */
  register(): void {
    this.queue.work(
      SIGNATURE_JOB,
      { concurrency, maxInterruptions },
      (job) => this.#work(job),
      (id, runs) => this.#endPoison(id, runs),
    );
    this.queue.every("signatures", minuteMs, () => this.requeueLost());
    this.queue.every("signature-retention", hourMs, (signal) =>
      this.deleteEnded(signal),
    );
  }

  /** Enqueues overdue requests, each only once in a while: its job may exist after all. */
  async requeueLost(now = clock.date()): Promise<void> {
    const rows = await this.store.read.find(SignatureRequest, {
      where: {
        status: In(["starting", "pending"]),
        nextLookAt: LessThan(new Date(now.getTime() - forgottenMs)),
      },
      select: { id: true, organizationId: true, batchId: true, status: true },
      order: { nextLookAt: "ASC" },
      take: rowsPerTransaction,
    });
    if (rows.length === 0) return;
    await this.store.unitOfWork.run(async (tx) => {
      await this.queue.enqueue(tx, rows.map(toSignatureJob));
      for (const { id, status } of rows)
        await changeRequest(tx, { id, status }, { nextLookAt: now });
    });
    this.queue.nudge(SIGNATURE_JOB);
  }

  /** Deletes requests whose files have expired too, with all personal data of the signers, and old notices. */
  async deleteEnded(signal: AbortSignal, now = clock.date()): Promise<void> {
    const { store } = this;
    const limit = Math.max(0, now.getTime() - this.options.retentionMs);
    const ended = { completedAt: LessThan(new Date(limit)) };
    while (!signal.aborted) {
      const rows = await store.read.find(SignatureRequest, {
        where: ended,
        select: { id: true },
        take: rowsPerTransaction,
      });
      const id = In(rows.map((row) => row.id));
      if (rows.length > 0)
        await store.unitOfWork.run((tx) =>
          tx.delete(SignatureRequest, { id, ...ended }),
        );
      if (rows.length < rowsPerTransaction) break;
    }
    const oldest = new Date(now.getTime() - noticeRetentionMs);
    await store.unitOfWork.run((tx) =>
      tx.delete(SeenNotice, { receivedAt: LessThan(oldest) }),
    );
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    const row = await this.#find(job.rowId);
    if (row?.status === "starting") return this.#start(row, job);
    if (row?.status === "pending") return this.#poll(row, job);
  }

  /** The process ended during each run. A request that may be at the provider is polled again later. */
  async #endPoison(id: string, runs: number): Promise<void> {
    const row = await this.#find(id);
    if (row === null) return;
    const { status, sentAt } = row;
    if (status === "starting" && sentAt === null) {
      const error = `The process that should send it ended ${runs} times. Render the document again.`;
      await this.ender.end(row, { status: "failed", error }, null);
    } else if (status === "starting" || status === "pending") {
      const nextLookAt = new Date(clock.now() + clock.pause(hourMs));
      await this.store.unitOfWork.run((tx) =>
        changeRequest(tx, { id, status }, { nextLookAt }),
      );
    }
  }

  #find(id: string): Promise<SignatureRequest | null> {
    return this.store.read.findOneBy(SignatureRequest, { id });
  }

  // Starting: the row records `sentAt` before each start and its result afterwards; a row found with `sentAt` is looked
  // up at the provider several times before it is sent again. So there is one request there, wherever a process is
  // killed.

  async #start(row: RequestRow, job: RunningJob): Promise<JobOutcome> {
    try {
      const { provider } = await this.connections.openEsign(
        row.organizationId,
        row.connectionId,
      );
      return row.sentAt === null
        ? await this.#send(row, job, provider)
        : await this.#findSent(row, job, provider);
    } catch (error) {
      // The queue retries unknown errors; the row then decides what to do.
      if (job.signal.aborted || !(error instanceof PlatenError)) throw error;
      return this.#retry(row, job, error, row.attempts + 1);
    }
  }

  /** Believes that the provider does not have it only after the last wait, since a provider may list it late. */
  async #findSent(
    row: RequestRow,
    job: RunningJob,
    provider: ConnectedEsign,
  ): Promise<JobOutcome> {
    const { signal } = job;
    const started = await provider.find(row.id, { signal });
    if (started !== null) return this.#recordStarted(row, provider, started);
    const lookups = row.lookups + 1;
    const wait = this.options.findWaitsMs[lookups];
    return wait === undefined
      ? this.#send(row, job, provider)
      : this.#recordOrGiveUp(row, { lookups, error: row.error }, wait);
  }

  async #send(
    row: RequestRow,
    job: RunningJob,
    provider: ConnectedEsign,
  ): Promise<JobOutcome> {
    if (row.expiresAt !== null && row.expiresAt <= clock.date())
      return this.#end(row, job, { status: "expired" });
    const bytes = await readSource(this.files, row.source);
    const request = toSignRequest(row, bytes, provider.capabilities);
    const sent = await this.#recordSent(row);
    if (sent === null) return { again: 0 };
    const { signal } = job;
    const limits = { signal, timeoutMs: this.options.timeoutMs };
    let started: StartedRequest;
    try {
      started = await provider.start(request, limits);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#handleStartFailure(sent, job, error);
    }
    return this.#recordStarted(sent, provider, started);
  }

  /** Null: another process has taken the request. */
  async #recordSent(row: RequestRow): Promise<RequestRow | null> {
    const { id, status, attempts } = row;
    const began = performance.now();
    const sentAt = clock.date();
    const changes = { sentAt, lookups: 0, attempts: attempts + 1 };
    const isOurs = await this.store.unitOfWork.run((tx) =>
      changeRequest(
        tx,
        { id, status, attempts },
        { ...changes, nextLookAt: sentAt },
      ),
    );
    const isLate = performance.now() - began > maxPauseMs;
    return isOurs && !isLate ? { ...row, ...changes } : null;
  }

  async #handleStartFailure(
    row: RequestRow,
    job: RunningJob,
    error: unknown,
  ): Promise<JobOutcome> {
    this.log.warn(
      { signatureId: row.id, err: error },
      "could not start a signature request",
    );
    if (!isAmbiguous(error))
      return this.#retry({ ...row, sentAt: null }, job, error, row.attempts);
    const [wait = 0] = this.options.findWaitsMs;
    return this.#record(row, { error: formatError(error) }, wait);
  }

  /** @param attempts failed ones, including this one. */
  async #retry(
    row: RequestRow,
    job: RunningJob,
    failure: unknown,
    attempts: number,
  ): Promise<JobOutcome> {
    const { sentAt } = row;
    const error = formatError(failure);
    // A request that may be at the provider is always looked up again, whatever the error.
    const isPermanent = failure instanceof PlatenError && !failure.retryable;
    if (sentAt === null && isPermanent)
      return this.#end(row, job, { status: "failed", error });
    const delays = this.options.retryDelaysMs;
    const planned = delays[attempts - 1] ?? delays.at(-1) ?? 0;
    const wait = Math.max(planned, getRetryAfterMs(failure));
    return this.#recordOrGiveUp(row, { error, sentAt, attempts }, wait);
  }

  /** Never directly after a start, which may have arrived: the request is looked up at least once. */
  async #recordOrGiveUp(
    row: RequestRow,
    changes: Partial<SignatureRequest>,
    wait: number,
  ): Promise<JobOutcome> {
    if (clock.now() - row.createdAt.getTime() <= giveUpMs)
      return this.#record(row, changes, wait);
    const reason = changes.error ?? "It could not be sent in time.";
    const unknown =
      "It was sent, but it is unknown whether it arrived. Check at the provider before you send the document again.";
    const error = row.sentAt === null ? reason : `${reason} ${unknown}`;
    return this.#end(row, null, { status: "failed", error });
  }

  /** The provider has the request: from now on it is polled, and the data that was only needed to send it is deleted. */
  async #recordStarted(
    row: RequestRow,
    provider: ConnectedEsign,
    started: StartedRequest,
  ): Promise<JobOutcome> {
    const at = clock.date();
    const wait = clock.pause(getPollWait(0, this.options.pollMs));
    const { externalId, signers, warnings = [] } = started;
    const unfilled = row.submitters.map((submitter) => ({
      ...submitter,
      values: {},
    }));
    const isOurs = await this.store.unitOfWork.run(async (tx) => {
      const expected = { id: row.id, status: "starting" } as const;
      const changes = {
        status: "pending" as const,
        externalId,
        submitters: mergeSigners(unfilled, signers),
        warnings: [...row.warnings, ...warnings],
        boxes: [],
        source: null,
        sentAt: null,
        lookups: 0,
        error: null,
        startedAt: at,
        updatedAt: at,
        nextLookAt: new Date(at.getTime() + wait),
      };
      if (!(await changeRequest(tx, expected, changes))) return false;
      await releaseSource(tx, row);
      return true;
    });
    if (isOurs) return { again: wait };
    await this.#withdrawDuplicate(row, provider, started);
  }

  /** Another process has started the request as well: the one that this process started would never be polled. */
  async #withdrawDuplicate(
    { id }: SignatureRequest,
    provider: ConnectedEsign,
    { externalId }: StartedRequest,
  ): Promise<void> {
    const row = await this.#find(id);
    if (row?.externalId === externalId) return;
    this.log.warn(
      { signatureId: id, externalId },
      "withdrawing a duplicate signature request",
    );
    await provider.cancel(externalId).catch((error: unknown) => {
      this.log.error(
        { signatureId: id, externalId, err: error },
        "could not withdraw a duplicate signature request",
      );
    });
  }

  // Polling: the request ends here when it has ended at its provider or has expired.

  async #poll(row: RequestRow, job: RunningJob): Promise<JobOutcome> {
    const { signal } = job;
    try {
      const { provider } = await this.connections.openEsign(
        row.organizationId,
        row.connectionId,
      );
      const state = await provider.status(row.externalId ?? "", { signal });
      return await this.#apply(row, job, provider, state);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#handlePollFailure(row, job, error);
    }
  }

  async #apply(
    row: RequestRow,
    job: RunningJob,
    provider: ConnectedEsign,
    { status, signers }: RequestState,
  ): Promise<JobOutcome> {
    const submitters = mergeSigners(row.submitters, signers);
    if (status === "completed")
      return this.#complete({ ...row, submitters }, job, provider);
    if (status !== "pending")
      return this.#end(row, job, { status, submitters });
    if (row.expiresAt === null || row.expiresAt > clock.date())
      return this.#record(
        row,
        { submitters, lookups: 0, error: null },
        this.#getWait(row, null),
      );
    // A provider that cannot withdraw a request expires it by itself; `checkExpiry` made sure of that.
    if (provider.capabilities.cancel)
      await provider.cancel(row.externalId ?? "", { signal: job.signal });
    return this.#end(row, job, { status: "expired", submitters });
  }

  /** Downloads the signed files at once, since providers' links to them are valid for minutes. */
  async #complete(
    row: RequestRow,
    job: RunningJob,
    provider: ConnectedEsign,
  ): Promise<JobOutcome> {
    const { id, externalId, submitters } = row;
    const { signal } = job;
    try {
      const files = await provider.download(externalId ?? "", { signal });
      const { saved, keepUntil } = await this.#save(row, files);
      const outputs = saved.map(toOutput);
      const status = "completed";
      const outcome: Outcome = { status, submitters, outputs, keepUntil };
      if (!(await this.ender.end(row, outcome, job)))
        await this.outputs.remove(saved);
    } catch (error) {
      if (signal.aborted) throw error;
      this.log.warn(
        { signatureId: id, err: error },
        "could not fetch signed files",
      );
      // The provider may still be creating them, so they are fetched again soon, however old the request is.
      const [minWait] = this.options.pollMs;
      const wait = Math.max(minWait, getRetryAfterMs(error));
      return this.#record(row, { submitters, error: formatError(error) }, wait);
    }
  }

  /** Stores the signed files, each under its label. No row names them yet; a sweep deletes those never recorded. */
  async #save(
    { documentId: id }: SignatureRequest,
    files: readonly SignedFile[],
  ) {
    const { fileName } = await this.store.read.findOneByOrFail(Document, {
      id,
    });
    const until = clock.now() + this.options.retentionMs;
    const keepUntil = new Date(Math.min(until, latest));
    const saved: StoredFile[] = [];
    for (const { label, mimeType, bytes } of files) {
      const document = {
        documentId: id,
        fileName: `${fileName ?? "document"}-${label}`,
        expiresAt: keepUntil,
      };
      const file = {
        format: "pdf" as const,
        label,
        mimeType,
        extension: extensions[mimeType] ?? "bin",
        bytes: Buffer.from(bytes),
      };
      saved.push(...(await this.outputs.save(document, [file])));
    }
    return { saved, keepUntil };
  }

  async #handlePollFailure(
    row: RequestRow,
    job: RunningJob,
    failure: unknown,
  ): Promise<JobOutcome> {
    this.log.warn(
      { signatureId: row.id, err: failure },
      "could not poll a signature request",
    );
    if (failure instanceof PlatenError && failure.code === "not_found")
      return this.#end(row, job, {
        status: "failed",
        error:
          "Its connection was deleted, so its state at the provider is unknown.",
      });
    const error = formatError(failure);
    if (findPlatformError(failure)?.code !== "not_found")
      return this.#record(row, { error }, this.#getWait(row, failure));
    const lookups = row.lookups + 1;
    if (lookups >= maxMisses)
      return this.#end(row, job, { status: "canceled", error });
    const [, maxWait] = this.options.pollMs;
    return this.#record(row, { lookups, error }, maxWait);
  }

  /** The wait before the next poll: no later than the expiry, and no sooner than the provider asks for. */
  #getWait({ startedAt, expiresAt }: SignatureRequest, error: unknown): number {
    const now = clock.now();
    const age = startedAt === null ? 0 : now - startedAt.getTime();
    const wait = getPollWait(age, this.options.pollMs);
    const left = expiresAt === null ? Infinity : expiresAt.getTime() - now;
    const soon = left > 0 ? Math.min(wait, left) : wait;
    return Math.max(soon, getRetryAfterMs(error));
  }

  async #end(
    row: RequestRow,
    job: RunningJob | null,
    outcome: Outcome,
  ): Promise<void> {
    await this.ender.end(row, outcome, job);
  }

  /** Does nothing when the row has ended, or was sent again, since it was read. */
  async #record(
    { id, status, attempts }: SignatureRequest,
    changes: Partial<SignatureRequest>,
    wait: number,
  ): Promise<JobOutcome> {
    const again = clock.pause(wait);
    const nextLookAt = new Date(clock.now() + again);
    await this.store.unitOfWork.run((tx) =>
      changeRequest(tx, { id, status, attempts }, { ...changes, nextLookAt }),
    );
    return { again };
  }
}

/** @throws PlatenError `gone` when the file was removed from the store. */
async function readSource(
  files: FileStore,
  source: SigningSource | null,
): Promise<Uint8Array> {
  const file = source === null ? null : await files.open(source.storageKey);
  if (file !== null) return buffer(file.stream);
  throw new PlatenError(
    "gone",
    "The PDF to sign is no longer in the file store. Render the document again.",
  );
}

function toSignRequest(
  row: RequestRow,
  bytes: Uint8Array,
  { expiry }: EsignCapabilities,
): SignRequest {
  const { id, title, expiresAt, message, boxes, submitters, source } = row;
  const name = `${source?.fileName ?? "document"}.pdf`;
  // Otherwise `#apply` expires it.
  const hasExpiry = expiresAt !== null && expiry !== "none";
  return {
    requestId: id,
    title,
    ...(hasExpiry && { expiresAt }),
    pdf: { name, bytes, pages: source?.pages ?? 1 },
    fields: boxes,
    submitters: submitters.map(
      ({ role, email, name: signer, order, values }) => ({
        role,
        email,
        order,
        ...(signer !== null && { name: signer }),
        ...(Object.keys(values).length > 0 && { values }),
      }),
    ),
    ...(message !== null && { message }),
    ...(source?.redirectUrl !== undefined && {
      redirectUrl: source.redirectUrl,
    }),
  };
}

function getRetryAfterMs(error: unknown): number {
  const seconds =
    error instanceof PlatenError ? error.retryAfterSeconds : undefined;
  return (seconds ?? 0) * 1000;
}

/**
 * The wait before the next poll of a request of this age, in milliseconds: a tenth of its age, so that an early signature
 * is noticed early and a request that is open for weeks costs little.
 */
function getPollWait(
  ageMs: number,
  [min, max]: readonly [min: number, max: number],
): number {
  return Math.round(Math.min(Math.max(ageMs / 10, min), max));
}
