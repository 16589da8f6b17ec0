import type { Readable } from "node:stream";
import { PlatenError } from "./errors.js";
import type { Log } from "./observability.js";
import type { PluginMeta } from "./plugin.js";

/** A byte range, both ends inclusive, as HTTP counts them. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredFile {
  sizeBytes: number;
  /** `sha256:` and 64 hex digits. */
  checksum: string;
}

/** How a file that is fetched straight from its store is to be named and shown. */
export interface DirectFile {
  filename: string;
  mimeType: string;
}

/** Where outputs and assets live. Keys are ours (random, `/`-separated), never a caller's words. */
export interface FileStore {
  /** Makes ready what the store needs, and removes half-written files of earlier lives. Call once, before any `put`. */
  prepare(): Promise<void>;
  /** Saves the whole file or nothing: a reader never sees half of it, not even after a crash. */
  put(key: string, body: Uint8Array | Readable): Promise<StoredFile>;
  /** The file's size and a stream of it, or of a part of it; null when there is none. */
  open(
    key: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: Readable } | null>;
  /** The size without opening the file; null when there is none. */
  size(key: string): Promise<number | null>;
  /** Removing what is not there is no error. */
  delete(key: string): Promise<void>;
  /** The keys below one folder, in no order; what is written meanwhile may be missing. */
  keys(folder: string): AsyncIterable<string>;
  /** @returns whether it was there, was last written before that time, and is gone now. */
  deleteIfOlder(key: string, time: Date): Promise<boolean>;
  /** An address from which anybody can fetch the file for so long; absent where the store has no door of its own. */
  directUrl?(
    key: string,
    file: DirectFile,
    ttlSeconds: number,
  ): Promise<string>;
}

const pattern = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9._-]*){1,7}$/;
const longest = 200;

/** Every file store asks this first. @throws PlatenError `internal` for what is no key of ours, such as a path that climbs out of the store. */
export function checkFileKey(key: string): void {
  const isKey =
    key.length <= longest && pattern.test(key) && !key.includes("..");
  if (isKey) return;
  throw new PlatenError(
    "internal",
    "A stored file has a key that this store cannot hold.",
    { cause: new Error(`file key ${JSON.stringify(key.slice(0, 300))}`) },
  );
}

/** A place for files outside of the service's own folder, chosen by the address in PLATEN_FILE_STORE. */
export interface FileStorePlugin {
  meta: PluginMeta & { kind: "file-store" };
  /** Of the addresses that it opens, without the colon: `s3`. */
  scheme: string;
  /**
   * Opens the store, and shows that it can be written.
   * @param address such as `s3://bucket/prefix?region=eu-central-1`.
   * @throws PlatenError `unavailable` that says what is missing and how to mend it.
   */
  open(address: URL, context: { log: Log }): Promise<FileStore>;
}
