import type { SavedFile } from "../documents/index.js";
import {
  type ConnectedEsign,
  findPlatformError,
} from "../integrations/host/index.js";
import {
  formatError,
  PlatenError,
  type RequestState,
  type SignedFile,
} from "../plugin-api/index.js";
import type { JobOutcome, RunningJob } from "../queue/index.js";
import { Document } from "../storage/database/index.js";
import type { SignaturePorts, RequestRow } from "./ports.js";
import {
  changeRequest,
  type Outcome,
  endRequest,
  mergeSigners,
} from "./signature-request.js";

/** After so many consecutive polls that did not find it, the request counts as deleted at the provider. */
const maxMisses = 5;

/** Databases support no later year than 9999. */
const latest = Date.UTC(9999, 0);

const extensions: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "application/json": "json",
  "application/zip": "zip",
};

/** Polls one request at its provider, and ends it when it has ended there or has expired. */
export class RequestWatcher {
  constructor(private readonly ports: SignaturePorts) {}

  async work(row: RequestRow, job: RunningJob): Promise<JobOutcome> {
    const { organizationId, connectionId } = row;
    const { signal } = job;
    try {
      const { provider } = await this.ports.connections.openEsign(
        organizationId,
        connectionId,
      );
      const state = await provider.status(row.externalId ?? "", { signal });
      return await this.#apply(row, job, provider, state);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.#handleFailure(row, job, error);
    }
  }

  async #apply(
    row: RequestRow,
    job: RunningJob,
    provider: ConnectedEsign,
    state: RequestState,
  ): Promise<JobOutcome> {
    const submitters = mergeSigners(row.submitters, state.signers);
    const { status } = state;
    if (status === "completed")
      return this.#complete({ ...row, submitters }, job, provider);
    if (status !== "pending")
      return this.#end(row, job, { status, submitters });
    if (row.expiresAt === null || row.expiresAt > this.ports.now())
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
      const saved = await this.#save(row, files);
      const status = "completed";
      const outcome: Outcome = { status, submitters, ...saved };
      if (!(await endRequest(this.ports, row, outcome, job)))
        await saved.remove();
    } catch (error) {
      if (signal.aborted) throw error;
      const { log, times } = this.ports;
      log.warn({ signatureId: id, err: error }, "could not fetch signed files");
      // The provider may still be creating them, so they are fetched again soon, however old the request is.
      const wait = Math.max(times.pollMs[0], getRetryAfterMs(error));
      return this.#record(row, { submitters, error: formatError(error) }, wait);
    }
  }

  /** Stores the signed files, each under its label. No row names them yet; a sweep deletes those never recorded. */
  async #save({ documentId: id }: RequestRow, files: readonly SignedFile[]) {
    const { store, outputs, times, now } = this.ports;
    const { fileName } = await store.read.findOneByOrFail(Document, { id });
    if (!files.some(({ label }) => label === "signed"))
      throw new PlatenError(
        "internal",
        "The provider returned no signed file.",
      );
    const until = now().getTime() + times.retentionMs;
    const keepUntil = new Date(Math.min(until, latest));
    const saved: SavedFile[] = [];
    for (const { label, mimeType, bytes } of files) {
      const document = {
        documentId: id,
        fileName: `${fileName ?? "document"}-${label}`,
        expiresAt: keepUntil,
      };
      const artifact = {
        format: "pdf" as const,
        label,
        mimeType,
        extension: extensions[mimeType] ?? "bin",
        bytes: Buffer.from(bytes),
      };
      saved.push(...(await outputs.save(document, [artifact])));
    }
    return {
      outputs: saved.map(({ output }) => output),
      keepUntil,
      remove: () => outputs.remove(saved),
    };
  }

  async #handleFailure(
    row: RequestRow,
    job: RunningJob,
    error: unknown,
  ): Promise<JobOutcome> {
    const { id } = row;
    this.ports.log.warn(
      { signatureId: id, err: error },
      "could not poll a signature request",
    );
    const text = formatError(error);
    if (error instanceof PlatenError && error.code === "not_found")
      return this.#end(row, job, {
        status: "failed",
        error:
          "Its connection was deleted, so its state at the provider is unknown.",
      });
    if (findPlatformError(error)?.code !== "not_found")
      return this.#record(row, { error: text }, this.#getWait(row, error));
    const lookups = row.lookups + 1;
    if (lookups >= maxMisses)
      return this.#end(row, job, { status: "canceled", error: text });
    const [, max] = this.ports.times.pollMs;
    return this.#record(row, { lookups, error: text }, max);
  }

  async #record(
    row: RequestRow,
    changes: Partial<RequestRow>,
    wait: number,
  ): Promise<JobOutcome> {
    const { store, now } = this.ports;
    const at = now();
    const { id, status } = row;
    const nextLookAt = new Date(at.getTime() + wait);
    await store.unitOfWork.run((tx) =>
      changeRequest(
        tx,
        { id, status },
        { ...changes, nextLookAt, updatedAt: at },
      ),
    );
    return { again: wait };
  }

  /** No later than its expiry, and no sooner than the provider asks for. */
  #getWait({ startedAt, expiresAt }: RequestRow, error: unknown): number {
    const at = this.ports.now();
    const age = at.getTime() - (startedAt ?? at).getTime();
    const wait = getPollWait(age, this.ports.times.pollMs);
    const left =
      expiresAt === null ? Infinity : expiresAt.getTime() - at.getTime();
    const soon = left > 0 ? Math.min(wait, left) : wait;
    return Math.max(soon, getRetryAfterMs(error));
  }

  async #end(
    row: RequestRow,
    job: RunningJob,
    outcome: Outcome,
  ): Promise<void> {
    await endRequest(this.ports, row, outcome, job);
  }
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
export function getPollWait(
  ageMs: number,
  [min, max]: readonly [min: number, max: number],
): number {
  return Math.round(Math.min(Math.max(ageMs / 10, min), max));
}
