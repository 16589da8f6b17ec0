import { createToken } from "../../lib/tokens.js";
import type {
  Connections,
  Links,
  PlatformRecords,
  RecordBatches,
  Runs,
} from "./index.js";

/** Fetches the records of batches from platforms. */
export const RECORD_SOURCE = createToken<PlatformRecords>("PlatformRecords");
export const PLATFORM_CONNECTIONS = createToken<Connections>(
  "connections of platforms",
);
export const RECORD_BATCHES = createToken<RecordBatches>("RecordBatches");
/** Links by which people without a key create documents. */
export const LINKS = createToken<Links>("Links");
/** Runs of links' buttons. */
export const RUNS = createToken<Runs>("Runs");
