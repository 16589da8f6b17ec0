import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type EntityManager, In, LessThanOrEqual } from "typeorm";
import { SigningCertificates } from "../certificates/index.js";
import { getTemplateToRender, RenderPipeline } from "../documents/index.js";
import { chunksOf } from "../lib/chunks.js";
import { clock } from "../lib/clock.js";
import {
  createToken,
  inject,
  Lifecycle,
  provide,
  scoped,
} from "../lib/injection.js";
import {
  Deadline,
  type FileStore,
  formatError,
  type Log,
  PlatenError,
} from "../plugin-api/index.js";
import {
  type JobOutcome,
  type NewJob,
  type Queue,
  type RunningJob,
  QUEUE,
} from "../queue/index.js";
import { PdfMerge } from "../rendering/pdf/index.js";
import {
  Batch,
  BatchMerge,
  Document,
  DocumentRecord,
  findForUpdate,
  insertRow,
  type LeftOutDocument,
  type MergeOptions,
  type Store,
  Template,
  STORE,
} from "../storage/database/index.js";
import { deleteOrphans } from "../storage/files/index.js";
import { CONFIG, FILE_STORE, LOG } from "../lib/process-values.js";
import { findBatch, inChunks, readBatchDocuments } from "./read-batches.js";

/** The folder for the records of batches that are not accepted yet. */
export const BATCH_DRAFT_FOLDER = createToken<string>("batch draft folder");
provide(BATCH_DRAFT_FOLDER, (c) => c.resolve(CONFIG).dataFolder);

// One PDF of all documents of a batch. Its row (`batch_merge`) is written with the batch, or when it is requested later:
//
//   waiting ──> pending    the sweep: the batch is completed; with the job that makes the file
//   pending ──> succeeded  the worker: with the key of the stored file
//   pending ──> failed     the worker: no document can be joined, the cover has a mistake, or the third attempt failed
//   succeeded, failed ──> waiting  it is requested again

export type MergeRequest = {
  [Key in keyof MergeOptions]?: MergeOptions[Key] | undefined;
};

/** The prefix of files that are being written. */
export const MERGE_FILE_PREFIX = "merge-";

const MERGE_JOB = "batch-merge";
const maxAttempts = 3;
const sweepMs = 2000;
const hourMs = 60 * 60_000;
const coverTimeoutMs = 120_000;
const signTimeoutMs = 60_000;
const maxLeftOut = 100;
const documentsPerRead = 100;
const pendingRetryAfterSeconds = 5;

/** @throws PlatenError `invalid_request` for options that the batch or its organization cannot have */
export async function completeMergeOptions(
  read: EntityManager,
  {
    organizationId,
    formats,
  }: { organizationId: string; formats: readonly string[] },
  request: MergeRequest,
): Promise<MergeOptions> {
  if (!formats.includes("pdf"))
    throw createOptionError(
      "$.merge",
      "requires the format pdf: add it to the batch's formats.",
    );
  const { cover } = request;
  if (cover !== undefined)
    await getTemplateToRender(read, {
      organizationId,
      templateId: cover,
    }).catch((cause: unknown) => {
      if (!(cause instanceof PlatenError)) throw cause;
      throw createOptionError("$.merge.cover", cause.message);
    });
  return {
    order: request.order ?? "request",
    descending: request.descending ?? false,
    ...(cover !== undefined && { cover }),
    ...(request.separators && { separators: request.separators }),
    bookmarks: request.bookmarks ?? true,
    pageNumbers: request.pageNumbers ?? true,
  };
}

function createOptionError(path: string, message: string): PlatenError {
  return new PlatenError("invalid_request", "The batch cannot be merged.", {
    problems: [{ path, code: "merge", message }],
  });
}

export async function insertMerge(
  tx: EntityManager,
  { id: batchId, organizationId }: Pick<Batch, "id" | "organizationId">,
  options: MergeOptions,
): Promise<void> {
  await insertRow(tx, BatchMerge, {
    batchId,
    organizationId,
    options,
    status: "waiting",
    pageCount: null,
    sizeBytes: null,
    storageKey: null,
    leftOut: null,
    error: null,
    expiresAt: null,
    updatedAt: clock.date(),
  });
}

/**
 * Requests the merged file of a batch, also once more with other options; it is made when the batch is completed.
 * @throws PlatenError `not_found`; `conflict` while one is being made; `invalid_request`
 */
