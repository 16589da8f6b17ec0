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

/** Where outputs and assets live. Keys are ours (random, `/`-separated), never a caller's words. */
export interface FileStore {
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
}
