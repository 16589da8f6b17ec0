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
  type Ending,
  endRequest,
  mergeSigners,
} from "./signature-request.js";

/** So many looks in a row at a request that the provider does not know, then it is believed to be gone. */
const mostMisses = 5;

/** Looks at one request that is at its provider, and ends it when it has ended there, or when its time is over. */
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
      return await this.settle(row, job, provider, state);
    } catch (error) {
      if (signal.aborted) throw error;
      return this.afterFailure(row, job, error);
    }
  }

  private async settle(
    row: RequestRow,
    job: RunningJob,
    provider: OpenEsign,
    state: RequestState,
  ): Promise<JobOutcome> {
    const submitters = mergeSigners(row.submitters, state.signers);
    const { status } = state;
    if (status === "completed")
      return this.complete({ ...row, submitters }, job, provider);
    if (status !== "pending") return this.end(row, job, { status, submitters });
    if (row.expiresAt === null || row.expiresAt > this.parts.now())
      return this.note(
        row,
        { submitters, lookups: 0, error: null },
        this.waitFor(row, null),
      );
    await this.withdraw(row, job, provider);
    return this.end(row, job, { status: "expired", submitters });
  }

  private async complete(
    row: RequestRow,
    job: RunningJob,
    provider: OpenEsign,
  ): Promise<JobOutcome> {
    try {
      await this.bring(row, job, provider);
    } catch (error) {
      if (job.signal.aborted) throw error;
      return this.notBrought(row, error);
    }
  }

  /** At once, since providers' links to files live for minutes. */
  private async bring(
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
    const ending: Ending = { status, submitters, outputs, keepUntil };
    if (!(await endRequest(this.parts, row, ending, job)))
      await stored.remove();
  }

  /** They may still be made there, so it is tried again soon, however old the request is. */
  private async notBrought(
    row: RequestRow,
    error: unknown,
  ): Promise<JobOutcome> {
    const { id, submitters } = row;
    this.parts.log.warn({ signatureId: id, err: error }, "no signed files");
    const [least] = this.parts.times.pollMs;
    const wait = Math.max(least, retryAfter(error));
    return this.note(row, { submitters, error: errorText(error) }, wait);
  }

  /** Where it cannot be withdrawn, the provider ends it by itself: that was settled at the start. */
  private async withdraw(
    { externalId }: RequestRow,
    { signal }: RunningJob,
    provider: OpenEsign,
  ): Promise<void> {
    if (!provider.capabilities.cancel) return;
    await provider.cancel(externalId ?? "", { signal });
  }

  private async afterFailure(
    row: RequestRow,
    job: RunningJob,
    error: unknown,
  ): Promise<JobOutcome> {
    const { id } = row;
    this.parts.log.warn({ signatureId: id, err: error }, "no look at it");
    const text = errorText(error);
    if (error instanceof PlatenError && error.code === "not_found")
      return this.end(row, job, {
        status: "failed",
        error:
          "Its connection was deleted, so nobody can tell what becomes of it.",
      });
    if (platformErrorOf(error)?.code !== "not_found")
      return this.note(row, { error: text }, this.waitFor(row, error));
    const lookups = row.lookups + 1;
    if (lookups >= mostMisses)
      return this.end(row, job, { status: "canceled", error: text });
    const [, most] = this.parts.times.pollMs;
    return this.note(row, { lookups, error: text }, most);
  }

  private async note(
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

  /** Its expiry is not waited for longer than it takes, nor is it asked for sooner than the provider wishes. */
  private waitFor(
    { startedAt, expiresAt }: RequestRow,
    error: unknown,
  ): number {
    const at = this.parts.now();
    const age = at.getTime() - (startedAt ?? at).getTime();
    const wait = pollWait(age, this.parts.times.pollMs);
    const left =
      expiresAt === null ? Infinity : expiresAt.getTime() - at.getTime();
    const soon = left > 0 ? Math.min(wait, left) : wait;
    return Math.max(soon, retryAfter(error));
  }

  private async end(
    row: RequestRow,
    job: RunningJob,
    ending: Ending,
  ): Promise<void> {
    await endRequest(this.parts, row, ending, job);
  }
}

function retryAfter(error: unknown): number {
  const seconds =
    error instanceof PlatenError ? error.retryAfterSeconds : undefined;
  return (seconds ?? 0) * 1000;
}

/** Databases know no later year than 9999. */
const latest = Date.UTC(9999, 0);

/** Signed files in the store, which nothing names yet: what is not recorded is swept as an orphan. */
interface StoredFiles {
  outputs: Output[];
  keepUntil: Date;
  remove(): Promise<void>;
}

/** Stores what a provider has made of a request, each under its label. */
async function storeSigned(
  { store, outputs, times, now }: EsignParts,
  { documentId: id }: SignatureRequest,
  files: readonly SignedFile[],
): Promise<StoredFiles> {
  const { fileName } = await store.read.findOneByOrFail(Document, { id });
  if (!files.some(({ label }) => label === "signed"))
    throw new PlatenError("internal", "The provider gave no signed file.");
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
        [artifactOf(file)],
      )),
    );
  return {
    outputs: saved.map(({ output }) => output),
    keepUntil,
    remove: () => outputs.remove(saved),
  };
}

function artifactOf({ label, mimeType, bytes }: SignedFile) {
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
 * How long to wait before the next look at a request of this age, in milliseconds: a tenth of its age, so that what is
 * signed soon is seen soon and what lies for weeks costs little.
 */
export function pollWait(
  ageMs: number,
  [least, most]: readonly [least: number, most: number],
): number {
  return Math.round(Math.min(Math.max(ageMs / 10, least), most));
}
