import { setImmediate as turn } from "node:timers/promises";
import {
  Between,
  type EntityManager,
  Not,
  type FindOptionsWhere,
  MoreThan,
  In,
} from "typeorm";
import { toDocumentView, type DocumentView } from "../documents/index.js";
import {
  type Format,
  type ImageType,
  PlatenError,
  type BatchLine,
} from "../plugin-api/index.js";
import {
  Batch,
  Document,
  listPage,
  type PageRequest,
  type DocumentStatus,
  RecordBatch,
  WriteBack,
  type WriteBackStatus,
  namesOf,
  type Store,
  Template,
  User,
} from "../storage/database/index.js";
import { findBatch } from "./batches.js";

export interface BatchList {
  data: BatchSummary[];
  pagination: { page: number; pageSize: number; total: number };
}

/** The newest first. */
export async function listBatches(
  read: EntityManager,
  organizationId: string,
  page: PageRequest,
): Promise<BatchList> {
  const { rows, ...pagination } = await listPage(read, Batch, {
    ...page,
    where: { organizationId, status: Not("accepting") },
    newestBy: "createdAt",
  });
  return { data: rows.map(batchSummary), pagination };
}

/** @param read a snapshot, or the parts would contradict each other. @throws PlatenError `not_found`. */
export async function readBatch(
  read: EntityManager,
  organizationId: string,
  id: string,
  page: PageRequest,
): Promise<BatchView> {
  const batch = await findBatch(read, organizationId, id);
  const counts = await countByStatus(read, id);
  const writeBack = await countWriteBacks(read, batch);
  const documents = await documentsOf(read, id, page);
  return {
    ...batchSummary(batch),
    counts,
    writeBack,
    documents: documents.map(toDocumentView),
    pagination: { ...page, total: batch.totalCount },
  };
}

/** A document's place in its batch is in an index, so that every page is as near as the first. */
function documentsOf(
  read: EntityManager,
  batchId: string,
  { page, pageSize }: PageRequest,
): Promise<Document[]> {
  const first = (page - 1) * pageSize;
  return read.find(Document, {
    where: { batchId, batchIndex: Between(first, first + pageSize - 1) },
    order: { batchIndex: "ASC" },
  });
}

/** A batch as callers see it in a list; times are ISO 8601. */
export interface BatchSummary {
  batchId: string;
  organizationId: string;
  templateId: string;
  templateVersion: number;
  status: "queued" | "running" | "completed";
  totalCount: number;
  /** The share of documents that are terminal, 0 to 1. */
  progress: number;
  formats: Format[];
  imageType: ImageType;
  /** Where the records are; null when they came with the request. */
  platform: string | null;
  /** The batch whose failed documents these are. */
  retryOf: string | null;
  createdById: string;
  createdAt: string;
  updatedAt: string;
  cancelledAt: string | null;
  completedAt: string | null;
}

/** One batch, with a page of its documents in the order in which they were sent. */
export interface BatchView extends BatchSummary {
  counts: StatusCounts;
  /** Null when nothing is written back. */
  writeBack: WriteBackCounts | null;
  documents: DocumentView[];
  pagination: { page: number; pageSize: number; total: number };
}

