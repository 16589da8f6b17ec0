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

const bufferedCharacters = 1024 * 1024;
const prefix = ".draft-";
/** A draft has its name for the blink between opening and unlinking it; who was killed then left it. */
const leftAfterMs = 60_000;

/** Removes the empty files of processes that were killed at the wrong moment. */
export async function removeLeftDrafts(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > leftAfterMs)
      await rm(path, { force: true });
  }
}

/** Lines of text that are too many for memory: a file without a name, which ends with the process that holds it. */
export class DraftFile {
  readonly #handle: FileHandle;
  #buffered: string[] = [];
  #size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(folder: string): Promise<DraftFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${prefix}${randomUUID()}`);
    const handle = await open(path, "wx+", 0o600);
    await unlink(path);
    return new DraftFile(handle);
  }

  /** @param line without a line break. */
  async add(line: string): Promise<void> {
    this.#buffered.push(line, "\n");
    this.#size += line.length;
    if (this.#size >= bufferedCharacters) await this.#flush();
  }

  /** All lines, from the first, as often as asked for. */
  async *lines(): AsyncGenerator<string> {
    await this.#flush();
    const stream = this.#handle.createReadStream({
      encoding: "utf8",
      start: 0,
      autoClose: false,
    });
    let rest = "";
    // Not a line reader of the library: it also splits at U+2028, which JSON may hold.
    for await (const chunk of stream) {
      const parts = `${rest}${String(chunk)}`.split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #flush(): Promise<void> {
    const text = this.#buffered.join("");
    this.#buffered = [];
    this.#size = 0;
    if (text !== "") await this.#handle.appendFile(text);
  }
}
