import { createToken } from "../lib/tokens.js";
import type {
  Batches,
  DocumentDeliveries,
  DocumentWorker,
  DocumentWorkerOptions,
  MergeWorker,
  RecordSource,
} from "./index.js";

export const BATCHES = createToken<Batches>("Batches");
/** The folder for the records of batches that are not accepted yet. */
export const BATCH_DRAFT_FOLDER = createToken<string>("batch draft folder");
export const MAX_BATCH_ITEMS = createToken<number>("maximum of batch items");
/** Renders the documents of batches. */
export const DOCUMENT_WORKER = createToken<DocumentWorker>("DocumentWorker");
/** Joins the documents of batches in one file. */
export const MERGE_WORKER = createToken<MergeWorker>("MergeWorker");
export const DOCUMENT_WORKER_OPTIONS = createToken<DocumentWorkerOptions>(
  "DocumentWorkerOptions",
);
/** Delivers the documents of batches. Implemented by deliveries. */
export const DOCUMENT_DELIVERIES =
  createToken<DocumentDeliveries>("DocumentDeliveries");
/** Knows the records of batches that were accepted without them. Implemented by integrations/platforms. */
export const BATCH_RECORDS = createToken<RecordSource>("RecordSource");
