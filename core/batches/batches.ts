import type { Readable } from "node:stream";
import { type EntityManager, In } from "typeorm";
import {
  DataValidation,
  RecentPayloads,
  type Signing,
  SIGNING,
} from "../documents/index.js";
import { clock } from "../lib/clock.js";
import { inject, Lifecycle, scoped, createToken } from "../lib/injection.js";
import { writeXlsx } from "../lib/xlsx.js";
import { removeLeftoverFiles } from "../lib/unlinked-file.js";
import {
  type FileStore,
  type Output,
  PlatenError,
} from "../plugin-api/index.js";
import { type Queue, QUEUE } from "../queue/index.js";
import {
  Batch,
  BatchMerge,
  type Document,
  isDuplicate,
  type PageRequest,
  type Plan,
  type Store,
  DocumentRecord,
  STORE,
} from "../storage/database/index.js";
import { type EventWaker, EVENTS } from "../webhooks/index.js";
import { BASE_URL, FILE_STORE } from "../lib/process-values.js";
import {
  acceptBatch,
  type AcceptCallback,
  type BatchOptions,
  type DocumentDeliveries,
  MAX_BATCH_ITEMS,
  DOCUMENT_DELIVERIES,
} from "./accept-batch.js";
import {
  type ArchiveEntry,
  checkArchive,
  readArchiveEntries,
} from "./archive.js";
import { BatchDraft, DRAFT_FILE_PREFIX } from "./batch-draft.js";
import { cancelBatch } from "./end-documents.js";
import {
  BATCH_DRAFT_FOLDER,
  MERGE_FILE_PREFIX,
  type MergeRequest,
  openMerged,
  requestMerge,
} from "./merge-batch.js";
import {
  type BatchView,
  findBatch,
  listBatches,
  readBatch,
  writeAcceptedBatch,
  inChunks,
  readBatchDocuments,
} from "./read-batches.js";
import { readSourceTable } from "./source-table.js";

/** Knows the records of batches that were accepted without them. Implemented by integrations/platforms. */
export const RECORD_SOURCE = createToken<RecordSource>("RecordSource");

/**
 * Knows the data of batches that were accepted without it (`Batch.platform`): stores each document's record and then
 * enqueues the document, and is notified of those that succeed.
 */
export interface RecordSource {
  /** Has the record of a document, which a worker found missing, fetched soon. */
  bring(tx: EntityManager, document: Document): Promise<void>;
  /** Joins the transaction in which a document of such a batch succeeds. */
  succeeded(
    tx: EntityManager,
    document: Document,
    outputs: readonly Output[],
  ): Promise<void>;
  /** Joins the acceptance of a batch that retries another one. */
  retried(tx: EntityManager, from: Batch, to: Batch): Promise<void>;
  /** Called after transactions that `succeeded` or `retried` has joined. */
  nudge(): void;
}

interface BatchOwner {
  organizationId: string;
  plan: Plan;
}

