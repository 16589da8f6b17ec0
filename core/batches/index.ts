// Many records become many documents, each exactly once, whatever dies in between. Rows are the truth; a job of the
// queue is only a wake-up that carries a document's id.
//
// A document (column `status`; every change is one conditional update, and its side effects are rows that are written in
// the same transaction):
//
//   (accepted) ──> queued          accept-batch: with all others of its batch, or none
//   queued ──> rendering           claim-document: a worker whom the queue handed the job; it leaves a lock token
//   rendering ──> rendering        claim-document: its worker died or stalled, and the queue handed the job to another;
//                                  what the first still saves names the old token and changes nothing;
//                                  it is rendered alone in its process from then on
//   rendering ──> succeeded        document/record-queued: outputs, usage and `document.succeeded`
//   rendering ──> queued           put-back: the render failed, may succeed at another time, and was tried less than
//                                  four times (`isRetrying`); or the worker had to stop, or the browser was busy
//   rendering ──> failed           end-documents: the fourth failure; an error that trying again cannot mend; three
//                                  workers died of it (poison); it failed after its batch was cancelled
//   queued ──> failed              cancel-batch
//   queued, rendering ──> expired  sweep-expired, or its worker: `expiresAt` has passed
//
// A batch:
//
//   accepting ──> queued           accept-batch: all documents are written; until then nobody sees any of it
//   queued ──> running             batch-contexts: a worker has its first document
//   queued, running ──> completed  count-ended: in the transaction that ends its last document, with
//                                  `documents.completed`
//
// What a crash leaves is found by sweeps (batch-sweeps): documents without a job, cancellations and acceptances that
// stopped half-way, records that nobody needs any more. Where documents go to signing, the request is written in the
// transaction in which the document succeeds, so that there is one for each; what becomes of it is not a matter of this
// room.
export type { Alongside, BatchOrder } from "./accept-batch.js";
export type { ArchiveEntry } from "./archive.js";
export { batchSweeps, type Sweep } from "./sweeps.js";
export { BatchDraft, type BatchItem } from "./batch-draft.js";
export {
  BatchLog,
  type BatchSummary,
  type BatchView,
  type BatchList,
} from "./read-batches.js";
export {
  Batches,
  type BatchesParts,
  type BatchOwner,
  findBatch,
  type RecordSource,
  requireBatchPlan,
} from "./batches.js";
export { type BadEnd, endDocuments } from "./end-documents.js";
export { DOCUMENT_JOB } from "./document-job.js";
export {
  type WorkLimits,
  type WorkParts,
  workBatches,
} from "./document-worker.js";
