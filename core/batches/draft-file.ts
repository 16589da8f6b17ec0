import type { FileHandle } from "node:fs/promises";
import { openUnlinkedFile, removeLeftoverFiles } from "../lib/unlinked-file.js";

const bufferedCharacters = 1024 * 1024;
const prefix = ".draft-";

/** Removes the empty files of killed processes. */
export function removeLeftDrafts(folder: string): Promise<void> {
  return removeLeftoverFiles(folder, prefix);
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
    return new DraftFile(await openUnlinkedFile(folder, prefix));
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
