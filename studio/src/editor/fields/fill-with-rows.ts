import type { ReadRows } from "../../../../core/integrations/platforms/views.js";
import type {
  DataCollection,
  Json,
} from "../../../../core/plugin-api/definition.js";
import { inferSchema } from "./infer-schema.js";
import { type JsonRecord, toRecord } from "./make-sample.js";
import { findFreeName, getRoot, toFieldName } from "./schema-edits.js";

/** Rows that a person pasted, as the service has read them. */
export interface PastedRows extends Omit<ReadRows, "records"> {
  records: readonly JsonRecord[];
}

/**
 * Puts pasted rows into the sample and adds the fields that are new; declared fields stay as they are.
 * @param label of a new list
 */
export function fillWithRows(
  schema: readonly DataCollection[],
  sample: Json | undefined,
  rows: Pick<PastedRows, "target" | "columns" | "records">,
  label: string,
): { schema: DataCollection[]; sample: JsonRecord } {
  const { target, columns, records } = rows;
  const root = getRoot(schema);
  const list = getListName(root, target, label);
  const fill = (start: JsonRecord, record: JsonRecord) =>
    columns.reduce(
      (filled, { path }) => copyValue(filled, record, path),
      start,
    );
  const old = toRecord(sample);
  const next =
    list === null
      ? fill(old, records[0] ?? {})
      : { ...old, [list]: records.map((record) => fill({}, record)) };
  const grown = inferSchema(schema, next);
  const link = getRoot(grown).fields.find(({ name }) => name === list);
  const filledId = link && "target" in link ? link.target : root.id;
  const newFields = columns.flatMap(({ field, isNew }) =>
    field && isNew ? [field] : [],
  );
  const described = describeFields(grown, filledId, newFields);
  return {
    sample: next,
    schema:
      list !== null && target === "new"
        ? describeFields(described, root.id, [{ name: list, label }])
        : described,
  };
}

/** Null for the record itself. */
function getListName(
  { fields }: DataCollection,
  target: PastedRows["target"],
  label: string,
): string | null {
  if (target === "record") return null;
  if (target !== "new") return target.slice("list:".length);
  const taken = fields.map(({ name }) => name);
  return findFreeName(toFieldName(label) ?? "items", taken);
}

/** The record with the value that another one has at this path, null for none. */
function copyValue(
  record: JsonRecord,
  from: JsonRecord,
  [name = "", ...rest]: readonly string[],
): JsonRecord {
  const value = Object.hasOwn(from, name) ? (from[name] ?? null) : null;
  const next =
    rest.length === 0
      ? value
      : copyValue(toRecord(record[name]), toRecord(value), rest);
  return { ...record, [name]: next };
}

/** @param parts what fields of the collection have beside their names and types */
function describeFields(
  schema: readonly DataCollection[],
  id: string,
  parts: readonly { name: string; label?: string | undefined }[],
): DataCollection[] {
  return schema.map((collection) => {
    if (collection.id !== id) return collection;
    const fields = collection.fields.map((field) => ({
      ...field,
      ...parts.find(({ name }) => name === field.name),
    }));
    return { ...collection, fields };
  });
}
