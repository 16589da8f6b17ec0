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
import { parseExpiry } from "../documents/index.js";
import { type Format, PlatenError } from "../plugin-api/index.js";
import { newId } from "../storage/database/index.js";

/** One record of a batch, as a caller sends it. */
export interface BatchItem {
  /** The root record; empty when not given. */
  data?: object | undefined;
  /** The caller's own keys. */
  metadata?: Record<string, unknown> | undefined;
  /** See `parseExpiry`; default: the batch's. */
  expiresAt?: string | undefined;
  /** At least one, each once; default: the batch's. */
  formats?: readonly Format[] | undefined;
}

/** A record that waits to be accepted, with the id of the document that it will be. */
export interface DraftedItem {
  documentId: string;
  metadata: Record<string, unknown>;
  expiresAt: Date | null;
  formats: Format[] | null;
  /** The root record as JSON. */
  data: string;
}

interface Head {
  id: string;
  metadata: Record<string, unknown>;
  expiresAt: number | null;
  formats: readonly Format[] | null;
}

/** The records of a batch between their arrival and its acceptance: on disk, so that their number costs no memory. */
export class BatchDraft {
  #count = 0;
  #lastExpiry: Date | null = null;

  private constructor(
    private readonly file: DraftFile,
    private readonly maxItems: number,
    private readonly now: Date,
  ) {}

  static async open(folder: string, maxItems: number): Promise<BatchDraft> {
    const file = await DraftFile.open(folder);
    return new BatchDraft(file, maxItems, new Date());
  }

  get count(): number {
    return this.#count;
  }

  /** The latest expiry that an item brought itself. */
  get lastExpiry(): Date | null {
    return this.#lastExpiry;
  }

  /** @throws PlatenError `invalid_request` for its expiry, `too_large` for one item too many. */
  async add(item: BatchItem): Promise<void> {
    const expiresAt = this.#expiryOf(item);
    if (this.#count === this.maxItems) throw tooMany(this.maxItems);
    this.#count += 1;
    const { platen: _ours, ...metadata } = item.metadata ?? {};
    const head: Head = {
      id: newId("doc"),
      metadata,
      expiresAt: expiresAt?.getTime() ?? null,
      formats: item.formats ?? null,
    };
    const data = JSON.stringify(item.data ?? {});
    await this.file.add(`${JSON.stringify(head)}\t${data}`);
  }

  /** In the order in which they came; again from the first at every call. */
  async *items(): AsyncGenerator<DraftedItem> {
    for await (const line of this.file.lines()) yield itemOf(line);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  #expiryOf({ expiresAt }: BatchItem): Date | null {
    if (expiresAt === undefined) return null;
    const expiry = parseExpiry(expiresAt, this.now);
    if (this.#lastExpiry === null || expiry > this.#lastExpiry)
      this.#lastExpiry = expiry;
    return expiry;
  }
}

/** JSON holds no tab outside of what it escapes, so the first one ends the head. */
function itemOf(line: string): DraftedItem {
  const tab = line.indexOf("\t");
  // Written by `add` alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const head = JSON.parse(line.slice(0, tab)) as Head;
  const { id, metadata, expiresAt, formats } = head;
  return {
    documentId: id,
    metadata,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    formats: formats && [...formats],
    data: line.slice(tab + 1),
  };
}

function tooMany(maxItems: number): PlatenError {
  return new PlatenError(
    "too_large",
    `A batch holds at most ${maxItems} items. Send several batches, or raise PLATEN_MAX_BATCH_ITEMS.`,
  );
}

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
class DraftFile {
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
