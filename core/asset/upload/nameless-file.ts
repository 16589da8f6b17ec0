import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { PlatenError } from "../../contract/index.js";
import type { ReadableFile } from "../kind/video-kind.js";

/** Bytes that are too many for memory: a file without a name, which ends with the process that holds it. */
export class NamelessFile implements ReadableFile {
  #size = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async open(folder: string): Promise<NamelessFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `.upload-${randomUUID()}`);
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
