// Records of a platform become a batch, and its files go back into the records. The walk over links, the mapping to root
// data and the ledger of what was written are here, once for all platforms.
//
// A batch of this room is accepted without data. Its records are fetched group by group in jobs (walk/), which store
// each document's root data and wake the document; the batch room renders it as any other. In the transaction in which
// a document succeeds, a row and a job for its write-back are written (write-back/); a write-back that fails leaves
// document, file and events as they are.
export type { Destination } from "./destination.js";
export { findDestination } from "./generate-from-records.js";
export * from "./links/index.js";
export { PlatformRecords } from "./platform-records.js";
export type { Connections } from "./connections.js";
export { RecordBatches, type RecordBatchesParts } from "./record-batches.js";
export { ButtonSetup } from "./setup/button-setup.js";
export type { DestinationRequest, RecordsRequest } from "./records-request.js";
export { type PlatformWorkParts, workPlatforms } from "./work-platforms.js";
export { isPublicAddress } from "./public-address.js";
