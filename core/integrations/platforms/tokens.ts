import { createToken } from "../../lib/tokens.js";
import type {
  Links,
  PlatformRecordSource,
  RecordBatches,
  Runs,
} from "./index.js";

/** Fetches the records of batches from platforms. */
export const RECORD_SOURCE = createToken<PlatformRecordSource>(
  "PlatformRecordSource",
);
export const RECORD_BATCHES = createToken<RecordBatches>("RecordBatches");
/** Links by which people without a key create documents. */
export const LINKS = createToken<Links>("Links");
/** Runs of links' buttons. */
export const RUNS = createToken<Runs>("Runs");
