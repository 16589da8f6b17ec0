import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import {
  Between,
  type EntityManager,
  type EntityTarget,
  type FindOptionsWhere,
  In,
  IsNull,
  MoreThan,
  Not,
  type ObjectLiteral,
} from "typeorm";
import { z } from "zod";
import type { BatchLine } from "./views.js";
import {
  countWarnings,
  documentSchema,
  findPendingWriteBacks,
  getPlatenMetadata,
  toDocumentView,
} from "../documents/index.js";
import { paginationSchema, timestampSchema, toView } from "../lib/schemas.js";
import { FORMATS, PlatenError } from "../plugin-api/index.js";
import {
  Batch,
  Delivery,
  BatchMerge,
  Document,
  isId,
  listPage,
  namesOf,
  type PageRequest,
  RecordBatch,
  type Store,
  Template,
  User,
  WriteBack,
  STORE,
} from "../storage/database/index.js";
import { inject, Lifecycle, scoped } from "../lib/injection.js";

const countSchema = z.number().int();

const batchFields = {
  batchId: z.string(),
  organizationId: z.string(),
  templateId: z.string(),
  templateVersion: countSchema,
  status: z.enum(["queued", "running", "completed"]),
  totalCount: countSchema,
  progress: z.number().meta({
    description: "The fraction of finished documents, 0 to 1.",
    example: 0.42,
  }),
  formats: z.array(z.enum(FORMATS)),
  imageType: z.enum(["png", "jpg"]),
  platform: z.string().nullable().meta({
    description:
      "The platform of the records; null when the request contained the data.",
  }),
  retryOf: z.string().nullable().meta({
    description:
      "The batch whose failed and expired documents this batch retries.",
  }),
  createdById: z.string(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  cancelledAt: timestampSchema.nullable(),
  completedAt: timestampSchema.nullable(),
};

export const batchListItemSchema = z
  .strictObject(batchFields)
  .meta({ id: "BatchListItem" });

const batchDocumentSchema = documentSchema
  .extend({
    warningCount: countSchema.optional().meta({
      description:
        "The number of problems in `metadata.platen.report`; present only on documents that succeeded.",
    }),
  })
  .meta({ id: "BatchDocument" });

const mergedSchema = z
  .strictObject({
    status: z.enum(["pending", "succeeded", "failed"]),
    url: z.string().nullable().meta({
      description:
        "Where it is downloaded with an API key; null until it is stored.",
    }),
    pageCount: countSchema.nullable(),
    sizeBytes: countSchema.nullable(),
    leftOut: z
      .strictObject({
        count: countSchema,
        documents: z.array(
          z.strictObject({
            documentId: z.string(),
            batchIndex: countSchema,
            reason: z.string(),
          }),
        ),
      })
      .meta({
        description:
          "The documents that are not in the file, because they failed or their PDF cannot be joined; at most 100 are listed.",
      }),
    error: z.string().nullable(),
    expiresAt: timestampSchema.nullable().meta({
      description: "When the first of its documents expires.",
    }),
  })
  .meta({ id: "MergedFile" });

export const batchSchema = z
  .strictObject({
    ...batchFields,
    counts: z
      .strictObject({
        queued: countSchema,
        rendering: countSchema,
        succeeded: countSchema,
        failed: countSchema,
        expired: countSchema,
      })
      .meta({ description: "How many documents are in each state." }),
    writeBack: z
      .strictObject({
        pending: countSchema,
        succeeded: countSchema,
        failed: countSchema,
        waiting: z
          .strictObject({
            count: countSchema,
            waitingFor: z.string().meta({
              description: "Why the one that is tried next was not written.",
              example:
                "Airtable: Airtable accepts no more requests for 30 seconds.",
            }),
            attempts: countSchema.meta({
              description:
                "Its failed attempts; waiting for a rate limit is not one.",
            }),
            nextAttemptAt: timestampSchema.nullable(),
          })
          .optional()
          .meta({
            description:
              "The pending ones that were attempted and wait; left out when none does.",
          }),
      })
      .nullable()
      .meta({
        description:
          "How many documents' files are being written to the records' attachment field, were written, or failed to be " +
          "written; a document counts once it has succeeded. Null when nothing is written back.",
      }),
    deliveries: z
      .strictObject({
        pending: countSchema,
        succeeded: countSchema,
        failed: countSchema,
        unknown: countSchema.meta({
          description:
            "Those that may have arrived or not; they are not sent again unless you ask for that.",
        }),
      })
      .nullable()
      .meta({
        description:
          "How many deliveries are in each state; those of a document count once it has succeeded. Null when nothing is delivered.",
      }),
    merged: mergedSchema
      .nullable()
      .meta({ description: "The merged file; null when none was requested." }),
    emptyLists: z.array(z.string()).meta({
      description:
        "The lists of the template's record that are empty in all documents of a completed batch, or in the first 1,000 of a larger one.",
      example: ["lines"],
    }),
    documents: z.array(batchDocumentSchema).meta({
      description: "A page of documents, in the order in which they were sent.",
    }),
    pagination: paginationSchema,
  })
  .meta({ id: "Batch" });

type StatusCounts = BatchView["counts"];
type WriteBackCounts = NonNullable<BatchView["writeBack"]>;
type WaitingWriteBacks = NonNullable<WriteBackCounts["waiting"]>;
type DeliveryCounts = NonNullable<BatchView["deliveries"]>;
type BatchSummary = z.output<typeof batchListItemSchema>;
type BatchDocumentView = z.output<typeof batchDocumentSchema>;
/** With a page of its documents in the order in which they were sent. */
export type BatchView = z.output<typeof batchSchema>;
export type MergeView = z.output<typeof mergedSchema>;

/** @throws PlatenError `not_found`, also for another organization's batch and for one that is not accepted yet. */
export async function findBatch(
  read: EntityManager,
  organizationId: string,
  id: string,
): Promise<Batch> {
  const where = { id, organizationId, status: Not("accepting" as const) };
  const row = isId(id, "batch") ? await read.findOneBy(Batch, where) : null;
  if (row) return row;
  throw new PlatenError("not_found", "There is no such batch.");
}

/** The newest first. */
export async function listBatches(
  read: EntityManager,
  organizationId: string,
  page: PageRequest,
) {
  const { rows, ...pagination } = await listPage(read, Batch, {
    ...page,
    where: { organizationId, status: Not("accepting") },
    newestBy: "createdAt",
  });
  return { data: rows.map(toBatchSummary), pagination };
}

/** @param read a snapshot, so that the parts agree with each other. @throws PlatenError `not_found`. */
export async function readBatch(
  read: EntityManager,
  organizationId: string,
  batchId: string,
  page: PageRequest,
  baseUrl: string,
): Promise<BatchView> {
  const batch = await findBatch(read, organizationId, batchId);
  const counts = await countByStatus(read, batchId);
  const writeBack = await countWriteBacks(read, batch);
  const merge = await read.findOneBy(BatchMerge, { batchId });
  // A document's place in its batch is indexed, so that every page is read equally fast.
  const first = (page.page - 1) * page.pageSize;
  const documents = await read.find(Document, {
    where: { batchId, batchIndex: Between(first, first + page.pageSize - 1) },
    order: { batchIndex: "ASC" },
  });
  const pending = writeBack?.pending
    ? await findPendingWriteBacks(read, documents)
    : new Map<string, never>();
  return {
    ...toBatchSummary(batch),
    counts,
    writeBack,
    deliveries: await countDeliveries(read, batch),
    merged: merge && toMergeView(merge, baseUrl),
    emptyLists: batch.emptyLists ?? [],
    documents: documents.map((row) =>
      toBatchDocumentView(row, pending.get(row.id)),
    ),
    pagination: { ...page, total: batch.totalCount },
  };
}

function toMergeView(row: BatchMerge, baseUrl: string): MergeView {
  const { status, leftOut, storageKey, batchId } = row;
  return toView(mergedSchema, row, {
    status: status === "waiting" ? "pending" : status,
    url:
      storageKey === null ? null : `${baseUrl}/api/batches/${batchId}/merged`,
    leftOut: leftOut ?? { count: 0, documents: [] },
  });
}

function toBatchDocumentView(
  row: Document,
  writeBack: Parameters<typeof toDocumentView>[1],
): BatchDocumentView {
  const { report } = getPlatenMetadata(row);
  return {
    ...toDocumentView(row, writeBack),
    ...(typeof report === "object" &&
      report !== null && { warningCount: countWarnings(report) }),
  };
}

function toBatchSummary(row: Batch): BatchSummary {
  const { totalCount, remaining } = row;
  return toView(batchListItemSchema, row, {
    batchId: row.id,
    status: getVisibleStatus(row),
    progress: Math.floor(((totalCount - remaining) / totalCount) * 1e4) / 1e4,
  });
}

function getVisibleStatus({ status }: Batch): BatchSummary["status"] {
  if (status !== "accepting") return status;
  throw new PlatenError("internal", "A batch was read before its acceptance.");
}

/** How many documents of a batch are in each state; read from the index alone. */
export async function countByStatus(
  read: EntityManager,
  batchId: string,
): Promise<StatusCounts> {
  const none = { queued: 0, rendering: 0, succeeded: 0, failed: 0, expired: 0 };
  return { ...none, ...(await countStatuses(read, Document, batchId)) };
}

/** How many documents' files were written back to the records' platform; null when none are to be. */
export async function countWriteBacks(
  read: EntityManager,
  { id: batchId, platform }: Pick<Batch, "id" | "platform">,
): Promise<WriteBackCounts | null> {
  if (platform === null) return null;
  const source = await read.findOne(RecordBatch, {
    where: { batchId },
    select: { batchId: true, fieldId: true },
  });
  if (source?.fieldId == null) return null;
  const none = { pending: 0, succeeded: 0, failed: 0 };
  const counts = {
    ...none,
    ...(await countStatuses(read, WriteBack, batchId)),
  };
  const waiting = counts.pending > 0 ? await findWaiting(read, batchId) : null;
  return { ...counts, ...(waiting && { waiting }) };
}

async function countDeliveries(
  read: EntityManager,
  { id: batchId, deliver }: Pick<Batch, "id" | "deliver">,
): Promise<DeliveryCounts | null> {
  if (deliver === null) return null;
  const counts = await countStatuses(read, Delivery, batchId);
  const { pending = 0, sending = 0 } = counts;
  const { succeeded = 0, failed = 0, unknown = 0 } = counts;
  return { pending: pending + sending, succeeded, failed, unknown };
}

async function findWaiting(
  read: EntityManager,
  batchId: string,
): Promise<WaitingWriteBacks | null> {
  const where = {
    batchId,
    status: "pending" as const,
    error: Not(IsNull()),
  };
  const next = await read.findOne(WriteBack, {
    where,
    order: { nextAttemptAt: "ASC", documentId: "ASC" },
  });
  if (next === null) return null;
  const { error, attempts, nextAttemptAt } = next;
  return {
    count: await read.countBy(WriteBack, where),
    waitingFor: error ?? "",
    attempts,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  };
}

async function countStatuses(
  read: EntityManager,
  entity: EntityTarget<ObjectLiteral>,
  batchId: string,
): Promise<Record<string, number>> {
  const rows = await read
    .createQueryBuilder(entity, "one")
    .select("one.status", "status")
    .addSelect("COUNT(*)", "count")
    .where({ batchId })
    .groupBy("one.status")
    .getRawMany<{ status: string; count: string | number }>();
  return Object.fromEntries(
    rows.map(({ status, count }) => [status, Number(count)]),
  );
}

const rowsPerPiece = 100;

/**
 * The response to an accepted batch as JSON text, piece by piece: the batch with all documents as they were accepted,
 * whatever happened to them since, so that it can be repeated. SQLite reads synchronously, so other requests get a turn
 * between the pieces.
 */
export async function* writeAcceptedBatch(
  read: EntityManager,
  { id, totalCount }: Pick<Batch, "id" | "totalCount">,
): AsyncGenerator<string> {
  const head = JSON.stringify({ batchId: id, totalCount, status: "queued" });
  yield `${head.slice(0, -1)},"documents":[`;
  let separator = "";
  const documents = readBatchDocuments(read, id);
  for await (const rows of inChunks(documents, rowsPerPiece)) {
    const texts = rows.map((row) => JSON.stringify(toQueuedDocument(row)));
    yield `${separator}${texts.join(",")}`;
    separator = ",";
    await yieldToEventLoop();
  }
  yield "]}";
}

/** Only the fields that the specification lists for queued documents. */
function toQueuedDocument(row: Document) {
  const { platen: _ours, ...metadata } = row.metadata ?? {};
  return {
    id: row.id,
    organizationId: row.organizationId,
    templateId: row.templateId,
    createdById: row.createdById,
    status: "queued",
    outputs: [],
    metadata,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}

const rowsPerRead = 250;

/** Documents of a batch, in the order in which they were sent, read chunk by chunk on demand. */
export async function* readBatchDocuments(
  read: EntityManager,
  batchId: string,
  where: FindOptionsWhere<Document> = {},
): AsyncGenerator<Document> {
  let after = -1;
  for (;;) {
    const rows = await read.find(Document, {
      where: { ...where, batchId, batchIndex: MoreThan(after) },
      order: { batchIndex: "ASC" },
      take: rowsPerRead,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last?.batchIndex == null) return;
    after = last.batchIndex;
  }
}

/**
 * Collects items into arrays of `maxCount`, or of fewer that together are larger than `maxSize`; the last one may be shorter, and
 * none is empty.
 */
export async function* inChunks<T>(
  source: AsyncIterable<T>,
  maxCount: number,
  maxSize = Infinity,
  getSize: (item: T) => number = () => 0,
): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  let size = 0;
  for await (const item of source) {
    chunk.push(item);
    size += getSize(item);
    if (chunk.length < maxCount && size < maxSize) continue;
    yield chunk;
    chunk = [];
    size = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** The history of an organization's batches, for people. */
@scoped(Lifecycle.ContainerScoped)
export class BatchLog {
  constructor(@inject(STORE) private readonly store: Pick<Store, "snapshot">) {}

  /** The newest first. */
  list(
    organizationId: string,
    query: PageRequest & { batchId: string | null },
  ): Promise<{ data: BatchLine[]; total: number }> {
    return this.store.snapshot((read) => readLog(read, organizationId, query));
  }
}

async function readLog(
  read: EntityManager,
  organizationId: string,
  { batchId, ...page }: PageRequest & { batchId: string | null },
): Promise<{ data: BatchLine[]; total: number }> {
  const { rows, total } = await listPage(read, Batch, {
    ...page,
    where: {
      organizationId,
      status: Not("accepting"),
      ...(batchId !== null && { id: batchId }),
    },
    newestBy: "createdAt",
  });
  const templateIds = rows.map((row) => row.templateId);
  const templates = await namesOf(read, Template, templateIds);
  const authorIds = rows.map((row) => row.createdById);
  const authors = await namesOf(read, User, authorIds);
  const failed = await countFailures(read, rows);
  const writeBacks = await countUnsaved(read, rows);
  const data = rows.map((row) => ({
    id: row.id,
    status: getVisibleStatus(row),
    totalCount: row.totalCount,
    remaining: row.remaining,
    platform: row.platform,
    fileName: row.source?.fileName ?? null,
    createdAt: row.createdAt.toISOString(),
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    template: { id: row.templateId, name: templates.get(row.templateId) ?? "" },
    createdBy: authors.get(row.createdById) ?? "",
    failed: failed.get(row.id) ?? 0,
    writeBack: {
      pending: writeBacks.get(`${row.id} pending`) ?? 0,
      failed: writeBacks.get(`${row.id} failed`) ?? 0,
    },
  }));
  return { data, total };
}

/** How many write-backs of each batch did not succeed, by `<batch> <status>`; read from their index alone. */
async function countUnsaved(
  read: EntityManager,
  batches: readonly Batch[],
): Promise<Map<string, number>> {
  const ids = batches
    .filter(({ platform }) => platform !== null)
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await read
    .createQueryBuilder(WriteBack, "one")
    .select("one.batchId", "id")
    .addSelect("one.status", "status")
    .addSelect("COUNT(*)", "count")
    .where({ batchId: In(ids), status: In(["pending", "failed"]) })
    .groupBy("one.batchId")
    .addGroupBy("one.status")
    .getRawMany<{ id: string; status: string; count: string | number }>();
  return new Map(
    rows.map(({ id, status, count }) => [`${id} ${status}`, Number(count)]),
  );
}

/** How many documents of each batch failed; read from the index of failures alone, however large the batches are. */
async function countFailures(
  read: EntityManager,
  batches: readonly Batch[],
): Promise<Map<string, number>> {
  const rows = await read
    .createQueryBuilder(Document, "document")
    .select("document.batchId", "id")
    .addSelect("COUNT(*)", "count")
    .where({ batchId: In(batches.map(({ id }) => id)), status: "failed" })
    .groupBy("document.batchId")
    .getRawMany<{ id: string; count: string | number }>();
  return new Map(rows.map(({ id, count }) => [id, Number(count)]));
}
