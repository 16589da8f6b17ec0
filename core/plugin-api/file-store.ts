import type { Readable } from "node:stream";

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
