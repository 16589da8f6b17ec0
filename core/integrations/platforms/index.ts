// Batches of a platform's records, whose files can be written back into the records; links that people without a key use
// to start them; and the setup of such a link in a table.
//
// A batch is accepted without data. Jobs fetch its records group by group (fetch-worker), store each document's root data
// and queue the document, which is rendered as in any other batch. The transaction in which a document succeeds also
// inserts a row for its write-back and a job for its cell (write-back-worker). A failed write-back does not change document,
// file or events. The queue starts the jobs within the platforms' rate limits (rate-limits), so that none waits in a slot.
export {
  bindToLink,
  type OpenLink,
  createFormulas,
  linkPatchSchema,
  Links,
  linkSchema,
  type LinkWithUrl,
  linkWithUrlSchema,
  newLinkSchema,
} from "./links.js";
export { type RunDocument, type RunProgress, Runs } from "./runs.js";
export { RecordBatches, type SelectedRecords } from "./record-batches.js";
export { hasVersion } from "./record-versions.js";
export {
  describeChange,
  newSavedRequestFields,
  savedRequestFields,
  savedRequestPatchFields,
  SavedRequests,
  toRecordsRequest,
} from "./saved-request.js";
export {
  checkSelector,
  isNoneSelectedError,
  type RecordSelector,
  recordsSchema,
  toSelector,
} from "./select-records.js";
export { PlatformRecordSource } from "./record-source.js";
export { isPublicAddress } from "./rate-limits.js";
export { ButtonSetup } from "./button-setup.js";
export { FileBatches, type UploadedFiles } from "./file-batches.js";
export { PastedRows } from "./pasted-rows.js";
export { FetchWorker } from "./fetch-worker.js";
export { WriteBackWorker } from "./write-back-worker.js";
export {
  type ChosenSources,
  TABLE_PROBLEM_CODES,
  type TableLocation,
} from "./views.js";
