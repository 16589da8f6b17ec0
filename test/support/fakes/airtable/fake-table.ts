import { z } from "zod";
import { airtableErrors, AirtableError } from "./airtable-errors.js";

interface FakeField {
  id: string;
  name: string;
  type: string;
  options?: Record<string, unknown>;
}

/** A type, or a type with its options. */
export type FieldSketch = string | Pick<FakeField, "type" | "options">;

interface FakeRecord {
  id: string;
  createdTime: string;
  /** By field id. */
  cells: Map<string, unknown>;
}

/** Gives ids of Airtable's form: three letters for the kind and fourteen more. */
export class Ids {
  #last = 0;

  next(prefix: string): string {
    this.#last += 1;
    return prefix + this.#last.toString(36).padStart(14, "0");
  }
}

/** A table and its records. */
export class FakeTable {
  readonly id: string;
  readonly fields: FakeField[];
  readonly records = new Map<string, FakeRecord>();

  constructor(
    private readonly ids: Ids,
    readonly name: string,
    fields: Readonly<Record<string, FieldSketch>>,
  ) {
    this.id = ids.next("tbl");
    this.fields = Object.entries(fields).map(([title, sketch]) => ({
      id: ids.next("fld"),
      name: title,
      ...(typeof sketch === "string" ? { type: sketch } : sketch),
    }));
  }

  /** By id or by name, as Airtable takes both. */
  field(name: string): FakeField {
    const found = this.fields.find(
      (one) => one.id === name || one.name === name,
    );
    if (!found) throw airtableErrors.unknownField(name);
    return found;
  }

  /** @param cells by a field's name. */
  add(cells: Readonly<Record<string, unknown>> = {}): string {
    const id = this.ids.next("rec");
    const entries = Object.entries(cells).map(
      ([name, value]) => [this.field(name).id, value] as const,
    );
    const createdTime = "2026-01-01T00:00:00.000Z";
    this.records.set(id, { id, createdTime, cells: new Map(entries) });
    return id;
  }

  record(id: string): FakeRecord {
    const found = this.records.get(id);
    if (!found) throw airtableErrors.notFound();
    return found;
  }

  /** As the API shows a record: empty cells are left out. */
  show(
    { id, createdTime, cells }: FakeRecord,
    byFieldId: boolean,
    only?: readonly string[],
  ) {
    const wanted = only?.map((name) => this.field(name).id);
    const shown = this.fields.filter(
      (field) =>
        !isEmpty(cells.get(field.id)) && (wanted?.includes(field.id) ?? true),
    );
    const fields = Object.fromEntries(
      shown.map((field) => [
        byFieldId ? field.id : field.name,
        cells.get(field.id),
      ]),
    );
    return { id, createdTime, fields };
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (value === false || value === "") return true;
  return Array.isArray(value) && value.length === 0;
}

const query = z.object({
  filterByFormula: z.string().default(""),
  pageSize: z.number().int().min(1).max(100).default(100),
  returnFieldsByFieldId: z.boolean().default(false),
  fields: z.array(z.string()).optional(),
  offset: z.string().optional(),
});

/** Only ever a page of at most a hundred, and an offset when there are more. */
export function listRecords(table: FakeTable, body: unknown) {
  const read = query.safeParse(body);
  if (!read.success)
    throw AirtableError.of(422, "INVALID_REQUEST_UNKNOWN", "Invalid request");
  const { filterByFormula, pageSize, fields, offset } = read.data;
  for (const name of fields ?? []) table.field(name);
  const all = filtered(table, filterByFormula);
  const from = Number(offset?.replace("itr", "") ?? 0);
  const next = from + pageSize;
  return {
    records: all
      .slice(from, next)
      .map((record) =>
        table.show(record, read.data.returnFieldsByFieldId, fields),
      ),
    ...(next < all.length && { offset: `itr${next}` }),
  };
}

/** Of all formulas, it knows those that name records, and the search for a text in a field. */
function filtered(
  { records }: FakeTable,
  formula: string,
): readonly FakeRecord[] {
  if (formula === "") return [...records.values()];
  const search = searched(formula);
  if (search)
    return [...records.values()].filter(({ cells }) =>
      holds(cells.get(search.fieldId), search.text),
    );
  const inner = /^OR\((.*)\)$/.exec(formula)?.[1];
  if (inner === undefined) throw airtableErrors.formula(formula);
  const ids = inner.split(",").map((condition) => {
    const id = /^RECORD_ID\(\)='(rec[A-Za-z0-9]{14})'$/.exec(condition)?.[1];
    if (id === undefined) throw airtableErrors.formula(formula);
    return id;
  });
  return [...records.values()].filter(({ id }) => ids.includes(id));
}

const searching =
  /^SEARCH\(LOWER\(("(?:[^"\\]|\\.)*")\), LOWER\(\{(fld[A-Za-z0-9]{14})\} & ""\)\)$/;

function searched(formula: string): { text: string; fieldId: string } | null {
  const [, text = '""', fieldId = ""] = searching.exec(formula) ?? [];
  if (fieldId === "") return null;
  return { text: z.string().parse(JSON.parse(text)).toLowerCase(), fieldId };
}

function holds(cell: unknown, text: string): boolean {
  const isPlain = typeof cell === "string" || typeof cell === "number";
  return isPlain && String(cell).toLowerCase().includes(text);
}

interface FakeFile {
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
    if (type !== "multipleAttachments") throw airtableErrors.attachment(name);
    const { contentType, filename, file } = upload.parse(body);
    const bytes = Buffer.from(file, "base64");
    if (bytes.byteLength > mostBytes) throw airtableErrors.tooLarge();
    const added = this.#keep({ filename, type: contentType, bytes });
    record.cells.set(id, [...filesIn(record, id), added]);
  }

  /** As PATCH does: the list is all that the cell holds then. */
  set(record: FakeRecord, { id, name }: FakeField, value: unknown) {
    const list = z.array(item).nullable().safeParse(value);
    if (!list.success) throw airtableErrors.attachment(name);
    const held = filesIn(record, id);
    const next = (list.data ?? []).map((one) => {
      if (!("id" in one)) return this.#fetch(record, id, one);
      const kept = held.find((file) => file.id === one.id);
      if (!kept) throw airtableErrors.attachment(name);
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
