import {
  errorText,
  PlatenError,
  type StartedRequest,
} from "../../plugin-api/index.js";
import { isAmbiguous, type OpenEsign } from "../../integrations/host/index.js";
import type { JobOutcome, RunningJob } from "../../queue/index.js";
import { changeRequest } from "../change-request.js";
import { endRequest } from "../end-request.js";
import type { EsignParts } from "../ports.js";
import { beginRequest } from "./begin-request.js";
import { readSource } from "./read-source.js";
import { requestOf } from "./request-of.js";
import { waitAfterRefusal } from "./wait-after-refusal.js";
import type { RequestRow } from "../request-row.js";

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
