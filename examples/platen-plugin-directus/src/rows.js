// @ts-check
import { ask } from "./client.js";
import { collectionOf, readModel } from "./model.js";

/** @typedef {import("./model.js").Collection} Collection */

/** Directus cuts lists at 100, also those inside of a row, unless it is told not to. */
const all = -1;

/**
 * @param {import("./client.js").Context} context
 * @param {import("platen/contract").TableScope} scope
 * @param {readonly string[]} ids
 * @param {readonly string[]} [fieldIds]
 * @returns {Promise<import("platen/contract").RowsFound>}
 */
export async function fetchRows(context, { tableId }, ids, fieldIds) {
  const collection = collectionOf(await readModel(context), tableId);
  const fields = collection.fields
    .map(({ id }) => id)
    .filter((id) => fieldIds?.includes(id) ?? true);
  const items = await readItems(context, collection, ids, fields);
  const rows = items.map((item) =>
    toRow(context.credentials.url, collection, fields, item),
  );
  const has = new Set(rows.map(({ id }) => id));
  return { rows, missing: ids.filter((id) => !has.has(id)) };
}

/**
 * The items with these ids, with all that they are linked to.
 * @param {import("./client.js").Context} context
 * @param {Collection} collection
 * @param {readonly string[]} ids
 * @param {readonly string[]} fields
 * @returns {Promise<any[]>}
 */
export async function readItems(context, collection, ids, fields) {
  const asked = ids.filter((id) => couldBe(collection, id));
  if (asked.length === 0) return [];
  /** @type {Record<string, unknown>} */
  const deep = {};
  for (const field of fields)
    if (collection.ways.has(field)) deep[field] = { _limit: all };
  const query = new URLSearchParams({
    fields: [
      collection.key,
      ...fields.flatMap((id) => paths(collection, id)),
    ].join(),
    filter: JSON.stringify({ [collection.key]: { _in: asked } }),
    deep: JSON.stringify(deep),
    limit: String(all),
  });
  return ask(context, `items/${encodeURIComponent(collection.name)}?${query}`);
}

/**
 * A database would refuse the whole question for one id of another type.
 * @param {Collection} collection
 * @param {string} id
 */
function couldBe({ isNumber }, id) {
  return isNumber ? /^\d{1,15}$/.test(id) : /^[\w-]{1,255}$/.test(id);
}

/**
 * @param {Collection} collection
 * @param {string} id
 */
function paths({ ways }, id) {
  const way = ways.get(id);
  if (!way || way.kind === "out") return [id];
  if (way.kind === "in") return [`${id}.${way.key}`];
  const file = `${id}.${way.key}`;
  return [
    `${id}.id`,
    `${file}.id`,
    `${file}.filename_download`,
    `${file}.filesize`,
  ];
}

/**
 * @param {string} url
 * @param {Collection} collection
 * @param {readonly string[]} fields
 * @param {any} item
 * @returns {import("platen/contract").Row}
 */
function toRow(url, { key, ways }, fields, item) {
  /** @type {import("platen/contract").Row} */
  const row = { id: String(item[key]), fields: {}, links: {} };
  for (const id of fields) {
    const way = ways.get(id);
    const value = item[id] ?? null;
    if (way?.kind === "out")
      row.links[id] = value === null ? [] : [String(value)];
    else if (way?.kind === "in")
      row.links[id] = value.map((/** @type {any} */ one) =>
        String(one[way.key]),
      );
    else if (way) row.fields[id] = attachmentsOf(url, way.key, value);
    else if (value !== null) row.fields[id] = value;
  }
  return row;
}

/**
 * @param {string} url
 * @param {string} key
 * @param {any[]} junctions
 * @returns {import("platen/contract").Attachment[]}
 */
export function attachmentsOf(url, key, junctions) {
  return junctions
    .map((junction) => junction[key])
    .filter((file) => file)
    .map(({ id, filename_download, filesize }) => ({
      remoteId: id,
      filename: filename_download,
      sizeBytes: Number(filesize),
      url: new URL(`assets/${id}`, url).href,
    }));
}
