import type { Readable } from "node:stream";
import { PlatenError } from "./errors.js";
import type { Log } from "./observability.js";
import type { PluginMeta } from "./plugin.js";

/** A byte range with inclusive ends, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredFile {
  sizeBytes: number;
  /** `sha256:` and 64 hex digits. */
  checksum: string;
}

/** The name and type of a file that is downloaded directly from its store. */
export interface DirectFile {
  filename: string;
  mimeType: string;
}

/** Stores outputs and assets. Keys are generated (random, `/`-separated) and never contain input of a caller. */
export interface FileStore {
  /** Creates what the store needs, and removes partial files of earlier processes. Call once, before any `put`. */
  prepare(): Promise<void>;
  /** Stores the file atomically: a reader never sees part of it, not even after a crash. */
  put(key: string, body: Uint8Array | Readable): Promise<StoredFile>;
  /** The file's size and a stream of it or of a range; null when the file does not exist. */
  open(
    key: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: Readable } | null>;
  /** The size, without opening the file; null when the file does not exist. */
  size(key: string): Promise<number | null>;
  /** Succeeds when the file does not exist. */
  delete(key: string): Promise<void>;
  /** The keys below a folder, in no particular order. Files written meanwhile may be missing. */
  keys(folder: string): AsyncIterable<string>;
  /** Deletes the file if it was last written before that time. @returns whether it was deleted. */
  deleteIfOlder(key: string, time: Date): Promise<boolean>;
  /**
   * A URL from which anybody can download the file for that time, or null when this file has none; absent when the store
   * serves no files itself.
   */
  directUrl?(
    key: string,
    file: DirectFile,
    ttlSeconds: number,
  ): Promise<string | null>;
}

const keyPattern = /^[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9._-]*){1,7}$/;
const maxKeyLength = 200;

/** Every file store must call this first. @throws PlatenError `internal` for an invalid key, such as a path that leaves the store. */
export function checkFileKey(key: string): void {
  const isKey =
    key.length <= maxKeyLength && keyPattern.test(key) && !key.includes("..");
  if (isKey) return;
  throw new PlatenError("internal", "The key of a stored file is invalid.", {
    cause: new Error(`file key ${JSON.stringify(key.slice(0, 300))}`),
  });
}

/** A file store outside of the service's folder, selected by the address in PLATEN_FILE_STORE. */
export interface FileStorePlugin {
  meta: PluginMeta & { kind: "file-store" };
  /** The scheme of its addresses, without the colon: `s3`. */
  scheme: string;
  /**
   * Opens the store.
   * @param address such as `s3://bucket/prefix?region=eu-central-1`.
   * @throws PlatenError `unavailable` that says what is wrong and how to fix it.
   */
  open(address: URL, context: { log: Log }): Promise<FileStore>;
}