export async function requestMerge(
  store: Pick<Store, "read" | "unitOfWork">,
  files: FileStore,
  owner: { organizationId: string; batchId: string },
  request: MergeRequest,
): Promise<void> {
  const { organizationId, batchId } = owner;
  const batch = await findBatch(store.read, organizationId, batchId);
  const options = await completeMergeOptions(store.read, batch, request);
  const old = await store.unitOfWork.run(async (tx) => {
    // Two requests at once wait for each other.
    await findForUpdate(tx, Batch, { id: batch.id });
    const row = await tx.findOneBy(BatchMerge, { batchId: batch.id });
    if (row && (row.status === "waiting" || row.status === "pending"))
      throw createPendingError();
    await tx.delete(BatchMerge, { batchId: batch.id });
    await insertMerge(tx, batch, options);
    return row;
  });
  if (old?.storageKey != null) await files.delete(old.storageKey);
}

/** @throws PlatenError `not_found`, `conflict` until it is stored and when that failed, `gone` after its expiry */
export async function openMerged(
  read: EntityManager,
  files: FileStore,
  batch: Pick<Batch, "id">,
): Promise<{ sizeBytes: number; stream: Readable }> {
  const row = await read.findOneBy(BatchMerge, { batchId: batch.id });
  if (row === null)
    throw new PlatenError(
      "not_found",
      `This batch has no merged file. Request one with POST /api/batches/${batch.id}/merged.`,
    );
  if (row.status === "waiting" || row.status === "pending")
    throw createPendingError();
  if (row.status === "failed")
    throw new PlatenError(
      "conflict",
      `The documents of this batch could not be merged: ${row.error ?? ""}`,
    );
  const isExpired = row.expiresAt !== null && row.expiresAt <= clock.date();
  const file =
    row.storageKey === null || isExpired
      ? null
      : await files.open(row.storageKey);
  if (file === null)
    throw new PlatenError("gone", "The merged file of this batch has expired.");
  return file;
}

function createPendingError(): PlatenError {
  return new PlatenError(
    "conflict",
    "The merged file of this batch is not ready yet. Wait until the batch's `merged.status` is succeeded.",
    { retryAfterSeconds: pendingRetryAfterSeconds },
  );
}

type StoredMerge = Pick<
  BatchMerge,
  "pageCount" | "sizeBytes" | "storageKey" | "leftOut" | "expiresAt"
>;

