import type {
  Connection,
  DataCollection,
  Field,
} from "../../../../../../core/plugin-api/definition.js";
import { freeName, rootOf } from "./schema-steps.js";

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
