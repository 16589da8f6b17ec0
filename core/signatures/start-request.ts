import { buffer } from "node:stream/consumers";
import {
  isAmbiguous,
  type ConnectedEsign,
} from "../integrations/host/index.js";
import {
  formatError,
  PlatenError,
  type StartedRequest,
  type FileStore,
  type EsignCapabilities,
  type SignRequest,
} from "../plugin-api/index.js";
import type { JobOutcome, RunningJob } from "../queue/index.js";
import {
  SignatureRequest,
  type SigningSource,
} from "../storage/database/index.js";
import type { SignaturePorts, RequestRow } from "./ports.js";
import {
  changeRequest,
  endRequest,
  type Outcome,
  releaseSource,
  mergeSigners,
} from "./signature-request.js";
import { getPollWait } from "./watch-request.js";

/** After a longer pause between recording a start and making it, another process may have taken the request. */
const maxPauseMs = 10_000;

/**
 * Starts one request at its provider. The row records `sentAt` before each start and its result afterwards; a row found
 * with `sentAt` is looked up at the provider several times before it is sent again. So there is one request there,
 * wherever a process is killed.
 */
export class RequestStarter {
  constructor(private readonly ports: SignaturePorts) {}

  async work(row: RequestRow, job: RunningJob): Promise<JobOutcome> {
    const { organizationId, connectionId } = row;
    try {
      const { provider } = await this.ports.connections.openEsign(
        organizationId,
        connectionId,
      );
      return row.sentAt === null
        ? await this.#send(row, job, provider)
        : await this.#find(row, job, provider);
    } catch (error) {
      // The queue retries unknown errors; the row then decides what to do.
      if (job.signal.aborted || !(error instanceof PlatenError)) throw error;
      return this.#retry(row, job, error, row.attempts + 1);
    }
  }

  /** Believes that the provider does not have it only after the last wait, since a provider may list it late. */
  async #find(
    row: RequestRow,
    job: RunningJob,
    provider: ConnectedEsign,
  ): Promise<JobOutcome> {
    const { signal } = job;
    const found = await provider.find(row.id, { signal });
    if (found !== null) return recordStarted(this.ports, row, provider, found);
    const lookups = row.lookups + 1;
    const wait = this.ports.times.findWaitsMs[lookups];
    return wait === undefined
      ? this.#send(row, job, provider)
      : this.#recordOrGiveUp(row, { lookups, error: row.error }, wait);
  }

  async #send(
    row: RequestRow,
    job: RunningJob,
    provider: ConnectedEsign,
  ): Promise<JobOutcome> {
    const { now, times, files } = this.ports;
    if (row.expiresAt !== null && row.expiresAt <= now())
      return this.#end(row, job, { status: "expired" });
    const bytes = await readSource(files, row.source);
    const request = toSignRequest(row, bytes, provider.capabilities);
    const sent = await this.#recordSent(row);
    if (sent === null) return { again: 0 };
    const { signal } = job;
    const limits = { signal, timeoutMs: times.startTimeoutMs };
    let started: StartedRequest;
    try {
      started = await provider.start(request, limits);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#handleStartFailure(sent, job, error);
    }
    return recordStarted(this.ports, sent, provider, started);
  }

  /** Null: another process has taken the request. */
  async #recordSent(row: RequestRow): Promise<RequestRow | null> {
    const { store, now } = this.ports;
    const { id, status, attempts } = row;
    const began = performance.now();
    const sentAt = now();
    const changes = { sentAt, lookups: 0, attempts: attempts + 1 };
    const isOurs = await store.unitOfWork.run((tx) =>
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
    const { log, times } = this.ports;
    log.warn(
      { signatureId: row.id, err: error },
      "could not start a signature request",
    );
    if (!isAmbiguous(error))
      return this.#retry({ ...row, sentAt: null }, job, error, row.attempts);
    const [wait = 0] = times.findWaitsMs;
    return this.#record(row, { error: formatError(error) }, wait);
  }

  /** @param attempts failed ones, including this one. */
  async #retry(
    row: RequestRow,
    job: RunningJob,
    error: unknown,
    attempts: number,
  ): Promise<JobOutcome> {
    const { sentAt } = row;
    const { startDelaysMs } = this.ports.times;
    const wait = getRetryWait(error, { sentAt, attempts }, startDelaysMs);
    const text = formatError(error);
    if (wait === null)
      return this.#end(row, job, { status: "failed", error: text });
    return this.#recordOrGiveUp(row, { error: text, sentAt, attempts }, wait);
  }

  /** Never directly after a start, which may have arrived: the request is looked up at least once. */
  async #recordOrGiveUp(
    row: RequestRow,
    changes: Partial<RequestRow>,
    wait: number,
  ): Promise<JobOutcome> {
    const { now, times } = this.ports;
    const age = now().getTime() - row.createdAt.getTime();
    if (age <= times.giveUpMs) return this.#record(row, changes, wait);
    const reason = changes.error ?? "It could not be sent in time.";
    const unknown =
      "It was sent, but it is unknown whether it arrived. Check at the provider before you send the document again.";
    const error = row.sentAt === null ? reason : `${reason} ${unknown}`;
    return this.#end(row, null, { status: "failed", error });
  }

  async #end(
    row: RequestRow,
    job: RunningJob | null,
    outcome: Outcome,
  ): Promise<void> {
    await endRequest(this.ports, row, outcome, job);
  }

  async #record(
    row: RequestRow,
    changes: Partial<RequestRow>,
    wait: number,
  ): Promise<JobOutcome> {
    const { store, now } = this.ports;
    const { id, status, attempts } = row;
    const nextLookAt = new Date(now().getTime() + wait);
    await store.unitOfWork.run((tx) =>
      changeRequest(tx, { id, status, attempts }, { ...changes, nextLookAt }),
    );
    return { again: wait };
  }
}

