import type {
  DataCollection,
  Field,
  Connection,
} from "../../../../../../core/plugin-api/definition.js";
import { isDate } from "../scope/samples.js";
import { freeName, rootOf } from "./schema-edits.js";

type Row = Readonly<Record<string, unknown>>;

/**
 * The schema with a field for all that a sample has. What is declared already stays as it is, and what the sample leads to
 * through a declared link is read into the collection of that link.
 */
export function schemaOfSample(
  schema: readonly DataCollection[],
  sample: unknown,
): DataCollection[] {
  const reading = new SampleReading(schema);
  if (isRecord(sample)) reading.read(rootOf(schema).id, [sample]);
  return reading.collections;
}

class SampleReading {
  readonly #collections: Map<string, DataCollection>;

  constructor(schema: readonly DataCollection[]) {
    const known = schema.length > 0 ? schema : [rootOf(schema)];
    this.#collections = new Map(known.map((one) => [one.id, one]));
  }

  get collections(): DataCollection[] {
    return [...this.#collections.values()];
  }

  /** @param records the elements of one collection; a field may be in some of them alone */
  read(id: string, records: readonly Row[]): void {
    const collection = this.#collections.get(id);
    if (!collection) return;
    const known = new Map(collection.fields.map((one) => [one.name, one]));
    const names = new Set(records.flatMap((one) => Object.keys(one)));
    for (const name of names) {
      const values = records.map((one) => one[name]).filter(isSomething);
      const field = known.get(name) ?? this.#fieldOf(name, values);
      if (!field) continue;
      known.set(name, field);
      // Written before what it leads to is read: a circle of links finds it here.
      this.#collections.set(id, { ...collection, fields: [...known.values()] });
      if ("target" in field) this.read(field.target, recordsIn(values));
    }
  }

  /** Null for what no field can hold, such as a list of texts; it can be read all the same. */
  #fieldOf(name: string, values: readonly unknown[]): Field | null {
    const isList = values.some((one) => Array.isArray(one));
    if (recordsIn(values).length === 0)
      return isList ? null : { name, type: valueType(values) };
    const target = freeName(name, [...this.#collections.keys()]);
    this.#collections.set(target, { id: target, fields: [] });
    return { name, type: isList ? "OneToManyLink" : "OneToOneLink", target };
  }
}

function valueType(values: readonly unknown[]): "String" | "Number" | "Date" {
  if (values.length === 0) return "String";
  if (values.every((one) => typeof one === "number")) return "Number";
  return values.every(isDate) ? "Date" : "String";
}

function recordsIn(values: readonly unknown[]): Row[] {
  return values.flat().filter(isRecord);
}

function isRecord(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

type Schema = readonly DataCollection[];

/**
 * The schema with what a table has. Fields that are there already, by their name or by what fills them, stay as they are;
 * a linked table that is known already gets the fields that it lacks.
 * @param table the schema of the table alone, its record first
 * @param links the names of the links that are brought along
 */
export function withTable(
  schema: Schema,
  table: Schema,
  links: ReadonlySet<string>,
  connection: Connection,
): DataCollection[] {
  const root = rootOf(schema);
  const others = schema.filter(({ id }) => id !== root.id);
  const fields = [...root.fields];
  const collections = new Map(others.map((one) => [one.id, one]));
  for (const field of rootOf(table).fields) {
    const isWanted = !("target" in field) || links.has(field.name);
    if (!isWanted) continue;
    const known = sameField(fields, field);
    const linked = "target" in field && collectionOf(table, field.target);
    const target = linked ? bringIn(collections, known, linked) : "";
    if (known) continue;
    fields.push("target" in field ? { ...field, target } : field);
  }
  const whole = { ...root.connection, ...connection };
  return [{ ...root, fields, connection: whole }, ...collections.values()];
}

/** Adds a linked table to the collections, or its fields to the one that is meant. @returns its id */
function bringIn(
  collections: Map<string, DataCollection>,
  known: Field | undefined,
  linked: DataCollection,
): string {
  const target = known && "target" in known ? known.target : undefined;
  const tableId = linked.source?.tableId;
  const found =
    (target === undefined ? undefined : collections.get(target)) ??
    [...collections.values()].find(
      ({ source }) => source && source.tableId === tableId,
    );
  const id = found?.id ?? freeName(linked.id, ["root", ...collections.keys()]);
  const old = found?.fields ?? [];
  const more = linked.fields.filter((one) => !sameField(old, one));
  collections.set(id, { ...linked, ...found, id, fields: [...old, ...more] });
  return id;
}

function sameField(
  fields: readonly Field[],
  { name, source }: Field,
): Field | undefined {
  return fields.find(
    (one) =>
      one.name === name ||
      (source !== undefined && (one.source ?? one.name) === source),
  );
}

function collectionOf(schema: Schema, id: string): DataCollection | undefined {
  return schema.find((one) => one.id === id);
}
