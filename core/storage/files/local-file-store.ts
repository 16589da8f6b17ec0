import { createHash, randomBytes } from "node:crypto";
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
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { clock } from "../../lib/clock.js";
import {
  type ByteRange,
  checkFileKey,
  type FileStore,
  PlatenError,
  type StoredFile,
} from "../../plugin-api/index.js";

/**
 * Files in a local folder. A file is written to a temporary file, flushed and renamed, so that nobody ever reads an
 * incomplete file. Keys must not start with a dot, so temporary files cannot be opened.
 */
export class LocalFileStore implements FileStore {
  readonly #temporary: TemporaryFolder;

  constructor(private readonly folder: string) {
    this.#temporary = new TemporaryFolder(join(folder, ".tmp"));
  }

  /** Creates the folder and removes incomplete files of dead processes. Call once, before the first `put`. */
  async prepare(): Promise<void> {
    await this.#temporary.prepare();
  }

  async put(key: string, body: Uint8Array | Readable): Promise<StoredFile> {
    const target = this.#toPath(key);
    const temporary = this.#temporary.newPath();
    try {
      const stored = await writeFlushed(temporary, body);
      await moveTo(target, temporary);
      return stored;
    } catch (error) {
      await rm(temporary, { force: true });
      throw toStoreError(error);
    }
  }

  async open(
    key: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: Readable } | null> {
    const handle = await open(this.#toPath(key), "r").catch(nullIfMissing);
    if (handle === null) return null;
    const { size } = await handle.stat();
    return { sizeBytes: size, stream: handle.createReadStream({ ...range }) };
  }

  async size(key: string): Promise<number | null> {
    const stats = await stat(this.#toPath(key)).catch(nullIfMissing);
    return stats?.size ?? null;
  }

  async delete(key: string): Promise<void> {
    await rm(this.#toPath(key), { force: true });
  }

  /** The keys below a folder, in no order; files written meanwhile may be missing. */
  async *keys(folder: string): AsyncGenerator<string> {
    const entries = await readdir(join(this.folder, folder), {
      withFileTypes: true,
    }).catch(nullIfMissing);
    for (const entry of entries ?? [])
      if (entry.isDirectory()) yield* this.keys(`${folder}/${entry.name}`);
      else yield `${folder}/${entry.name}`;
  }

  /** @returns whether the file existed, was last written before that time, and is deleted now. */
  async deleteIfOlder(key: string, time: Date): Promise<boolean> {
    const stats = await stat(this.#toPath(key)).catch(nullIfMissing);
    if (stats === null || stats.mtime >= time) return false;
    await this.delete(key);
    return true;
  }

  #toPath(key: string): string {
    checkFileKey(key);
    return join(this.folder, key);
  }
}

/** The target's folder nearly always exists already. */
async function moveTo(target: string, temporary: string): Promise<void> {
  try {
    await rename(temporary, target);
  } catch (error) {
    if (getErrorCode(error) !== "ENOENT") throw error;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await rename(temporary, target);
  }
}

async function writeFlushed(
  path: string,
  body: Uint8Array | Readable,
): Promise<StoredFile> {
  const handle = await open(path, "wx", 0o600);
  try {
    const stored =
      body instanceof Uint8Array && body.byteLength <= MAX_BYTES_AT_ONCE
        ? writeBytes(handle, body)
        : await writeStream(handle, body);
    await handle.datasync();
    return stored;
  } finally {
    await handle.close();
  }
}

/** Larger files are written part by part, so that others are answered meanwhile. */
const MAX_BYTES_AT_ONCE = 1024 * 1024;

/** Synchronous, because copying bytes to the page cache is faster than handing them to a thread of the pool. */
function writeBytes(handle: FileHandle, bytes: Uint8Array): StoredFile {
  writeFileSync(handle.fd, bytes);
  const hash = createHash("sha256").update(bytes).digest("hex");
  return { sizeBytes: bytes.byteLength, checksum: `sha256:${hash}` };
}

async function writeStream(
  handle: FileHandle,
  body: Uint8Array | Readable,
): Promise<StoredFile> {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const source = body instanceof Uint8Array ? splitBytes(body) : body;
  await pipeline(source, async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      await handle.writeFile(chunk);
    }
  });
  return { sizeBytes, checksum: `sha256:${hash.digest("hex")}` };
}

function* splitBytes(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += MAX_BYTES_AT_ONCE)
    yield bytes.subarray(start, start + MAX_BYTES_AT_ONCE);
}

function nullIfMissing(error: unknown): null {
  if (getErrorCode(error) === "ENOENT") return null;
  throw toStoreError(error);
}

function toStoreError(error: unknown): PlatenError {
  if (error instanceof PlatenError) return error;
  const isFull = ["ENOSPC", "EDQUOT"].includes(getErrorCode(error));
  return new PlatenError(
    "unavailable",
    isFull
      ? "The file store is full. Free some space, then try again."
      : "The file store cannot be read or written at the moment.",
    { cause: error },
  );
}

/** The system's code of an error, such as `ENOENT`; empty when it has none. */
function getErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

const maxForeignAgeMs = 60 * 60_000;

/**
 * The folder for incomplete files, on the same file system as their targets. Names are `<process id>.<random>.<host>`,
 * which tells files of dead processes from those that a live one is writing.
 */
class TemporaryFolder {
  constructor(private readonly folder: string) {}

  newPath(): string {
    const random = randomBytes(12).toString("hex");
    return join(this.folder, `${process.pid}.${random}.${hostname()}`);
  }

  async prepare(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.folder))
      if (await this.#isLeftover(name))
        await rm(join(this.folder, name), { force: true });
  }

  /** Processes of other hosts cannot be checked, so their files must be old. */
  async #isLeftover(name: string): Promise<boolean> {
    const [pid, , ...host] = name.split(".");
    if (host.join(".") === hostname()) return !isAlive(Number(pid));
    const stats = await stat(join(this.folder, name)).catch(() => null);
    return stats !== null && clock.now() - stats.mtimeMs > maxForeignAgeMs;
  }
}

/** Nothing is written before the start, so a file with this process's id is from an earlier process. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === "EPERM";
  }
}
