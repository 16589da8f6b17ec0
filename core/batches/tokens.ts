import { createToken } from "../lib/tokens.js";
import type {
  Batches,
  DocumentWorker,
  DocumentWorkerOptions,
  RecordSource,
} from "./index.js";

export const BATCHES = createToken<Batches>("Batches");
/** The folder for the records of batches that are not accepted yet. */
export const BATCH_DRAFT_FOLDER = createToken<string>("batch draft folder");
export const MAX_BATCH_ITEMS = createToken<number>("maximum of batch items");
/** Renders the documents of batches. */
export const DOCUMENT_WORKER = createToken<DocumentWorker>("DocumentWorker");
export const DOCUMENT_WORKER_OPTIONS = createToken<DocumentWorkerOptions>(
  "DocumentWorkerOptions",
);
/** Knows the records of batches that were accepted without them. Implemented by integrations/platforms. */
export const BATCH_RECORDS = createToken<RecordSource>("RecordSource");
