import type {
  DataCollection,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import { isDate } from "../scope/sample-text.js";
import { freeName, rootOf } from "./schema-steps.js";

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
