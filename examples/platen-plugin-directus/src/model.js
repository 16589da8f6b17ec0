// @ts-check
import { ask, PlatformError } from "./client.js";

/** @typedef {import("platen/contract").FieldInfo} FieldInfo */
/**
 * A collection as the plugin needs it: `ways` says how links and files are reached.
 * @typedef {{ name: string, key: string, isNumber: boolean, fields: FieldInfo[], ways: Map<string, Way> }} Collection
 */
/**
 * `out`: an id in the row itself. `in`: rows of another collection that refer to this one, of which `key` is the key.
 * `files`: rows of a junction whose field `key` holds the file.
 * @typedef {{ kind: "out" | "in" | "files", key: string }} Way
 */

/** @type {Record<string, import("platen/contract").FieldKind>} */
const kinds = {
  string: "text",
  text: "text",
  uuid: "text",
  integer: "number",
  bigInteger: "number",
  float: "number",
  decimal: "number",
  boolean: "boolean",
  date: "date",
  dateTime: "date",
  timestamp: "date",
  json: "json",
  csv: "json",
};

/**
 * All collections that the token may see, in three requests.
 * @param {import("./client.js").Context} context
 * @returns {Promise<Map<string, Collection>>}
 */
export async function readModel(context) {
  const [collections, fields, relations] = await Promise.all([
    ask(context, "collections"),
    ask(context, "fields"),
    ask(context, "relations"),
  ]);
  /** @type {Map<string, Collection>} */
  const model = new Map();
  for (const { collection } of collections) {
    const own = fields.filter(
      (/** @type {any} */ one) => one.collection === collection,
    );
    const key = own.find(
      (/** @type {any} */ one) => one.schema?.is_primary_key,
    );
    if (collection.startsWith("directus_") || !key) continue;
    model.set(collection, {
      name: collection,
      key: key.field,
      isNumber: key.type === "integer" || key.type === "bigInteger",
      fields: own.map(plainField),
      ways: new Map(),
    });
  }
  for (const relation of relations) addWays(model, relation);
  return model;
}

/**
 * @param {Map<string, Collection>} model
 * @param {string} name
 */
export function collectionOf(model, name) {
  const collection = model.get(name);
  if (collection) return collection;
  throw new PlatformError(
    "not_found",
    `The token sees no collection "${name}".`,
  );
}

/** @returns {FieldInfo} */
function plainField(/** @type {any} */ { field, type, schema }) {
  return {
    id: field,
    name: field,
    kind: kinds[type] ?? "other",
    native: type,
    writable: schema !== null && !schema?.is_primary_key,
  };
}

/**
 * A relation is a field of the collection that refers, and may be one of the other.
 * @param {Map<string, Collection>} model
 * @param {any} relation
 */
function addWays(model, { collection, field, related_collection, meta }) {
  const from = model.get(collection);
  const to = model.get(related_collection);
  if (from && to) {
    from.ways.set(field, { kind: "out", key: to.key });
    change(from, field, {
      kind: "link",
      link: { tableId: to.name, many: false },
    });
  }
  if (!from || !to || !meta?.one_field) return;
  if (meta.junction_field === "directus_files_id") {
    to.ways.set(meta.one_field, { kind: "files", key: meta.junction_field });
    change(to, meta.one_field, { kind: "attachment", writable: true });
  } else if (!meta.junction_field) {
    to.ways.set(meta.one_field, { kind: "in", key: from.key });
    change(to, meta.one_field, {
      kind: "link",
      link: { tableId: from.name, many: true },
    });
  }
}

/**
 * @param {Collection} collection
 * @param {string} id
 * @param {Partial<FieldInfo>} changes
 */
function change(collection, id, changes) {
  collection.fields = collection.fields.map((field) =>
    field.id === id ? { ...field, ...changes } : field,
  );
}