/** Makes the merged files of batches, one after the other. */
@scoped(Lifecycle.ContainerScoped)
export class MergeWorker {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(RenderPipeline)
    private readonly pipeline: Pick<RenderPipeline, "renderPart">,
    @inject(SigningCertificates)
    private readonly certificates: Pick<SigningCertificates, "getSigner">,
    @inject(LOG) private readonly log: Log,
    @inject(BATCH_DRAFT_FOLDER) private readonly folder: string,
  ) {}

  /** Call before the queue starts. */
  register(): void {
    const { queue } = this;
    queue.work(
      MERGE_JOB,
      { concurrency: 1, maxInterruptions: maxAttempts },
      (job) => this.#work(job),
      (batchId, attempts) =>
        this.#fail(
          batchId,
          `the process that merged them ended ${attempts} times.`,
        ),
    );
    queue.every("batch-merge", sweepMs, () => this.#startReady());
    queue.every("batch-merge-files", hourMs, () => this.#deleteExpired());
  }

  /** Creates the jobs of batches that are completed. */
  async #startReady(): Promise<void> {
    const { store, queue } = this;
    const waiting = await store.read.find(BatchMerge, {
      where: { status: "waiting" },
      select: { batchId: true, organizationId: true },
    });
    if (waiting.length === 0) return;
    const completed = await store.read.find(Batch, {
      where: {
        id: In(waiting.map(({ batchId }) => batchId)),
        status: "completed",
      },
      select: { id: true, organizationId: true },
    });
    for (const { id, organizationId } of completed)
      await store.unitOfWork.run(async (tx) => {
        const { affected } = await tx.update(
          BatchMerge,
          { batchId: id, status: "waiting" },
          { status: "pending", updatedAt: clock.date() },
        );
        if (affected === 0) return;
        const job: NewJob = {
          kind: MERGE_JOB,
          rowId: id,
          partitionKey: organizationId,
        };
        await queue.enqueue(tx, [job]);
      });
    if (completed.length > 0) queue.nudge(MERGE_JOB);
  }

  async #work(job: RunningJob): Promise<JobOutcome> {
    const { read, unitOfWork } = this.store;
    const batchId = job.rowId;
    const row = await read.findOneBy(BatchMerge, { batchId });
    if (row?.status !== "pending") return;
    const batch = await read.findOneByOrFail(Batch, { id: batchId });
    try {
      const stored = await this.#make(batch, row.options, job.signal);
      await unitOfWork.run(async (tx) => {
        await job.complete(tx);
        await tx.update(
          BatchMerge,
          { batchId, status: "pending" },
          { ...stored, status: "succeeded", updatedAt: clock.date() },
        );
      });
    } catch (error) {
      if (job.signal.aborted) throw error;
      const isFinal =
        error instanceof PlatenError && finalCodes.has(error.code);
      if (!isFinal && job.attempt < maxAttempts) throw error;
      this.log.warn({ batchId, err: error }, "a batch was not merged");
      await this.#fail(batchId, formatError(error));
    }
  }

  async #fail(batchId: string, error: string): Promise<void> {
    await this.store.unitOfWork.run((tx) =>
      tx.update(
        BatchMerge,
        { batchId, status: "pending" },
        { status: "failed", error, updatedAt: clock.date() },
      ),
    );
  }

  async #make(
    batch: Batch,
    options: MergeOptions,
    signal: AbortSignal,
  ): Promise<StoredMerge> {
    const { read } = this.store;
    const template = await read.findOneBy(Template, { id: batch.templateId });
    const title = template?.name ?? "";
    const path = join(this.folder, `${MERGE_FILE_PREFIX}${randomUUID()}`);
    const merge = new PdfMerge(
      path,
      {
        title,
        bookmarks: options.bookmarks,
        pageNumbers: options.pageNumbers,
        startsOnOddPage: options.separators === "blank",
      },
      signal,
    );
    try {
      const joined = await this.#addDocuments(merge, batch, options, signal);
      if (joined.documents.length === 0)
        throw new PlatenError(
          "conflict",
          "no document of this batch has a PDF that can be joined.",
        );
      if (options.cover !== undefined)
        await this.#addCover(merge, batch, options, {
          title,
          documents: joined.documents,
          signal,
        });
      const { pages } = await merge.end(
        merge.isSigned
          ? {
              signer: await this.certificates.getSigner(batch.organizationId),
              deadline: Deadline.after(signTimeoutMs, signal),
            }
          : null,
      );
      const storageKey = newMergedKey(batch.id);
      const { sizeBytes } = await this.files.put(
        storageKey,
        createReadStream(path),
      );
      const { leftOut, expiresAt } = joined;
      return { pageCount: pages, sizeBytes, storageKey, leftOut, expiresAt };
    } finally {
      await merge.stop();
      await rm(path, { force: true });
    }
  }

  async #addDocuments(
    merge: PdfMerge,
    batch: Batch,
    options: MergeOptions,
    signal: AbortSignal,
  ) {
    const documents: CoveredDocument[] = [];
    const leftOut = { count: 0, documents: [] as LeftOutDocument[] };
    let expiresAt: Date | null = null;
    for await (const row of readInOrder(this.store.read, batch.id, options)) {
      signal.throwIfAborted();
      const name = row.fileName ?? "";
      const added = await this.#addDocument(merge, row, name);
      if ("reason" in added) {
        leftOut.count += 1;
        const { id: documentId, batchIndex } = row;
        if (leftOut.documents.length < maxLeftOut)
          leftOut.documents.push({
            documentId,
            batchIndex: batchIndex ?? 0,
            reason: added.reason,
          });
        continue;
      }
      documents.push({ name, page: added.first + 1, pages: added.pages });
      // No document is available for longer than it was to be.
      if (expiresAt === null || row.expiresAt < expiresAt)
        expiresAt = row.expiresAt;
    }
    return { documents, leftOut, expiresAt };
  }

  async #addDocument(
    merge: PdfMerge,
    { status, error, outputs, expiresAt }: Document,
    title: string,
  ): Promise<{ first: number; pages: number } | { reason: string }> {
    if (status !== "succeeded") return { reason: error ?? status };
    // The one without signatures: they would not be valid in another file.
    const output = outputs.find(({ label }) => label === "pdf");
    if (!output) return { reason: "It has no PDF." };
    const file =
      expiresAt <= clock.date()
        ? null
        : await this.files.open(output.storageKey);
    if (file === null) return { reason: "Its files have expired." };
    const bytes = await buffer(file.stream);
    const added = await merge.add({ bytes, title });
    return added ?? { reason: "Its PDF is damaged or encrypted." };
  }

  /** The cover lists the documents with their pages, which depend on how many pages it has itself. */
  async #addCover(
    merge: PdfMerge,
    batch: Batch,
    options: MergeOptions,
    {
      title,
      documents,
      signal,
    }: {
      title: string;
      documents: readonly CoveredDocument[];
      signal: AbortSignal;
    },
  ): Promise<void> {
    const { organizationId, createdById } = batch;
    const last = documents.at(-1);
    const pages = last ? last.page + last.pages - 1 : 0;
    let guess = 1;
    for (let attempt = 1; ; attempt += 1) {
      const offset =
        options.separators === "blank" ? guess + (guess % 2) : guess;
      const data = {
        batchId: batch.id,
        title,
        createdAt: batch.createdAt.toISOString(),
        count: documents.length,
        pageCount: pages + offset,
        documents: documents.map((document) => ({
          ...document,
          page: document.page + offset,
        })),
      };
      const cover = await this.pipeline.renderPart(
        {
          organizationId,
          createdById,
          templateId: options.cover ?? "",
          formats: ["pdf"],
          data,
          renderOptions: { pdf: { conformance: [...merge.conformance] } },
        },
        Deadline.after(coverTimeoutMs, signal),
      );
      if (cover.pages === guess || attempt === maxAttempts)
        return merge.addCover({ bytes: cover.bytes, title });
      guess = cover.pages;
    }
  }

  /** Deletes the files of expired rows, and those that no row names. */
  async #deleteExpired(): Promise<void> {
    const { store, files } = this;
    const now = clock.date();
    const rows = await store.read.find(BatchMerge, {
      where: { expiresAt: LessThanOrEqual(now), status: "succeeded" },
      select: { batchId: true, storageKey: true },
    });
    for (const { batchId, storageKey } of rows) {
      if (storageKey === null) continue;
      await files.delete(storageKey);
      await store.unitOfWork.run((tx) =>
        tx.update(BatchMerge, { batchId, storageKey }, { storageKey: null }),
      );
    }
    const search = {
      folder: "merged",
      isCandidate: (key: string) => mergedKey.test(key),
      findReferenced: async (keys: readonly string[]) => {
        const where = { storageKey: In(keys) };
        const merges = await store.read.findBy(BatchMerge, where);
        return new Set(merges.map(({ storageKey }) => storageKey));
      },
      chunkSize: documentsPerRead,
    };
    await deleteOrphans(files, search, now);
  }
}

