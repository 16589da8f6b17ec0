import { buffer } from "node:stream/consumers";
import { isAmbiguous, type OpenEsign } from "../integrations/host/index.js";
import {
  errorText,
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
  type RequestSubmitter,
} from "../storage/database/index.js";
import type { EsignParts, RequestRow } from "./ports.js";
import {
  changeRequest,
  endRequest,
  letSourceGo,
  mergeSigners,
} from "./signature-request.js";
import { pollWait } from "./watch-request.js";

/** Whoever slept so long between the note and the call may have lost the request to another process. */
const longestPauseMs = 10_000;

/**
 * Brings one request to its provider. Before each start the row notes that it is sent, and what came of it after; a
 * row that is found as sent is looked for at the provider, several times, before it is sent anew. So there is one
 * request there, wherever a process is killed.
 */
export class RequestStarter {
  constructor(private readonly parts: EsignParts) {}

  async work(row: RequestRow, job: RunningJob): Promise<JobOutcome> {
    const { organizationId, connectionId } = row;
    try {
      const { provider } = await this.parts.connections.openEsign(
        organizationId,
        connectionId,
      );
      return row.sentAt === null
        ? await this.send(row, job, provider)
        : await this.find(row, job, provider);
    } catch (error) {
      // What is no refusal, the queue tries again; what the row says by then decides.
      if (job.signal.aborted || !(error instanceof PlatenError)) throw error;
      return this.retry(row, job, error, row.attempts + 1);
    }
  }

  /** A null is believed only after the last wait: a provider may show late what it has. */
  private async find(
    row: RequestRow,
    job: RunningJob,
    provider: OpenEsign,
  ): Promise<JobOutcome> {
    const { signal } = job;
    const found = await provider.find(row.id, { signal });
    if (found !== null) return beginRequest(this.parts, row, provider, found);
    const lookups = row.lookups + 1;
    const wait = this.parts.times.findWaitsMs[lookups];
    return wait === undefined
      ? this.send(row, job, provider)
      : this.noteOrGiveUp(row, { lookups, error: row.error }, wait);
  }

  private async send(
    row: RequestRow,
    job: RunningJob,
    provider: OpenEsign,
  ): Promise<JobOutcome> {
    const { now, times, files } = this.parts;
    if (row.expiresAt !== null && row.expiresAt <= now())
      return this.end(row, job, "expired", null);
    const bytes = await readSource(files, row.source);
    const request = requestOf(row, bytes, provider.capabilities);
    const sent = await this.noteSent(row);
    if (sent === null) return { again: 0 };
    const { signal } = job;
    const limits = { signal, timeoutMs: times.startTimeoutMs };
    let started: StartedRequest;
    try {
      started = await provider.start(request, limits);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.afterStart(sent, job, error);
    }
    return beginRequest(this.parts, sent, provider, started);
  }

  /** Null: it is not ours to send any more. */
  private async noteSent(row: RequestRow): Promise<RequestRow | null> {
    const { store, now } = this.parts;
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
    const isLate = performance.now() - began > longestPauseMs;
    return isOurs && !isLate ? { ...row, ...changes } : null;
  }

  /** Whether something may be there decides what is done next. */
  private async afterStart(
    row: RequestRow,
    job: RunningJob,
    error: unknown,
  ): Promise<JobOutcome> {
    const { log, times } = this.parts;
    log.warn({ signatureId: row.id, err: error }, "no answer, or a refusal");
    if (!isAmbiguous(error))
      return this.retry({ ...row, sentAt: null }, job, error, row.attempts);
    const [wait = 0] = times.findWaitsMs;
    return this.note(row, { error: errorText(error) }, wait);
  }

  /** @param attempts those that failed, this one included. */
  private async retry(
    row: RequestRow,
    job: RunningJob,
    error: unknown,
    attempts: number,
  ): Promise<JobOutcome> {
    const { sentAt } = row;
    const { startDelaysMs } = this.parts.times;
    const wait = waitAfterRefusal(error, { sentAt, attempts }, startDelaysMs);
    const text = errorText(error);
    if (wait === null) return this.end(row, job, "failed", text);
    return this.noteOrGiveUp(row, { error: text, sentAt, attempts }, wait);
  }

  /** Not straight after a start: what may have arrived is looked for once at least. */
  private async noteOrGiveUp(
    row: RequestRow,
    changes: Partial<RequestRow>,
    wait: number,
  ): Promise<JobOutcome> {
    const { now, times } = this.parts;
    const age = now().getTime() - row.createdAt.getTime();
    return age > times.giveUpMs
      ? this.end(row, null, "failed", lastWords(row, changes.error))
      : this.note(row, changes, wait);
  }

