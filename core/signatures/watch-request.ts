import type { SavedFile } from "../documents/index.js";
import { type OpenEsign, platformErrorOf } from "../integrations/host/index.js";
import {
  errorText,
  PlatenError,
  type RequestState,
  type Output,
  type SignedFile,
} from "../plugin-api/index.js";
import type { JobOutcome, RunningJob } from "../queue/index.js";
import { Document, type SignatureRequest } from "../storage/database/index.js";
import type { EsignParts, RequestRow } from "./ports.js";
import {
  changeRequest,
  type Outcome,
  endRequest,
  mergeSigners,
} from "./signature-request.js";

/** After so many consecutive polls that did not find it, the request counts as deleted at the provider. */
const maxMisses = 5;

/** Polls one request at its provider, and ends it when it has ended there or has expired. */
export class RequestWatcher {
  constructor(private readonly parts: EsignParts) {}

  async work(row: RequestRow, job: RunningJob): Promise<JobOutcome> {
    const { organizationId, connectionId } = row;
    const { signal } = job;
    try {
      const { provider } = await this.parts.connections.openEsign(
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
    provider: OpenEsign,
    state: RequestState,
  ): Promise<JobOutcome> {
    const submitters = mergeSigners(row.submitters, state.signers);
    const { status } = state;
    if (status === "completed")
      return this.#complete({ ...row, submitters }, job, provider);
    if (status !== "pending")
      return this.#end(row, job, { status, submitters });
    if (row.expiresAt === null || row.expiresAt > this.parts.now())
      return this.#record(
        row,
        { submitters, lookups: 0, error: null },
        this.#getWait(row, null),
      );
    await this.#withdraw(row, job, provider);
    return this.#end(row, job, { status: "expired", submitters });
  }

  async #complete(
    row: RequestRow,
    job: RunningJob,
    provider: OpenEsign,
  ): Promise<JobOutcome> {
    try {
      await this.#fetchSigned(row, job, provider);
    } catch (error) {
      if (job.signal.aborted) throw error;
      return this.#retrySigned(row, error);
    }
  }

  /** Downloads at once, since providers' links to files are valid for minutes. */
  async #fetchSigned(
    row: RequestRow,
    job: RunningJob,
    provider: OpenEsign,
  ): Promise<void> {
    const { externalId, submitters } = row;
    const { signal } = job;
    const files = await provider.download(externalId ?? "", { signal });
    const stored = await storeSigned(this.parts, row, files);
    const { outputs, keepUntil } = stored;
    const status = "completed";
    const outcome: Outcome = { status, submitters, outputs, keepUntil };
    if (!(await endRequest(this.parts, row, outcome, job)))
      await stored.remove();
  }

  /** The provider may still be creating them, so they are fetched again soon, however old the request is. */
  async #retrySigned(row: RequestRow, error: unknown): Promise<JobOutcome> {
    const { id, submitters } = row;
    this.parts.log.warn(
      { signatureId: id, err: error },
      "could not fetch signed files",
    );
    const [min] = this.parts.times.pollMs;
    const wait = Math.max(min, getRetryAfterMs(error));
    return this.#record(row, { submitters, error: errorText(error) }, wait);
  }

  /** A provider that cannot withdraw a request expires it by itself; `checkExpiry` made sure of that. */
  async #withdraw(
    { externalId }: RequestRow,
    { signal }: RunningJob,
    provider: OpenEsign,
  ): Promise<void> {
    if (!provider.capabilities.cancel) return;
    await provider.cancel(externalId ?? "", { signal });
  }

  async #handleFailure(
    row: RequestRow,
    job: RunningJob,
    error: unknown,
  ): Promise<JobOutcome> {
    const { id } = row;
    this.parts.log.warn(
      { signatureId: id, err: error },
      "could not poll a signature request",
    );
    const text = errorText(error);
    if (error instanceof PlatenError && error.code === "not_found")
      return this.#end(row, job, {
        status: "failed",
        error:
          "Its connection was deleted, so its state at the provider is unknown.",
      });
    if (platformErrorOf(error)?.code !== "not_found")
      return this.#record(row, { error: text }, this.#getWait(row, error));
    const lookups = row.lookups + 1;
    if (lookups >= maxMisses)
      return this.#end(row, job, { status: "canceled", error: text });
    const [, max] = this.parts.times.pollMs;
    return this.#record(row, { lookups, error: text }, max);
  }

  async #record(
    row: RequestRow,
    changes: Partial<RequestRow>,
    wait: number,
  ): Promise<JobOutcome> {
    const { store, now } = this.parts;
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
    const at = this.parts.now();
    const age = at.getTime() - (startedAt ?? at).getTime();
    const wait = getPollWait(age, this.parts.times.pollMs);
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
    await endRequest(this.parts, row, outcome, job);
  }
}

function getRetryAfterMs(error: unknown): number {
  const seconds =
    error instanceof PlatenError ? error.retryAfterSeconds : undefined;
  return (seconds ?? 0) * 1000;
}

/** Databases support no later year than 9999. */
const latest = Date.UTC(9999, 0);

/** Signed files in the store that no row names yet; a sweep deletes those that are never recorded. */
interface StoredFiles {
  outputs: Output[];
  keepUntil: Date;
  remove(): Promise<void>;
}

/** Stores the provider's signed files, each under its label. */
async function storeSigned(
  { store, outputs, times, now }: EsignParts,
  { documentId: id }: SignatureRequest,
  files: readonly SignedFile[],
): Promise<StoredFiles> {
  const { fileName } = await store.read.findOneByOrFail(Document, { id });
  if (!files.some(({ label }) => label === "signed"))
    throw new PlatenError("internal", "The provider returned no signed file.");
  const until = now().getTime() + times.retentionMs;
  const keepUntil = new Date(Math.min(until, latest));
  const saved: SavedFile[] = [];
  for (const file of files)
    saved.push(
      ...(await outputs.save(
        {
          documentId: id,
          fileName: `${fileName ?? "document"}-${file.label}`,
          expiresAt: keepUntil,
        },
        [toArtifact(file)],
      )),
    );
  return {
    outputs: saved.map(({ output }) => output),
    keepUntil,
    remove: () => outputs.remove(saved),
  };
}

function toArtifact({ label, mimeType, bytes }: SignedFile) {
  const extension = extensions[mimeType] ?? "bin";
  return {
    format: "pdf" as const,
    label,
    mimeType,
    extension,
    bytes: Buffer.from(bytes),
  };
}

const extensions: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "application/json": "json",
  "application/zip": "zip",
};

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
