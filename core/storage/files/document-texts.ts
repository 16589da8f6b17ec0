import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { inflateRawSync } from "node:zlib";
import { compress, uncompress } from "snappyjs";
import type { EntityManager } from "typeorm";
import type {
  ByteRange,
  FileStore,
  StoredFile,
} from "../../plugin-api/index.js";
import {
  changeRows,
  DocumentText,
  insertRows,
  type Store,
  type UnitOfWork,
} from "../database/index.js";

// To put a file safely onto a disk takes five turns of Node's thread pool and a flush. A compressed row, in a transaction
// that is committed anyway, takes a quarter of the processor time. So the short texts of documents are rows, which are read
// and deleted by keys as if they were files.

/** In bytes of UTF-8. Longer texts are files, so that transactions stay short. */
const MAX_TEXT_BYTES = 256 * 1024;

const textKey = /^texts\/(doc_[0-9a-f-]{36})\.([a-z]+)$/;

/** A text that becomes a row, with its key. */
interface NewText extends StoredFile {
  storageKey: string;
  /** Compressed before the transaction, in which others wait. */
  content: Buffer;
}

/** @returns null for a text that is too long for a row */
export function createText(
  documentId: string,
  format: string,
  bytes: Uint8Array,
): NewText | null {
  const sizeBytes = bytes.byteLength;
  if (sizeBytes > MAX_TEXT_BYTES) return null;
  const storageKey = `texts/${documentId}.${format}`;
  const checksum = `sha256:${hash("sha256", bytes)}`;
  const content = Buffer.concat([SNAPPY, compress(bytes)]);
  return { storageKey, sizeBytes, checksum, content };
}

/**
 * The first byte of what is compressed with Snappy, which no raw deflate begins with: older rows are that. Each call of
 * Node's deflate leaves a stream that only a collection of all garbage frees, which takes longer than to compress.
 */
const SNAPPY = Uint8Array.of(0xff);

function decompress(content: Buffer): Buffer {
  return content[0] === SNAPPY[0]
    ? Buffer.from(uncompress(content.subarray(1)).buffer)
    : inflateRawSync(content);
}

/** Writes those of the files that are kept as rows, in the transaction that records their documents. */
export async function insertTexts(
  tx: EntityManager,
  files: readonly { storageKey: string; content?: Buffer }[],
  createdAt: Date,
): Promise<void> {
  const rows = files.flatMap(({ storageKey, content }) => {
    const place = parseKey(storageKey);
    return place && content ? [{ ...place, content, createdAt }] : [];
  });
  if (rows.length > 0) await insertRows(tx, DocumentText, rows);
}

/** Deletes those of the keys that are texts, and returns the others. */
export async function deleteTexts(
  unitOfWork: UnitOfWork,
  keys: readonly string[],
): Promise<string[]> {
  const texts = keys.flatMap((key) => parseKey(key) ?? []);
  const places = texts.map(() => "(document_id = ? AND format = ?)");
  if (texts.length > 0)
    await unitOfWork.run((tx) =>
      changeRows(
        tx,
        `DELETE FROM document_text WHERE ${places.join(" OR ")}`,
        texts.flatMap(({ documentId, format }) => [documentId, format]),
      ),
    );
  return keys.filter((key) => !parseKey(key));
}

function parseKey(
  key: string,
): Pick<DocumentText, "documentId" | "format"> | null {
  const [, documentId, format] = textKey.exec(key) ?? [];
  return documentId !== undefined && format !== undefined
    ? { documentId, format }
    : null;
}

/** The files of a store, and the texts that are rows. Texts are written with `insertTexts` and never changed. */
export class FilesAndTexts implements FileStore {
  readonly directUrl?: NonNullable<FileStore["directUrl"]>;

  constructor(
    private readonly files: FileStore,
    private readonly store: Pick<Store, "read" | "unitOfWork">,
  ) {
    const directUrl = files.directUrl?.bind(files);
    if (directUrl)
      this.directUrl = async (key, ...rest) =>
        parseKey(key) ? null : directUrl(key, ...rest);
  }

  prepare(): Promise<void> {
    return this.files.prepare();
  }

  put(key: string, body: Uint8Array | Readable): Promise<StoredFile> {
    return this.files.put(key, body);
  }

  async open(
    key: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; stream: Readable } | null> {
    const text = parseKey(key);
    if (!text) return this.files.open(key, range);
    const bytes = await this.#read(text);
    return (
      bytes && {
        sizeBytes: bytes.byteLength,
        stream: Readable.from(
          [range ? bytes.subarray(range.start, range.end + 1) : bytes],
          { objectMode: false },
        ),
      }
    );
  }

  async size(key: string): Promise<number | null> {
    const text = parseKey(key);
    if (!text) return this.files.size(key);
    return (await this.#read(text))?.byteLength ?? null;
  }

  async delete(key: string): Promise<void> {
    if (parseKey(key)) await deleteTexts(this.store.unitOfWork, [key]);
    else await this.files.delete(key);
  }

  keys(folder: string): AsyncIterable<string> {
    return this.files.keys(folder);
  }

  deleteIfOlder(key: string, time: Date): Promise<boolean> {
    return this.files.deleteIfOlder(key, time);
  }

  async #read(
    text: Pick<DocumentText, "documentId" | "format">,
  ): Promise<Buffer | null> {
    const row = await this.store.read.findOneBy(DocumentText, text);
    return row && decompress(row.content);
  }
}
