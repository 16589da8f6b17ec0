// Sends rendered PDFs to an e-signature provider: each is sent once, polled, and fetched when it is signed. The host of plugins
// calls the providers, and `documents` prints.
//
// A request is a row, written in the transaction that records its document, with a job:
//
//   starting -> pending                the provider has it (signature-worker)
//   starting -> failed                 the provider rejects it for good, or cannot be reached for days
//   starting, pending -> expired       it has expired; withdrawn at the provider, unless it reports the expiry itself
//   starting, pending -> canceled      by a caller, by others at the provider, or deleted there
//   pending -> completed | declined    so it ended at the provider (signature-worker)
//   pending -> failed                  its connection was deleted
//
// A start is recorded in the row (`sentAt`) before it is made. A row found with it may be at the provider: it is looked up
// there by our id, several times, before it is sent again. A webhook of the provider (signature-notices) only wakes the
// job, which always reads the state from the provider. Each end is one conditional update, together with the signed files
// as outputs of the document, the event, and the write-back into the record that the document came from.
// Registers what documents use of this capability.
import "./signing-service.js";

export { SignatureNotices } from "./signature-notices.js";
export { SIGNED_FILES_SINK } from "./signature-request.js";
export { SignatureWorker } from "./signature-worker.js";
export {
  type SignatureDetail,
  signatureSchema,
  Signatures,
} from "./signatures.js";
