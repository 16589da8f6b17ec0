import { z } from "zod";
import type { FakeField, FakeRecord, Ids } from "./fake-table.js";
import { refusals } from "./refusal.js";

export interface FakeFile {
  id: string;
  url: string;
  filename: string;
  size?: number;
  type?: string;
}

const item = z.union([
  z.object({ id: z.string() }),
  z.object({ url: z.url(), filename: z.string().optional() }),
]);
const upload = z.object({
  contentType: z.string(),
  filename: z.string(),
  file: z.base64(),
});

const mostBytes = 5 * 1024 * 1024;

/** The files in the cells of a fake. */
export class Attachments {
  readonly bytes = new Map<string, Uint8Array>();
  readonly #fetching: Promise<void>[] = [];

  constructor(
    private readonly ids: Ids,
    private readonly origin: () => string,
  ) {}

  /** All that addresses asked for has been fetched, or could not be. */
  async settled(): Promise<void> {
    await Promise.all(this.#fetching);
  }

  /** As `uploadAttachment` does: adds one file. */
  upload(record: FakeRecord, { id, name, type }: FakeField, body: unknown) {
    if (type !== "multipleAttachments") throw refusals.attachment(name);
    const { contentType, filename, file } = upload.parse(body);
    const bytes = Buffer.from(file, "base64");
    if (bytes.byteLength > mostBytes) throw refusals.tooLarge();
    const added = this.#keep({ filename, type: contentType, bytes });
    record.cells.set(id, [...filesIn(record, id), added]);
  }

  /** As PATCH does: the list is all that the cell holds then. */
  set(record: FakeRecord, { id, name }: FakeField, value: unknown) {
    const list = z.array(item).nullable().safeParse(value);
    if (!list.success) throw refusals.attachment(name);
    const held = filesIn(record, id);
    const next = (list.data ?? []).map((one) => {
      if (!("id" in one)) return this.#fetch(record, id, one);
      const kept = held.find((file) => file.id === one.id);
      if (!kept) throw refusals.attachment(name);
      return kept;
    });
    record.cells.set(id, next);
  }

  /** Later, and without a word when it fails: the file is gone from the cell then. */
  #fetch(
    record: FakeRecord,
    fieldId: string,
    { url, filename = "file" }: { url: string; filename?: string | undefined },
  ): FakeFile {
    const file: FakeFile = { id: this.ids.next("att"), url, filename };
    const fetching = this.#bring(file).catch(() => {
      const left = filesIn(record, fieldId).filter(({ id }) => id !== file.id);
      record.cells.set(fieldId, left);
    });
    this.#fetching.push(fetching);
    return file;
  }

  async #bring(file: FakeFile): Promise<void> {
    const reply = await fetch(file.url);
    if (!reply.ok) throw new Error(`${reply.status}`);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    this.bytes.set(file.id, bytes);
    file.size = bytes.byteLength;
    file.url = `${this.origin()}/files/${file.id}`;
  }

  #keep(file: { filename: string; type: string; bytes: Uint8Array }): FakeFile {
    const { filename, type, bytes } = file;
    const id = this.ids.next("att");
    this.bytes.set(id, bytes);
    const url = `${this.origin()}/files/${id}`;
    return { id, url, filename, size: bytes.byteLength, type };
  }
}

const file = z.custom<FakeFile>(
  (value) => z.object({ id: z.string() }).safeParse(value).success,
);

function filesIn({ cells }: FakeRecord, fieldId: string): FakeFile[] {
  return z.array(file).parse(cells.get(fieldId) ?? []);
}
