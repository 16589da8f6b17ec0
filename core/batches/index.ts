// Many records become many documents, each exactly once, whichever process dies in between. Rows are the truth; a job of
// the queue is only a wake-up that names a document.
//
// A document (column `status`; every change is one conditional update, and its side effects are rows that are written in
// the same transaction):
//
//   (accepted) ──> queued          accept-batch: with all others of its batch, or none
//   queued ──> rendering           document-worker: the queue gave the job to a worker, which stores a lock token
//   rendering ──> rendering        document-worker: its worker died or stalled, and the queue gave the job to another;
//                                  writes of the first name the old token and change nothing; from then on it is
//                                  rendered exclusively in its process
//   rendering ──> succeeded        document-worker: with outputs, usage and `document.succeeded`
//   rendering ──> queued           document-worker: the render failed with a retryable error for less than the fourth
//                                  time (`isRetrying`); or the worker stopped, or the browser was busy
//   rendering ──> failed           end-documents: the fourth failure; an error that a retry cannot fix, such as wrong
//                                  data, and with `strict` any problem of the render report; three workers
//                                  died while rendering it (poison); it failed after its batch was cancelled
//   queued ──> failed              end-documents: its batch was cancelled
//   queued, rendering ──> expired  sweeps, or its worker: `expiresAt` has passed
//
// A batch:
//
//   accepting ──> queued           accept-batch: all documents are written; until then it is hidden
//   queued ──> running             document-worker: a worker has its first document
//   queued, running ──> completed  end-documents: in the transaction that ends its last document, with
//                                  `documents.completed`; for a platform's records, `documents.saved` follows when
//                                  the last write-back has ended too
//
// Sweeps fix what a crash leaves behind: documents without a job, interrupted cancellations and acceptances, records
// that are no longer needed. Where documents are sent for signature, the request is written in the transaction in which
// the document succeeds, so that there is one for each; `signatures` does the rest.
export type {
  AcceptCallback,
  BatchOptions,
  DeliverOrder,
  DocumentDeliveries,
} from "./accept-batch.js";
export {
  DOCUMENT_JOB,
  MAX_BATCH_ITEMS,
  DOCUMENT_DELIVERIES,
} from "./accept-batch.js";
export type { ArchiveEntry } from "./archive.js";
export {
  assertItemCount,
  BatchDraft,
  type BatchItem,
  type RowSource,
} from "./batch-draft.js";
export {
  Batches,
  type RecordSource,
  requireBatchPlan,
  RECORD_SOURCE,
} from "./batches.js";
export { DocumentWorker } from "./document-worker.js";
export {
  endDocuments,
  getEventMetadata,
  recordSaved,
} from "./end-documents.js";
export {
  BATCH_DRAFT_FOLDER,
  type MergeRequest,
  MergeWorker,
} from "./merge-batch.js";
export {
  batchListItemSchema,
  BatchLog,
  batchSchema,
  type BatchView,
  findBatch,
} from "./read-batches.js";
export { batchSweeps } from "./sweeps.js";
