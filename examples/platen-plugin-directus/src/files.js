// @ts-check
import { ask, PlatformError, upload } from "./client.js";
import { collectionOf, readModel } from "./model.js";
import { attachmentsOf, readItems } from "./rows.js";

/** @typedef {import("./client.js").Context} Context */
/** @typedef {import("platen/contract").TableScope} TableScope */

/**
 * @param {Context} context
 * @param {TableScope} scope
 * @param {string} recordId
 * @param {string} fieldId
 */
export async function readAttachments(context, scope, recordId, fieldId) {
  const { way, junctions } = await readCell(context, scope, recordId, fieldId);
  return attachmentsOf(context.credentials.url, way.key, junctions);
}

/**
 * Directus adds and takes away single files, so nothing that others add meanwhile is lost.
 * @param {Context} context
 * @param {TableScope} scope
 * @param {string} recordId
 * @param {string} fieldId
 * @param {readonly import("platen/contract").OutFile[]} files
 * @param {import("platen/contract").WriteMode} mode
 */
export async function writeBack(
  context,
  scope,
  recordId,
  fieldId,
  files,
  mode,
) {
  const { way, junctions } = await readCell(context, scope, recordId, fieldId);
  /** @type {string[]} */
  const ids = [];
  for (const file of files) ids.push(await upload(context, file));
  const change = {
    create: ids.map((id) => ({ [way.key]: id })),
    update: [],
    delete: mode === "replace" ? junctions.map(({ id }) => id) : [],
  };
  const path = `items/${encodeURIComponent(scope.tableId)}/${encodeURIComponent(recordId)}`;
  await ask(context, path, { method: "PATCH", json: { [fieldId]: change } });
  return files.map(({ filename, sizeBytes }, at) => ({
    remoteId: ids[at] ?? "",
    filename,
    sizeBytes,
  }));
}

/**
 * @param {Context} context
 * @param {TableScope} scope
 * @param {string} recordId
 * @param {string} fieldId
 * @returns {Promise<{ way: import("./model.js").Way, junctions: any[] }>}
 */
async function readCell(context, { tableId }, recordId, fieldId) {
  const collection = collectionOf(await readModel(context), tableId);
  const way = collection.ways.get(fieldId);
  if (way?.kind !== "files")
    throw new PlatformError(
      "invalid_field",
      `"${fieldId}" takes no files: choose a field of the type Files.`,
    );
  const [item] = await readItems(context, collection, [recordId], [fieldId]);
  if (item) return { way, junctions: item[fieldId] };
  throw new PlatformError(
    "not_found",
    `The collection "${tableId}" has no item ${recordId}.`,
  );
}
