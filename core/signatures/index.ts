// Rendered PDFs on their way through an e-signature provider: sent once, watched, and brought back signed. How a provider
// is called is the host's matter, what is printed the document room's.
//
// A request is a row, written in the transaction that records its document, with a job that wakes whoever works on it:
//
//   starting -> pending                the provider has it (start/)
//   starting -> failed                 the provider refuses it for good, or cannot be reached for days
//   starting, pending -> expired       its time is over; withdrawn at the provider, which may also say so itself
//   starting, pending -> canceled      asked for, withdrawn at the provider by others, or gone there
//   pending -> completed | declined    so it ended at the provider (watch/)
//   pending -> failed                  its connection was deleted
//
// A start is noted in the row (`sentAt`) before it is made. A row that is found so may be at the provider: it is looked
// for there by our id, several times, before it is sent again. What a provider tells by itself (signature-notices.ts) only
// wakes the job; the state is always asked for. Each end is one conditional update, and with it go the signed files as
// outputs of the document, the event, and the write-back into the record that the document came from.
export type {
  EsignTimes,
  EsignParts,
  ProviderConnection,
  ProviderConnections,
  SignedFilesSink,
} from "./ports.js";
export {
  forgetEnded,
  wakeForgotten,
  type EsignWorkParts,
  workSignatures,
} from "./signature-worker.js";
export { SignatureDesk } from "./signing-service.js";
export { tellSignatureMetrics } from "./signature-metrics.js";
export { SignatureNotices } from "./signature-notices.js";
export {
  type SignatureDetail,
  type SubmitterView,
  type SignatureList,
  type SignatureQuery,
  Signatures,
} from "./signatures.js";
