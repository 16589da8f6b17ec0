import type { SecretBox } from "../../lib/secrets.js";
import { createToken } from "../../lib/tokens.js";
import type {
  ButtonSetup,
  FetchWorker,
  FileBatches,
  Links,
  PlatformRecordSource,
  RateLimits,
  RecordBatches,
  Runs,
  WriteBackWorker,
} from "./index.js";

/** Fetches the records of batches from platforms. */
export const RECORD_SOURCE = createToken<PlatformRecordSource>(
  "PlatformRecordSource",
);
export const PLATFORM_RATE_LIMITS = createToken<RateLimits>(
  "platform rate limits",
);
export const RECORD_BATCHES = createToken<RecordBatches>("RecordBatches");
/** Batches of the rows of files. */
export const FILE_BATCHES = createToken<FileBatches>("FileBatches");
export const FETCH_WORKER = createToken<FetchWorker>("FetchWorker");
export const WRITE_BACK_WORKER =
  createToken<WriteBackWorker>("WriteBackWorker");
/** The waits before retries of a write-back, in milliseconds. */
export const WRITE_BACK_DELAYS_MS =
  createToken<readonly number[]>("write-back delays");
export const BUTTON_SETUP = createToken<ButtonSetup>("ButtonSetup");
/** Links by which people without a key create documents. */
export const LINKS = createToken<Links>("Links");
/** Encrypts the tokens of links. */
export const LINK_SECRETS = createToken<SecretBox>("link secrets");
/** Runs of links' buttons. */
export const RUNS = createToken<Runs>("Runs");
/** Encrypts the forms of runs. */
export const FORM_SECRETS = createToken<SecretBox>("form secrets");