function batchSummary(row: Batch): BatchSummary {
  const { id, totalCount, remaining, templateVersion, retryOf } = row;
  return {
    batchId: id,
    organizationId: row.organizationId,
    templateId: row.templateId,
    templateVersion,
    status: shownStatus(row),
    totalCount,
    progress: Math.floor(((totalCount - remaining) / totalCount) * 1e4) / 1e4,
    formats: row.formats,
    imageType: row.imageType,
    platform: row.platform,
    retryOf,
    createdById: row.createdById,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

function shownStatus({ status }: Batch): BatchSummary["status"] {
  if (status !== "accepting") return status;
  throw new PlatenError("internal", "A batch was shown before its time.");
}

type StatusCounts = Record<DocumentStatus, number>;

/** How many documents of a batch are in each state; read from the index alone. */
export async function countByStatus(
  read: EntityManager,
  batchId: string,
): Promise<StatusCounts> {
  const rows = await read
    .createQueryBuilder(Document, "document")
    .select("document.status", "status")
    .addSelect("COUNT(*)", "count")
    .where({ batchId })
    .groupBy("document.status")
    .getRawMany<{ status: DocumentStatus; count: string | number }>();
  const counts = {
    queued: 0,
    rendering: 0,
    succeeded: 0,
    failed: 0,
    expired: 0,
  };
  for (const { status, count } of rows) counts[status] = Number(count);
  return counts;
}

type WriteBackCounts = Record<WriteBackStatus, number>;

/** How many documents' files went back to the records' platform; null when none are to. */
async function countWriteBacks(
  read: EntityManager,
  { id: batchId, platform }: Pick<Batch, "id" | "platform">,
): Promise<WriteBackCounts | null> {
  if (platform === null) return null;
  const order = await read.findOne(RecordBatch, {
    where: { batchId },
    select: { batchId: true, fieldId: true },
  });
  if (order?.fieldId == null) return null;
  const rows = await read
    .createQueryBuilder(WriteBack, "one")
    .select("one.status", "status")
    .addSelect("COUNT(*)", "count")
    .where({ batchId })
    .groupBy("one.status")
    .getRawMany<{ status: WriteBackStatus; count: string | number }>();
  const counts = { pending: 0, succeeded: 0, failed: 0 };
  for (const { status, count } of rows) counts[status] = Number(count);
  return counts;
}

const rowsPerPiece = 100;

/**
 * The answer to an accepted batch as JSON text, piece by piece: the batch with all documents as they were accepted,
 * whatever became of them since, so that it can be given again. SQLite answers without a turn of the event loop; other
 * requests get theirs between the pieces.
 */
export async function* acceptedAnswer(
  read: EntityManager,
  { id, totalCount }: Pick<Batch, "id" | "totalCount">,
): AsyncGenerator<string> {
  const head = JSON.stringify({ batchId: id, totalCount, status: "queued" });
  yield `${head.slice(0, -1)},"documents":[`;
  let separator = "";
  for await (const rows of inChunks(batchDocuments(read, id), rowsPerPiece)) {
    const texts = rows.map((row) => JSON.stringify(queuedDocument(row)));
    yield `${separator}${texts.join(",")}`;
    separator = ",";
    await turn();
  }
  yield "]}";
}

/** The fields that the specification lists for queued documents, and no other. */
function queuedDocument(row: Document) {
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

const chunk = 250;

/** Documents of a batch, in the order in which they were sent, read chunk by chunk as they are asked for. */
export async function* batchDocuments(
  read: EntityManager,
  batchId: string,
  where: FindOptionsWhere<Document> = {},
): AsyncGenerator<Document> {
  let after = -1;
  for (;;) {
    const rows = await read.find(Document, {
      where: { ...where, batchId, batchIndex: MoreThan(after) },
      order: { batchIndex: "ASC" },
      take: chunk,
    });
    yield* rows;
    const last = rows.at(-1);
    if (last?.batchIndex == null) return;
    after = last.batchIndex;
  }
}

/** What became of an organization's batches, to be looked through. */
export class BatchLog {
  constructor(private readonly store: Pick<Store, "snapshot">) {}

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
  const templates = await namesOf(
    read,
    Template,
    rows.map((row) => row.templateId),
  );
  const people = await namesOf(
    read,
    User,
    rows.map((row) => row.createdById),
  );
  const failed = await failuresOf(read, rows);
  const data = rows.map((row) => ({
    ...factsOf(row),
    template: { id: row.templateId, name: templates.get(row.templateId) ?? "" },
    createdBy: people.get(row.createdById) ?? "",
    failed: failed.get(row.id) ?? 0,
  }));
  return { data, total };
}

function factsOf(row: Batch) {
  const { id, status, totalCount, remaining, platform } = row;
  if (status === "accepting")
    throw new PlatenError("internal", "A batch was shown before its time.");
  return {
    id,
    status,
    totalCount,
    remaining,
    platform,
    createdAt: row.createdAt.toISOString(),
    cancelledAt: row.cancelledAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

/** How many documents of each failed; read from the index of failures alone, however large the batches are. */
async function failuresOf(
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

/** Gathers what comes into arrays of `size`; the last may be shorter, none is empty. */
export async function* inChunks<T>(
  source: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const one of source) {
    chunk.push(one);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
