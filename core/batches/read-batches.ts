import { Between, type EntityManager, Not } from "typeorm";
import { toDocumentView } from "../documents/index.js";
import {
  Batch,
  Document,
  listPage,
  type PageRequest,
} from "../storage/database/index.js";
import {
  batchSummary,
  type BatchSummary,
  type BatchView,
} from "./batch-view.js";
import { countByStatus } from "./count-by-status.js";
import { countWriteBacks } from "./count-write-backs.js";
import { findBatch } from "./find-batch.js";

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