  private async note(
    row: RequestRow,
    changes: Partial<RequestRow>,
    wait: number,
  ): Promise<JobOutcome> {
    const { store, now } = this.parts;
    const { id, status, attempts } = row;
    const nextLookAt = new Date(now().getTime() + wait);
    await store.unitOfWork.run((tx) =>
      changeRequest(tx, { id, status, attempts }, { ...changes, nextLookAt }),
    );
    return { again: wait };
  }

  private async end(
    row: RequestRow,
    job: RunningJob | null,
    status: "expired" | "failed",
    error: string | null,
  ): Promise<void> {
    await endRequest(this.parts, row, { status, error }, job);
  }
}

function lastWords(
  { sentAt }: RequestRow,
  error: string | null | undefined,
): string {
  const reason = error ?? "It could not be sent in time.";
  return sentAt === null
    ? reason
    : `${reason} It was sent, and whether it arrived is not known: look at the provider's before you send the document again.`;
}

/** The provider has the request: from now on it is watched, and what was only there to be sent is forgotten. */
async function beginRequest(
  parts: EsignParts,
  row: SignatureRequest,
  provider: OpenEsign,
  started: StartedRequest,
): Promise<JobOutcome> {
  const { store, times, now } = parts;
  const at = now();
  const wait = pollWait(0, times.pollMs);
  const isOurs = await store.unitOfWork.run(async (tx) => {
    const { id } = row;
    const changes = {
      ...begun(row, started),
      startedAt: at,
      updatedAt: at,
      nextLookAt: new Date(at.getTime() + wait),
    };
    if (!(await changeRequest(tx, { id, status: "starting" }, changes)))
      return false;
    await letSourceGo(tx, row);
    return true;
  });
  if (isOurs) return { again: wait };
  await withdrawSecond(parts, row, provider, started);
}

function begun(
  row: SignatureRequest,
  { externalId, signers, warnings = [] }: StartedRequest,
) {
  const unfilled = row.submitters.map((one) => ({ ...one, values: {} }));
  return {
    status: "pending" as const,
    externalId,
    submitters: mergeSigners(unfilled, signers),
    warnings: [...row.warnings, ...warnings],
    boxes: [],
    source: null,
    sentAt: null,
    lookups: 0,
    error: null,
  };
}

/** Another process has begun it while this one was away: what this one has started nobody would watch. */
async function withdrawSecond(
  { store, log }: EsignParts,
  { id }: SignatureRequest,
  provider: OpenEsign,
  { externalId }: StartedRequest,
): Promise<void> {
  const row = await store.read.findOneBy(SignatureRequest, { id });
  if (row?.externalId === externalId) return;
  log.warn({ signatureId: id, externalId }, "a second signature is withdrawn");
  await provider.cancel(externalId).catch((error: unknown) => {
    log.error({ signatureId: id, externalId, err: error }, "not withdrawn");
  });
}

/** @throws PlatenError `gone` when somebody has taken the file out of the store. */
async function readSource(
  files: FileStore,
  source: SigningSource | null,
): Promise<Uint8Array> {
  const file = source === null ? null : await files.open(source.storageKey);
  if (file !== null) return buffer(file.stream);
  throw new PlatenError(
    "gone",
    "The PDF that was to be signed is not in the file store any more. Render the document again.",
  );
}

/** A request as the provider is to have it. */
function requestOf(
  row: SignatureRequest,
  bytes: Uint8Array,
  { expiry }: EsignCapabilities,
): SignRequest {
  const { id, title, expiresAt, message, boxes, submitters, source } = row;
  const name = `${source?.fileName ?? "document"}.pdf`;
  // Where the provider ends none by itself, the watch does.
  const isTold = expiresAt !== null && expiry !== "none";
  return {
    requestId: id,
    title,
    ...(isTold && { expiresAt }),
    pdf: { name, bytes, pages: source?.pages ?? 1 },
    fields: boxes,
    submitters: submitters.map(submitterOf),
    ...(message !== null && { message }),
  };
}

function submitterOf({ role, email, name, order, values }: RequestSubmitter) {
  return {
    role,
    email,
    order,
    ...(name !== null && { name }),
    ...(Object.keys(values).length > 0 && { values }),
  };
}

/**
 * When to try again after a failure that has surely left nothing at the provider, in milliseconds; null: trying does not
 * help. What may be there already is looked for whatever the provider says.
 */
function waitAfterRefusal(
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
