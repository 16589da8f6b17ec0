import { refusals } from "./refusal.js";

export interface FakeField {
  id: string;
  name: string;
  type: string;
  options?: Record<string, unknown>;
}

/** A type, or a type with its options. */
export type FieldSketch = string | Pick<FakeField, "type" | "options">;

export interface FakeRecord {
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
    if (!found) throw refusals.unknownField(name);
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
    if (!found) throw refusals.notFound();
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
