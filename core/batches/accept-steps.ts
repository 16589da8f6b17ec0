import type { EntityManager } from "typeorm";
import type { RecentPayloads } from "../documents/index.js";
import type { Queue } from "../queue/index.js";
import {
  Batch,
  Document,
  DocumentRecord,
  insertRow,
  insertRows,
} from "../storage/database/index.js";
import type { DraftedItem } from "./batch-draft.js";
import { inChunks } from "./chunks.js";
import { DOCUMENT_JOB } from "./document-job.js";

/** A batch that is about to be written. */
export interface PlannedBatch {
  batch: Batch;
  /** Of items that bring none. */
  expiresAt: Date;
  /** From the first, at every call. */
  items(): AsyncIterable<DraftedItem>;
  payloads: Pick<RecentPayloads, "note">;
  alongside?: Alongside | undefined;
}

/** Written in the transaction that brings the batch in sight; when it rejects, there is no batch. */
export type Alongside = (tx: EntityManager, batch: Batch) => Promise<void>;

/** A part of the acceptance: all in one transaction, or one after the other, in which case `publish` shows them. */
type Step = (tx: EntityManager) => Promise<void>;

const rowsPerInsert = 250;
const jobsPerInsert = 500;

/** The batch unseen, its documents with their records, the batch in sight, the wake-ups. */
export async function* acceptSteps(
  queue: Queue,
  planned: PlannedBatch,
): AsyncGenerator<Step> {
  const { batch } = planned;
  yield (tx) => insertRow(tx, Batch, batch);
  let index = 0;
  for await (const items of inChunks(planned.items(), rowsPerInsert)) {
    const first = index;
    index += items.length;
    yield (tx) => insertItems(tx, planned, items, first);
  }
  yield (tx) => publish(tx, planned);
  // Whoever brings their data wakes them.
  if (batch.platform !== null) return;
  for await (const items of inChunks(planned.items(), jobsPerInsert))
    yield (tx) => queue.enqueue(tx, items.map(jobOf(batch)));
}

async function insertItems(
  tx: EntityManager,
  planned: PlannedBatch,
  items: readonly DraftedItem[],
  first: number,
): Promise<void> {
  const documents = items.map((item, at) =>
    documentRow(planned, item, first + at),
  );
  await insertRows(tx, Document, documents);
  if (planned.batch.platform !== null) return;
  const records = items.map(({ documentId, data }) => ({
    documentId,
    batchId: planned.batch.id,
    data,
  }));
  await insertRows(tx, DocumentRecord, records);
  if (first === 0) await notePayload(tx, planned, items);
}

/** Of all its records, the first is for whoever designs the template. */
async function notePayload(
  tx: EntityManager,
  { payloads, batch }: PlannedBatch,
  [first]: readonly DraftedItem[],
): Promise<void> {
  if (first === undefined) return;
  const { organizationId, templateId, createdAt } = batch;
  const payload = {
    organizationId,
    templateId,
    source: "batch",
    json: () => first.data,
  } as const;
  await payloads.note(tx, payload, createdAt);
}

async function publish(
  tx: EntityManager,
  { batch, alongside }: PlannedBatch,
): Promise<void> {
  const unseen = { id: batch.id, status: "accepting" } as const;
  await tx.update(Batch, unseen, { status: "queued" });
  await alongside?.(tx, batch);
}

function jobOf({ organizationId }: Batch) {
  return ({ documentId }: DraftedItem) => ({
    kind: DOCUMENT_JOB,
    rowId: documentId,
    share: organizationId,
  });
}

function documentRow(
  { batch, expiresAt }: PlannedBatch,
  item: DraftedItem,
  batchIndex: number,
): Omit<Document, never> {
  const { organizationId, templateId, templateVersion } = batch;
  const { definitionHash, imageType, createdById, createdAt } = batch;
  return {
    id: item.documentId,
    organizationId,
    templateId,
    templateVersion,
    definitionHash,
    formats: item.formats ?? batch.formats,
    imageType,
    isTest: false,
    metadata: {
      ...item.metadata,
      batchId: batch.id,
      batchIndex,
      totalCount: batch.totalCount,
    },
    batchId: batch.id,
    batchIndex,
    expiresAt: item.expiresAt ?? expiresAt,
    createdById,
    createdAt,
    updatedAt: createdAt,
    ...untouched(),
  };
}

/** Of a document that no worker has seen. */
function untouched() {
  return {
    status: "queued" as const,
    outputs: [],
    fileName: null,
    error: null,
    attempts: 0,
    interruptions: 0,
    isRetrying: false,
    lockToken: null,
    lockedUntil: null,
    purgeAt: null,
    completedAt: null,
  };
}