/** A retry would end in the same way. */
const finalCodes = new Set([
  "conflict",
  "invalid_request",
  "merge_failed",
  "not_found",
  "too_large",
]);

interface CoveredDocument {
  name: string;
  /** From 1. */
  page: number;
  pages: number;
}

const mergedKey = /^merged\/[0-9a-f]{2}\/batch_[\w-]+\.[0-9a-f]{32}\.pdf$/;

function newMergedKey(batchId: string): string {
  const random = randomBytes(16).toString("hex");
  return `merged/${random.slice(0, 2)}/${batchId}.${random}.pdf`;
}

/** All documents of a batch, read chunk by chunk. */
async function* readInOrder(
  read: EntityManager,
  batchId: string,
  { order, descending }: MergeOptions,
): AsyncGenerator<Document> {
  if (order === "request" && !descending) {
    yield* readBatchDocuments(read, batchId);
    return;
  }
  const keys: { id: string; key: unknown }[] = [];
  const documents = readBatchDocuments(read, batchId);
  const path = order.replace(/^root\./, "").split(".");
  for await (const rows of inChunks(documents, documentsPerRead)) {
    const ids = rows.map(({ id }) => id);
    const data =
      order === "request" ? new Map() : await readData(read, ids, path);
    for (const id of ids) keys.push({ id, key: data.get(id) });
  }
  // Stable: documents with equal keys stay in the order of the request.
  const sorted =
    order === "request"
      ? keys.toReversed()
      : keys.toSorted((entry, other) => compareKeys(entry, other, descending));
  for (const some of chunksOf(sorted, documentsPerRead)) {
    const ids = some.map(({ id }) => id);
    const rows = await read.findBy(Document, { id: In(ids) });
    const byId = new Map<string, Document>(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = byId.get(id);
      if (row) yield row;
    }
  }
}

async function readData(
  read: EntityManager,
  ids: readonly string[],
  path: readonly string[],
): Promise<Map<string, unknown>> {
  const records = await read.findBy(DocumentRecord, { documentId: In(ids) });
  return new Map(
    records.map(({ documentId, data }) => [
      documentId,
      path.reduce<unknown>(getField, JSON.parse(data)),
    ]),
  );
}

function getField(value: unknown, key: string): unknown {
  return typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

const collator = new Intl.Collator("en", { numeric: true });

/** Numbers by their size, everything else as text; records without the field come last. */
function compareKeys(
  entry: { key: unknown },
  other: { key: unknown },
  descending: boolean,
): number {
  const [a, b] = [entry.key ?? null, other.key ?? null];
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const difference =
    typeof a === "number" && typeof b === "number"
      ? a - b
      : collator.compare(toText(a), toText(b));
  return descending ? -difference : difference;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
