import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rm,
  stat,
  unlink,
} from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { PlatenError } from "../../plugin-api/index.js";
import type { ReadableFile } from "../kind/video-kind.js";

const PREFIX = ".upload-";
/** A file has its name for the blink between opening and unlinking it; who was killed then left it. */
const LEFT_AFTER_MS = 60_000;

/** Removes the empty files of processes that were killed at the wrong moment. */
export async function removeLeftUploads(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > LEFT_AFTER_MS)
      await rm(path, { force: true });
  }
}

/** Bytes that are too many for memory: a file without a name, which ends with the process that holds it. */
export class NamelessFile implements ReadableFile {
  #size = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async open(folder: string): Promise<NamelessFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${PREFIX}${randomUUID()}`);
    const handle = await open(path, "wx+", 0o600);
    await unlink(path);
    return new NamelessFile(handle);
  }

  get sizeBytes(): number {
    return this.#size;
  }

  /** @throws PlatenError `unavailable` when the disk is full. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.handle.writeFile(bytes).catch(noRoom);
    this.#size += bytes.length;
  }

  async read(start: number, end: number): Promise<Uint8Array> {
    const bytes = Buffer.alloc(end - start);
    const { bytesRead } = await this.handle.read(bytes, 0, end - start, start);
    return bytes.subarray(0, bytesRead);
  }

  /** All of it, from the first byte, as often as asked for. */
  stream(): Readable {
    return this.handle.createReadStream({ start: 0, autoClose: false });
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

function noRoom(cause: unknown): never {
  throw new PlatenError(
    "unavailable",
    "The file cannot be taken at the moment: the service has no room for it.",
    { cause },
  );
}
