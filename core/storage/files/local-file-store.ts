import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type ByteRange,
  checkFileKey,
  type FileStore,
  PlatenError,
  type StoredFile,
} from "../../plugin-api/index.js";
import { systemCode } from "./system-code.js";
import { TemporaryFiles } from "./temporary-files.js";

/**
 * Files in a folder of this machine. A file is written beside its place, flushed, and renamed into it, so that
 * nobody ever reads half of one. Names that start with a dot are no keys: temporary files cannot be opened.
 */
export class LocalFileStore implements FileStore {
  private readonly temporary: TemporaryFiles;

  constructor(private readonly folder: string) {
    this.temporary = new TemporaryFiles(join(folder, ".tmp"));
  }

  /** Makes the folder and removes half-written files of earlier lives. Call once, before anything is put. */
  async prepare(): Promise<void> {
    await this.temporary.sweep();
  }

  async put(key: string, body: Uint8Array | Readable): Promise<StoredFile> {
    const target = this.pathOf(key);
    const temporary = this.temporary.newPath();
    try {
      const stored = await writeWhole(temporary, body);
      await moveInto(temporary, target);
      return stored;
    } catch (error) {
      await rm(temporary, { force: true });
      throw storeError(error);
    }
  }

  async open(
    key: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: Readable } | null> {
    const handle = await open(this.pathOf(key), "r").catch(nullWhenAbsent);
    if (handle === null) return null;
    const { size } = await handle.stat();
    return { sizeBytes: size, stream: handle.createReadStream({ ...range }) };
  }

  async size(key: string): Promise<number | null> {
    const found = await stat(this.pathOf(key)).catch(nullWhenAbsent);
    return found?.size ?? null;
  }

  async delete(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  /** The keys below one folder, in no order; what is written meanwhile may be missing. */
  async *keys(folder: string): AsyncGenerator<string> {
    const entries = await readdir(join(this.folder, folder), {
      withFileTypes: true,
    }).catch(nullWhenAbsent);
    for (const entry of entries ?? [])
      if (entry.isDirectory()) yield* this.keys(`${folder}/${entry.name}`);
      else yield `${folder}/${entry.name}`;
  }

  /** @returns whether it was there, was last written before that time, and is gone now. */
  async deleteIfOlder(key: string, time: Date): Promise<boolean> {
    const found = await stat(this.pathOf(key)).catch(nullWhenAbsent);
    if (found === null || found.mtime >= time) return false;
    await this.delete(key);
    return true;
  }

  private pathOf(key: string): string {
    checkFileKey(key);
    return join(this.folder, key);
  }
}

/** The folder is nearly always there already. */
async function moveInto(temporary: string, target: string): Promise<void> {
  try {
    await rename(temporary, target);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    await mkdir(dirname(target), { recursive: true });
    await rename(temporary, target);
  }
}

async function writeWhole(
  path: string,
  body: Uint8Array | Readable,
): Promise<StoredFile> {
  const handle = await open(path, "wx", 0o600);
  try {
    const stored =
      body instanceof Uint8Array
        ? writeBytes(handle, body)
        : await writeStream(handle, body);
    await handle.datasync();
    return stored;
  } finally {
    await handle.close();
  }
}

/** Bytes that are in memory are in the page cache sooner than a thread of the pool has been asked to put them there. */
function writeBytes(handle: FileHandle, bytes: Uint8Array): StoredFile {
  writeFileSync(handle.fd, bytes);
  return { sizeBytes: bytes.byteLength, checksum: checksumOf(bytes) };
}

async function writeStream(
  handle: FileHandle,
  body: Readable,
): Promise<StoredFile> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  await pipeline(body, async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      await handle.writeFile(chunk);
    }
  });
  return { sizeBytes, checksum: `sha256:${hash.digest("hex")}` };
}

/** `sha256:` and 64 hex digits. */
function checksumOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function nullWhenAbsent(error: unknown): null {
  if (systemCode(error) === "ENOENT") return null;
  throw storeError(error);
}

function storeError(error: unknown): PlatenError {
  if (error instanceof PlatenError) return error;
  const isFull = ["ENOSPC", "EDQUOT"].includes(systemCode(error));
  return new PlatenError(
    "unavailable",
    isFull
      ? "The file store is full. Free some space, then try again."
      : "The file store cannot be read or written at the moment.",
    { cause: error },
  );
}