/** The provider has the request: from now on it is polled, and the data that was only needed to send it is deleted. */
async function recordStarted(
  ports: SignaturePorts,
  row: SignatureRequest,
  provider: ConnectedEsign,
  started: StartedRequest,
): Promise<JobOutcome> {
  const { store, times, now } = ports;
  const at = now();
  const wait = getPollWait(0, times.pollMs);
  const { externalId, signers, warnings = [] } = started;
  const unfilled = row.submitters.map((one) => ({ ...one, values: {} }));
  const isOurs = await store.unitOfWork.run(async (tx) => {
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
  await withdrawDuplicate(ports, row, provider, started);
}

/** Another process has started the request as well: the one that this process started would never be polled. */
async function withdrawDuplicate(
  { store, log }: SignaturePorts,
  { id }: SignatureRequest,
  provider: ConnectedEsign,
  { externalId }: StartedRequest,
): Promise<void> {
  const row = await store.read.findOneBy(SignatureRequest, { id });
  if (row?.externalId === externalId) return;
  log.warn(
    { signatureId: id, externalId },
    "withdrawing a duplicate signature request",
  );
  await provider.cancel(externalId).catch((error: unknown) => {
    log.error(
      { signatureId: id, externalId, err: error },
      "could not withdraw a duplicate signature request",
    );
  });
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

/** The request for the provider. */
function toSignRequest(
  row: SignatureRequest,
  bytes: Uint8Array,
  { expiry }: EsignCapabilities,
): SignRequest {
  const { id, title, expiresAt, message, boxes, submitters, source } = row;
  const name = `${source?.fileName ?? "document"}.pdf`;
  // Otherwise `RequestWatcher` expires it.
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
  };
}

/**
 * The wait before the next attempt, in milliseconds; null when a retry cannot help. A request that may be at the provider
 * is always looked up again, whatever the error.
 */
function getRetryWait(
  error: unknown,
  { sentAt, attempts }: Pick<SignatureRequest, "sentAt" | "attempts">,
  delaysMs: readonly number[],
): number | null {
  const isKnown = error instanceof PlatenError;
  if (sentAt === null && isKnown && !error.retryable) return null;
  const planned = delaysMs[attempts - 1] ?? delaysMs.at(-1) ?? 0;
  const asked = isKnown ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return Math.max(planned, asked);
}
