import type {
  Connection,
  DataCollection,
  Field,
} from "../../../../core/plugin-api/definition.js";
import { isObject } from "../model/same-json.js";
import { isDate } from "../scope/samples.js";
import { findFreeName, getRoot, isImageAddress } from "./schema-edits.js";

// Fields that a sample or a table has. Loaded with the dialogs that need it.

type Schema = readonly DataCollection[];

type Row = Readonly<Record<string, unknown>>;

/**
 * Adds a field to the schema for everything that a sample contains. Declared fields stay as they are; records behind a
 * declared link are read into the collection of that link.
 */
export function inferSchema(schema: Schema, sample: unknown): DataCollection[] {
  const reading = new SchemaReader(schema);
  if (isObject(sample)) reading.read(getRoot(schema).id, [sample]);
  return reading.collections;
}

class SchemaReader {
  readonly #collections: Map<string, DataCollection>;

  constructor(schema: Schema) {
    const collections = schema.length > 0 ? schema : [getRoot(schema)];
    this.#collections = new Map(
      collections.map((collection) => [collection.id, collection]),
    );
  }

  get collections(): DataCollection[] {
    return [...this.#collections.values()];
  }

  /** @param records the elements of one collection; not every field is in each of them */
  read(id: string, records: readonly Row[]): void {
    const collection = this.#collections.get(id);
    if (!collection) return;
    const fieldsByName = new Map(
      collection.fields.map((field) => [field.name, field]),
    );
    const names = new Set(records.flatMap((record) => Object.keys(record)));
    for (const name of names) {
      const values = records.map((record) => record[name]).filter(hasValue);
      const field = fieldsByName.get(name) ?? this.#createField(name, values);
      if (!field) continue;
      fieldsByName.set(name, field);
      // Stored before the linked records are read, so that circular links find it.
      this.#collections.set(id, {
        ...collection,
        fields: [...fieldsByName.values()],
      });
      if ("target" in field) this.read(field.target, recordsIn(values));
    }
  }

  /** Null for values that no field type describes, such as a list of texts. */
  #createField(name: string, values: readonly unknown[]): Field | null {
    const isList = values.some((value) => Array.isArray(value));
    if (recordsIn(values).length === 0)
      return isList ? null : { name, ...inferType(values) };
    const target = findFreeName(name, [...this.#collections.keys()]);
    this.#collections.set(target, { id: target, fields: [] });
    return { name, type: isList ? "OneToManyLink" : "OneToOneLink", target };
  }
}

function inferType(values: readonly unknown[]): {
  type: "String" | "Number" | "Date" | "Boolean";
  sample?: string;
} {
  const [first] = values;
  if (first === undefined) return { type: "String" };
  if (values.every((value) => typeof value === "number"))
    return { type: "Number" };
  if (values.every(isDate)) return { type: "Date" };
  if (values.every((value) => typeof value === "boolean"))
    return { type: "Boolean" };
  return typeof first === "string" && values.every(isImageAddress)
    ? { type: "String", sample: first }
    : { type: "String" };
}

function recordsIn(values: readonly unknown[]): Row[] {
  return values.flat().filter(isObject);
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/**
 * Adds the fields of a table to the schema. Existing fields, by name or by source column, stay as they are; the
 * collection of a linked table that exists gets its missing fields.
 * @param table the table's own schema, its record first
 * @param links the names of the links to import
 */
export function mergeTable(
  schema: Schema,
  table: Schema,
  links: ReadonlySet<string>,
  connection: Connection,
): DataCollection[] {
  const root = getRoot(schema);
  const others = schema.filter(({ id }) => id !== root.id);
  const fields = [...root.fields];
  const collections = new Map(
    others.map((collection) => [collection.id, collection]),
  );
  for (const field of getRoot(table).fields) {
    const isWanted = !("target" in field) || links.has(field.name);
    if (!isWanted) continue;
    const existing = findSameField(fields, field);
    const linked = "target" in field && findCollection(table, field.target);
    const target = linked
      ? importLinkedTable(collections, existing, linked)
      : "";
    if (existing) continue;
    fields.push("target" in field ? { ...field, target } : field);
  }
  const whole = { ...root.connection, ...connection };
  return [{ ...root, fields, connection: whole }, ...collections.values()];
}

/** Adds a linked table to the collections, or its missing fields to its existing collection. @returns its id */
function importLinkedTable(
  collections: Map<string, DataCollection>,
  existingField: Field | undefined,
  linked: DataCollection,
): string {
  const target =
    existingField && "target" in existingField
      ? existingField.target
      : undefined;
  const tableId = linked.source?.tableId;
  const existingCollection =
    (target === undefined ? undefined : collections.get(target)) ??
    [...collections.values()].find(
      ({ source }) => source && source.tableId === tableId,
    );
  const id =
    existingCollection?.id ??
    findFreeName(linked.id, ["root", ...collections.keys()]);
  const old = existingCollection?.fields ?? [];
  const more = linked.fields.filter((field) => !findSameField(old, field));
  collections.set(id, {
    ...linked,
    ...existingCollection,
    id,
    fields: [...old, ...more],
  });
  return id;
}

function findSameField(
  fields: readonly Field[],
  { name, source }: Field,
): Field | undefined {
  return fields.find(
    (field) =>
      field.name === name ||
      (source !== undefined && (field.source ?? field.name) === source),
  );
}

function findCollection(
  schema: Schema,
  id: string,
): DataCollection | undefined {
  return schema.find((collection) => collection.id === id);
}