/** Batches of other organizations are treated as missing. */
@scoped(Lifecycle.ContainerScoped)
export class Batches {
  constructor(
    @inject(STORE) private readonly store: Store,
    @inject(QUEUE) private readonly queue: Queue,
    @inject(FILE_STORE) private readonly files: FileStore,
    @inject(EVENTS) private readonly events: { dispatch: EventWaker },
    @inject(RECORD_SOURCE) private readonly records: RecordSource,
    @inject(SIGNING) private readonly signing: Pick<Signing, "prepare">,
    @inject(RecentPayloads)
    private readonly payloads: Pick<RecentPayloads, "note">,
    @inject(DataValidation)
    private readonly validation: Pick<DataValidation, "findProblems">,
    @inject(DOCUMENT_DELIVERIES)
    private readonly deliveries: DocumentDeliveries,
    @inject(BATCH_DRAFT_FOLDER) private readonly draftFolder: string,
    @inject(MAX_BATCH_ITEMS) private readonly maxItems: number,
    @inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /** Deletes files of processes that were killed. Call once, at the start. */
  async prepare(): Promise<void> {
    await removeLeftoverFiles(this.draftFolder, DRAFT_FILE_PREFIX);
    await removeLeftoverFiles(this.draftFolder, MERGE_FILE_PREFIX);
  }

  /** An empty draft, which the caller closes. @throws PlatenError `invalid_request` for a plan without batches. */
  async draft({ plan }: Pick<BatchOwner, "plan">): Promise<BatchDraft> {
    requireBatchPlan(plan);
    return new BatchDraft(this.draftFolder, this.maxItems);
  }

  /** @throws PlatenError `invalid_request` or `not_found`, and then nothing is written. */
  async accept(
    order: BatchOptions,
    draft: BatchDraft,
    alongside?: AcceptCallback,
  ): Promise<Batch> {
    const { store, queue, signing, payloads, validation, deliveries } = this;
    const ports = { store, queue, signing, payloads, validation, deliveries };
    return acceptBatch(ports, order, draft, alongside);
  }

  /** The response to an accepted batch, as JSON text in pieces. @throws PlatenError `not_found`, before the first piece. */
  async answer(
    organizationId: string,
    id: string,
  ): Promise<AsyncIterable<string>> {
    const { read } = this.store;
    return writeAcceptedBatch(read, await findBatch(read, organizationId, id));
  }

  async list(organizationId: string, page: PageRequest) {
    return this.store.snapshot((read) =>
      listBatches(read, organizationId, page),
    );
  }

  /** With a page of its documents. @throws PlatenError `not_found`. */
  async get(
    organizationId: string,
    id: string,
    page: PageRequest,
  ): Promise<BatchView> {
    return this.store.snapshot((read) =>
      readBatch(read, organizationId, id, page, this.baseUrl),
    );
  }

  /** @throws PlatenError `not_found`; `conflict` for a batch that is completed. */
  async cancel(organizationId: string, id: string): Promise<void> {
    await cancelBatch(this.store, organizationId, id);
    this.events.dispatch.nudge();
  }

  /** Creates a new batch of the failed and expired documents. @throws PlatenError `not_found`; `conflict` when there is nothing to retry. */
  async retry(
    owner: BatchOwner,
    id: string,
    inTransaction?: AcceptCallback,
  ): Promise<Batch> {
    const { store, records } = this;
    const batch = await findBatch(store.read, owner.organizationId, id);
    const draft = await this.draft(owner);
    try {
      const order = await draftRetry(store, batch, draft);
      if (batch.platform === null)
        return await this.accept(order, draft, inTransaction);
      const accepted = await this.accept(order, draft, async (tx, next) => {
        await records.retried(tx, batch, next);
        await inTransaction?.(tx, next);
      });
      records.nudge();
      return accepted;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      throw new PlatenError(
        "conflict",
        "Another request has just retried this batch. List the batches to find the new one.",
      );
    } finally {
      await draft.close();
    }
  }

  /** @throws as `requestMerge` */
  async merge(
    organizationId: string,
    batchId: string,
    request: MergeRequest,
  ): Promise<void> {
    const { store, files } = this;
    await requestMerge(store, files, { organizationId, batchId }, request);
  }

  /** @throws as `openMerged` */
  async merged(
    organizationId: string,
    id: string,
  ): Promise<{ sizeBytes: number; stream: Readable }> {
    const { read } = this.store;
    const batch = await findBatch(read, organizationId, id);
    return openMerged(read, this.files, batch);
  }

  /**
   * The rows of the file that the batch was made of, with links to their documents, as a workbook.
   * @throws PlatenError `not_found`; `conflict` for a batch that was not made from a file, `gone` when its rows were deleted.
   */
  async table(organizationId: string, id: string): Promise<Readable> {
    const { read } = this.store;
    const batch = await findBatch(read, organizationId, id);
    const rows = readSourceTable(read, batch);
    return writeXlsx(batch.source?.sheet ?? "", rows);
  }

  /** All files that are ready. @throws PlatenError `not_found`; `conflict` or `gone` when there is none. */
  async archive(
    organizationId: string,
    id: string,
  ): Promise<AsyncIterable<ArchiveEntry>> {
    const { store, files } = this;
    const batch = await findBatch(store.read, organizationId, id);
    await checkArchive(store, batch);
    return readArchiveEntries(store, files, id);
  }
}

const plansWithBatches: readonly Plan[] = ["premium", "enterprise"];

/** The plan decides; quota and balance never block a batch. @throws PlatenError `invalid_request`. */
export function requireBatchPlan(plan: Plan): void {
  if (plansWithBatches.includes(plan)) return;
  throw new PlatenError(
    "invalid_request",
    `Batches require the plan premium or enterprise; this organization's plan is ${plan}. ` +
      "Render its documents one by one with POST /api/export, or change the plan.",
  );
}

const documentsPerChunk = 250;

/**
 * Drafts the failed and expired documents of a completed batch again: the same records (a platform's are read again), the same
 * snapshot of the template, and the same time until they expire.
 * @throws PlatenError `conflict` when there is nothing to retry, or not any more.
 */
async function draftRetry(
  { read }: Pick<Store, "read">,
  batch: Batch,
  draft: BatchDraft,
): Promise<BatchOptions> {
  await assertRetryable(read, batch);
  const documents = readBatchDocuments(read, batch.id, {
    status: In(["failed", "expired"]),
  });
  for await (const rows of inChunks(documents, documentsPerChunk)) {
    const records = await read.findBy(DocumentRecord, {
      documentId: In(rows.map(({ id }) => id)),
    });
    const data = new Map<string, object>(
      records.map((record) => [record.documentId, JSON.parse(record.data)]),
    );
    const sources = new Map<string, unknown[]>(
      records.flatMap(({ documentId, source }) =>
        source === null ? [] : [[documentId, JSON.parse(source)]],
      ),
    );
    for (const row of rows) {
      // A sweep may have deleted records since the batch was read.
      if (batch.platform === null && !data.has(row.id)) throw recordsDeleted();
      await draft.add({
        data: data.get(row.id),
        // What the service adds is replaced.
        metadata: row.metadata ?? undefined,
        expiresAt: getNewExpiry(row),
        formats: row.formats,
        locale: row.locale ?? undefined,
        retryOf: row.id,
        source: sources.get(row.id),
      });
    }
  }
  const merge = await read.findOneBy(BatchMerge, { batchId: batch.id });
  if (draft.count === 0)
    throw conflict("has no failed documents and no expired ones");
  return {
    organizationId: batch.organizationId,
    createdById: batch.createdById,
    templateId: batch.templateId,
    templateVersion: batch.templateVersion,
    formats: batch.formats,
    imageType: batch.imageType,
    renderOptions: batch.renderOptions ?? undefined,
    strict: batch.strict,
    unknownFields: batch.unknownFields,
    platform: batch.platform ?? undefined,
    source: batch.source,
    ...(batch.signing && { ...batch.signing, sendForSignature: true }),
    deliver: batch.deliver?.map(({ settings }) => settings) ?? [],
    merge: merge?.options,
    retryOf: batch.id,
  };
}

async function assertRetryable(
  read: EntityManager,
  batch: Batch,
): Promise<void> {
  if (batch.status !== "completed")
    throw conflict("is not completed yet. Wait until it is, or cancel it");
  if (batch.recordsPurgeAt === null) throw recordsDeleted();
  const next = await read.findOneBy(Batch, { retryOf: batch.id });
  if (next) throw conflict(`was already retried as ${next.id}. Retry that one`);
}

function recordsDeleted(): PlatenError {
  return conflict("was completed so long ago that its records are deleted");
}

function conflict(why: string): PlatenError {
  return new PlatenError("conflict", `This batch ${why}.`);
}

function getNewExpiry({ expiresAt, createdAt }: Document): string {
  const span = expiresAt.getTime() - createdAt.getTime();
  return new Date(clock.now() + span).toISOString();
}
