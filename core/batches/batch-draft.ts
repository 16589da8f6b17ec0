import type { FileHandle } from "node:fs/promises";
import { parseExpiry } from "../documents/index.js";
import { clock } from "../lib/clock.js";
import { openUnlinkedFile } from "../lib/unlinked-file.js";
import { type Format, PlatenError } from "../plugin-api/index.js";
import { newId } from "../storage/database/index.js";

/** One record of a batch, as the caller sends it. */
export interface BatchItem {
  /** The root record; empty when not given. */
  data?: object | undefined;
  /** The caller's own keys. */
  metadata?: Record<string, unknown> | undefined;
  /** See `parseExpiry`; default: the batch's. */
  expiresAt?: string | undefined;
  /** At least one, each once; default: the batch's. */
  formats?: readonly Format[] | undefined;
  /** BCP 47; default: the batch's. */
  locale?: string | undefined;
  /** The document that is retried. */
  retryOf?: string | undefined;
  source?: RowSource | undefined;
}

/** The cells of the row of a file that a document is made of, or of its rows. */
export type RowSource =
  readonly unknown[] | { rows: readonly (readonly unknown[])[] };

/** A record that is not accepted yet, with the id of its future document. */
export interface DraftedItem {
  documentId: string;
  metadata: Record<string, unknown>;
  expiresAt: Date | null;
  formats: Format[] | null;
  locale: string | null;
  /** The document that is retried. */
  retryOf: string | null;
  /** The root record as JSON. */
  data: string;
  /** A `RowSource` as JSON. */
  source: string | null;
}

interface ItemHeader {
  id: string;
  metadata: Record<string, unknown>;
  expiresAt: number | null;
  formats: readonly Format[] | null;
  locale: string | null;
  retryOf: string | null;
}

/** @throws PlatenError `too_large` for more items than a batch may have. */
export function assertItemCount(count: number, maxItems: number): void {
  if (count > maxItems)
    throw new PlatenError(
      "too_large",
      `A batch contains at most ${maxItems} items. Send several batches, or raise PLATEN_MAX_BATCH_ITEMS.`,
    );
}

/** The records of a batch before its acceptance: on disk when they are many, so that they take no memory. */
export class BatchDraft {
  #count = 0;
  #lastExpiry: Date | null = null;

  readonly #lines: DraftLines;
  readonly #now = clock.date();

  /** Close it afterwards. */
  constructor(
    folder: string,
    private readonly maxItems: number,
  ) {
    this.#lines = new DraftLines(folder);
  }

  get count(): number {
    return this.#count;
  }

  /** Whether its items are read from memory, without waiting for a disk. */
  get isInMemory(): boolean {
    return this.#lines.isInMemory;
  }

  /** The latest expiry that an item has of its own. */
  get lastExpiry(): Date | null {
    return this.#lastExpiry;
  }

  /** @throws PlatenError `invalid_request` for an invalid expiry, `too_large` for one item too many. */
  async add(item: BatchItem): Promise<void> {
    const expiresAt =
      item.expiresAt === undefined
        ? null
        : parseExpiry(item.expiresAt, this.#now);
    if (expiresAt && (!this.#lastExpiry || expiresAt > this.#lastExpiry))
      this.#lastExpiry = expiresAt;
    this.#count += 1;
    assertItemCount(this.#count, this.maxItems);
    const { platen: _ours, ...metadata } = item.metadata ?? {};
    const header: ItemHeader = {
      id: newId("doc"),
      metadata,
      expiresAt: expiresAt?.getTime() ?? null,
      formats: item.formats ?? null,
      locale: item.locale ?? null,
      retryOf: item.retryOf ?? null,
    };
    const parts = [
      header,
      item.data ?? {},
      ...(item.source ? [item.source] : []),
    ];
    await this.#lines.add(parts.map((part) => JSON.stringify(part)).join("\t"));
  }

  /** In the order in which they were added, from the first at every call. */
  async *items(): AsyncGenerator<DraftedItem> {
    for await (const line of this.#lines.read()) yield parseItem(line);
  }

  async close(): Promise<void> {
    await this.#lines.close();
  }
}

/** JSON escapes tabs, so they divide the parts. */
function parseItem(line: string): DraftedItem {
  const [first = "", data = "", source = null] = line.split("\t");
  // Only `add` writes these lines.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const header = JSON.parse(first) as ItemHeader;
  const { id, metadata, expiresAt, formats, locale, retryOf } = header;
  return {
    documentId: id,
    metadata,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    formats: formats && [...formats],
    locale,
    retryOf,
    data,
    source,
  };
}

const maxBufferedCharacters = 1024 * 1024;
export const DRAFT_FILE_PREFIX = ".draft-";

/** Lines of text in memory and, when they are many, in an unlinked temporary file, which disappears with its process. */
class DraftLines {
  #buffered: string[] = [];
  #size = 0;
  #file: FileHandle | null = null;

  constructor(private readonly folder: string) {}

  get isInMemory(): boolean {
    return this.#file === null;
  }

  /** @param line without a line break. */
  async add(line: string): Promise<void> {
    this.#buffered.push(line);
    this.#size += line.length;
    if (this.#size < maxBufferedCharacters) return;
    this.#file ??= await openUnlinkedFile(this.folder, DRAFT_FILE_PREFIX);
    await this.#flush(this.#file);
  }

  /** All lines, from the first at every call. */
  async *read(): AsyncGenerator<string> {
    if (this.#file === null) {
      yield* this.#buffered;
      return;
    }
    await this.#flush(this.#file);
    const stream = this.#file.createReadStream({
      encoding: "utf8",
      start: 0,
      autoClose: false,
    });
    let rest = "";
    // Node's line reader also splits at U+2028, which JSON may contain.
    for await (const chunk of stream) {
      const parts = `${rest}${String(chunk)}`.split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #flush(file: FileHandle): Promise<void> {
    const text = this.#buffered.map((line) => `${line}\n`).join("");
    this.#buffered = [];
    this.#size = 0;
    if (text !== "") await file.appendFile(text);
  }
}
