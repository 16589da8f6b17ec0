import pLimit from "p-limit";
import * as z from "zod";
import {
  type Attachment,
  type PlatformPlugin,
  type RecordFiles,
  type Row,
  type RowPage,
  type RowSelection,
  type TableScope,
  type WriteMode,
  type WrittenRecord,
  PlatformError,
  parseLosslessNumber,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { toRowsFound } from "../lib/cells.js";
import {
  assertColumn,
  type Condition,
  type ConditionValue,
  getDay,
  parseConditions,
} from "../lib/conditions.js";
import { type ServerCredentials, toUrl } from "../lib/rest-server.js";
import {
  type Collection,
  credentialsSchema,
  deleteFiles,
  describe,
  type DirectusContext,
  type DirectusField,
  getKind,
  isAllowed,
  openCollection,
  readArchiveFilter,
  readPermissions,
  type Relation,
  sendRequest,
  uploadFile,
} from "./client.js";

/** Directus Cloud does not document its limit; a server that limits requests allows 50 by default. */
const maxPerSecondInCloud = 40;

/** Directus 11 and later: linked items, and files in fields for one file or several. */
export const directusPlugin: PlatformPlugin<ServerCredentials> = {
  meta: createMeta("platform", "directus", "Directus"),
  credentials: { schema: credentialsSchema },
  capabilities: {
    links: true,
    attachments: "native",
    modes: ["append", "replace"],
    maxFileBytes: 50 * 1024 * 1024,
    maxIdsPerFetch: 100,
    keepsFilename: true,
    readBack: true,
    writeMany: { maxRecords: 20 },
  },
  rate: {
    // If a server limits requests, it does so by the address of the client, by default to 50 per second.
    key: ({ url }) => url,
    perSecond: ({ url }) => (isCloud(url) ? maxPerSecondInCloud : null),
    maxInFlight: 4,
    cooldownMs: 1000,
  },

  async check(context) {
    const [user, permissions, tables] = await Promise.all([
      sendRequest(context, "users/me?fields=id,email,first_name", userSchema),
      readPermissions(context),
      describe(context).catch((error: unknown) => {
        if (!(error instanceof PlatformError) || error.code !== "forbidden")
          throw error;
        throw new PlatformError(
          "forbidden",
          'The token cannot read the data model. Give a policy of its user "App Access", or read access to directus_collections, directus_fields and directus_relations.',
          { cause: error },
        );
      }),
    ]);
    const mayUpload = isAllowed(permissions, "directus_files", "create");
    const mayUpdate = tables.some(({ id }) =>
      isAllowed(permissions, id, "update"),
    );
    const warnings = [
      ...(tables.length > 0
        ? []
        : [
            "The token can read no collection. Give a policy of its user read access to the collections with your records.",
          ]),
      ...(mayUpload
        ? []
        : [
            "Files cannot be uploaded: a policy of the token's user must allow to create files (directus_files).",
          ]),
      ...(mayUpdate || tables.length === 0
        ? []
        : [
            "Files cannot be written to any collection: a policy of the token's user must allow to update items.",
          ]),
    ];
    return { account: user.email ?? user.first_name ?? user.id, warnings };
  },
  describe,

  /** Reads the items with these ids, with all that they are linked to. */
  async fetchRows(context, { tableId }, ids, fieldIds) {
    const collection = await openCollection(context, tableId);
    const fields = collection.fields.filter(
      ({ field }) => fieldIds?.includes(field) ?? true,
    );
    const items = await readItems(context, collection, ids, fields);
    const rows = items.map((item) => toRow(context, collection, fields, item));
    return toRowsFound(rows, ids);
  },

  /** Finds the first items, or those whose field contains the text, or is the number. */
  async findRows(context, { tableId }, { limit, text = "", fieldId = "" }) {
    const { key, fields } = await openCollection(context, tableId);
    const field = fields.find((candidate) => candidate.field === fieldId);
    // Directus reads what begins with $ as a variable.
    const searched = text.trim().replace(/^\$+/, "");
    const query = new URLSearchParams({ fields: key.field });
    if (searched !== "" && field) {
      const isText = ["string", "text"].includes(field.type);
      if (!isText && !/^\d{1,15}$/.test(searched)) return [];
      const rule = isText ? { _icontains: searched } : { _eq: searched };
      query.set("filter", JSON.stringify({ [fieldId]: rule }));
    }
    const items = await listItems(context, tableId, query);
    return items.slice(0, limit).map((item) => String(item[key.field]));
  },

  /** Lists the items of a bookmark, in its order, or those that match a filter of Directus or conditions by field. */
  async listRows(context, { tableId }, selection, cursor): Promise<RowPage> {
    const collection = await openCollection(context, tableId);
    const key = collection.key.field;
    const { sort, ...selected } = await toListQuery(
      context,
      collection,
      selection,
    );
    const page = Number(cursor ?? "1");
    // Without a limit, a page is as long as the server allows.
    const query = new URLSearchParams({
      ...selected,
      sort: [...(sort ?? []), key].join(),
      fields: key,
      page: String(page),
    });
    const items = await listItems(context, tableId, query).catch(
      (error: unknown) => {
        // Directus answers so for fields that do not exist.
        if (!(error instanceof PlatformError) || error.code !== "forbidden")
          throw error;
        const { message, status = 403 } = error;
        throw new PlatformError("invalid_field", message, { status });
      },
    );
    return {
      ids: items.map((item) => String(item[key])),
      ...(items.length > 0 && { next: String(page + 1) }),
    };
  },

  async writeBack(context, scope, recordId, fieldId, files, mode) {
    const cells = await openCells(context, scope, fieldId, [recordId]);
    const problem = findProblem(cells, recordId, files.length, mode);
    if (problem) throw problem;
    const writes = [{ recordId, files }];
    const [written] = await writeFiles(context, cells, writes, mode);
    if (written) return written.attachments;
    throw isFilledOnce(cells, mode)
      ? createFullError(cells, recordId, true)
      : createNotFoundError(scope, recordId);
  },

  /** Changes the items in one request, which adds to fields for several files without setting their whole list. */
  async writeBackMany(context, scope, fieldId, writes, mode) {
    const ids = writes.map(({ recordId }) => recordId);
    const cells = await openCells(context, scope, fieldId, ids);
    if (isFilledOnce(cells, mode)) return [];
    const possible = writes.filter(
      ({ recordId, files }) =>
        findProblem(cells, recordId, files.length, mode) === null,
    );
    return writeFiles(context, cells, possible, mode);
  },

  async readAttachments(context, scope, recordId, fieldId) {
    const { collection, items } = await openCells(context, scope, fieldId, [
      recordId,
    ]);
    const item = items.get(recordId);
    if (!item) throw createNotFoundError(scope, recordId);
    const relation = collection.relations.get(fieldId);
    return parseAttachments(context, relation, item[fieldId]);
  },
};

function isCloud(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname.endsWith(".directus.app");
}

const userSchema = z.object({
  id: z.string(),
  email: z.string().nullish(),
  first_name: z.string().nullish(),
});

const itemSchema = z.record(z.string(), z.unknown());
type Item = z.infer<typeof itemSchema>;

function listItems(
  context: DirectusContext,
  collection: string,
  query: URLSearchParams,
): Promise<Item[]> {
  const path = `items/${encodeURIComponent(collection)}?${query.toString()}`;
  return sendRequest(context, path, z.array(itemSchema));
}

/** No limit; a server with QUERY_LIMIT_MAX returns that many. */
const unlimited = -1;

/** The items with these ids, with complete lists. Ids that cannot be valid are not sent. */
async function readItems(
  context: DirectusContext,
  collection: Collection,
  ids: readonly string[],
  fields: readonly DirectusField[],
): Promise<Item[]> {
  const { name, key } = collection;
  const itemsById = new Map<string, Item>();
  let waiting = [...new Set(ids)].filter((id) => isPossibleKey(key, id));
  while (waiting.length > 0) {
    const query = createItemsQuery(collection, waiting, fields);
    const items = await listItems(context, name, query);
    const before = itemsById.size;
    for (const item of items) {
      const id = String(item[key.field]);
      if (waiting.includes(id)) itemsById.set(id, item);
    }
    // Fewer than there are, if the server limits all lists.
    if (items.length >= waiting.length || itemsById.size === before) break;
    waiting = waiting.filter((id) => !itemsById.has(id));
  }
  for (const [id, item] of itemsById)
    for (const field of fields)
      await completeList(context, collection, id, item, field);
  return [...itemsById.values()];
}

/** A database refuses a comparison with a value of another type, and Directus reads what begins with $ as a variable. */
function isPossibleKey({ type }: DirectusField, id: string): boolean {
  switch (type) {
    case "integer":
      return /^\d{1,10}$/.test(id) && Number(id) < 2 ** 31;
    case "bigInteger":
      return /^\d{1,18}$/.test(id);
    case "uuid":
      return z.guid().safeParse(id).success;
    default:
      return /^[^$\p{Cc}]\P{Cc}{0,254}$/u.test(id);
  }
}

function createItemsQuery(
  collection: Collection,
  ids: readonly string[],
  fields: readonly DirectusField[],
  lists: { limit: number; page: number } = { limit: unlimited, page: 1 },
): URLSearchParams {
  const { key } = collection;
  const deep: Record<string, object> = {};
  for (const { field } of fields)
    if (isList(collection.relations.get(field)))
      deep[field] = { _limit: lists.limit, _page: lists.page };
  const paths = fields.flatMap((field) => listPaths(collection, field));
  return new URLSearchParams({
    fields: [...new Set([key.field, ...paths])].join(),
    filter: JSON.stringify({ [key.field]: { _in: ids } }),
    deep: JSON.stringify(deep),
    limit: String(unlimited),
  });
}

function isList(relation: Relation | undefined): boolean {
  return ["many", "through", "files"].includes(relation?.kind ?? "");
}

const fileProperties = ["id", "filename_download", "filesize"];

/** What has to be requested for a field. */
function listPaths(collection: Collection, { field }: DirectusField): string[] {
  const relation = collection.relations.get(field);
  const { fields } = collection;
  const isCounted = fields.every(
    (other) => other.field !== getCountName(field),
  );
  const count = isCounted ? [`count(${field})`] : [];
  switch (relation?.kind) {
    case "many":
      return [field, ...count];
    case "through":
      return [`${field}.${relation.junctionField}`, ...count];
    case "file":
      return fileProperties.map((property) => `${field}.${property}`);
    case "files":
      return [
        ...fileProperties.map(
          (property) => `${field}.${relation.junctionField}.${property}`,
        ),
        ...(relation.sortField === null
          ? []
          : [`${field}.${relation.sortField}`]),
        ...count,
      ];
    default:
      return [field];
  }
}

function getCountName(field: string): string {
  return `${field}_count`;
}

/** Reads the rest of a list that the server has cut. */
async function completeList(
  context: DirectusContext,
  collection: Collection,
  id: string,
  item: Item,
  field: DirectusField,
): Promise<void> {
  if (!isList(collection.relations.get(field.field))) return;
  const list = toList(item[field.field]);
  const count = Number(item[getCountName(field.field)] ?? 0);
  const limit = list.length;
  item[field.field] = list;
  if (limit === 0) return;
  for (let page = 2; list.length < count; page += 1) {
    const query = createItemsQuery(collection, [id], [field], { limit, page });
    const [more] = await listItems(context, collection.name, query);
    const rest = toList(more?.[field.field]);
    if (rest.length === 0) break;
    list.push(...rest);
  }
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function toRow(
  context: DirectusContext,
  { key, relations }: Collection,
  fields: readonly DirectusField[],
  item: Item,
): Row {
  const row: Row = { id: String(item[key.field]), fields: {}, links: {} };
  for (const field of fields) {
    const { field: id } = field;
    const relation = relations.get(id);
    const kind = getKind(field, relation);
    const value = item[id] ?? null;
    if (kind === "attachment")
      row.fields[id] = parseAttachments(context, relation, value);
    else if (relation) row.links[id] = parseLinks(relation, value);
    else if (value !== null) row.fields[id] = toFieldValue(kind, value);
  }
  return row;
}

/** Converts what depends on the database: some return numbers as texts, some booleans as numbers. */
function toFieldValue(kind: string, value: unknown): unknown {
  if (kind === "boolean") return Boolean(value);
  if (kind === "number" && typeof value === "string")
    return parseLosslessNumber(value);
  return value;
}

function parseLinks(relation: Relation, value: unknown): string[] {
  const keys =
    relation.kind === "through"
      ? toList(value).map(
          (item) => itemSchema.safeParse(item).data?.[relation.junctionField],
        )
      : relation.kind === "many"
        ? toList(value)
        : [value];
  const ids = keys.filter((key) => key !== null && key !== undefined);
  return [...new Set(ids.map(String))];
}

const fileSchema = z.object({
  id: z.string(),
  filename_download: z.string().nullish(),
  filesize: z.coerce.number().nullish(),
});

/** The files of a cell, without those that were deleted. Their addresses work if the public may read the files. */
function parseAttachments(
  context: DirectusContext,
  relation: Relation | undefined,
  value: unknown,
): Attachment[] {
  const files =
    relation?.kind === "files"
      ? toList(value).map(
          (item) => itemSchema.safeParse(item).data?.[relation.junctionField],
        )
      : [value];
  return files.flatMap((file) => {
    const { data } = fileSchema.safeParse(file);
    return data
      ? [
          toAttachment(
            context,
            data.id,
            data.filename_download ?? "",
            data.filesize,
          ),
        ]
      : [];
  });
}

function toAttachment(
  context: DirectusContext,
  id: string,
  filename: string,
  sizeBytes: number | null | undefined,
): Attachment {
  return {
    remoteId: id,
    filename,
    ...(typeof sizeBytes === "number" && { sizeBytes }),
    url: toUrl(context, `assets/${id}`),
  };
}

// Selections.

interface ListQuery {
  filter?: string;
  search?: string;
  sort?: string[];
}

async function toListQuery(
  context: DirectusContext,
  collection: Collection,
  selection: RowSelection,
): Promise<ListQuery> {
  if ("viewId" in selection)
    return readBookmark(context, collection, selection.viewId);
  if ("emptyFieldId" in selection) {
    const rules = await readArchiveFilter(context, collection.name);
    return joinRules([
      createEmptyRule(collection, selection.emptyFieldId),
      ...rules,
    ]);
  }
  return joinRules([toFilter(collection, selection.filter)]);
}

function joinRules(rules: readonly unknown[]): { filter: string } {
  return { filter: JSON.stringify({ _and: rules }) };
}

function createEmptyRule({ relations }: Collection, fieldId: string): object {
  const relation = relations.get(fieldId);
  return relation?.kind === "files"
    ? {
        [fieldId]: { _none: { [relation.junctionField]: { _nnull: true } } },
      }
    : { [fieldId]: { _null: true } };
}

const bookmarkSchema = z.object({
  collection: z.string(),
  filter: itemSchema.nullish(),
  search: z.string().nullish(),
  layout: z.string().nullish(),
  layout_query: z
    .record(
      z.string(),
      z
        .looseObject({
          sort: z.union([z.string(), z.array(z.string())]).nullish(),
        })
        .nullish(),
    )
    .nullish(),
});

/** What a bookmark of the app shows: without archived items, as there. */
async function readBookmark(
  context: DirectusContext,
  { name }: Collection,
  viewId: string,
): Promise<ListQuery> {
  const notFound = new PlatformError(
    "not_found",
    `The collection "${name}" has no bookmark ${viewId.slice(0, 40)}, or no longer has it.`,
  );
  if (!/^\d{1,9}$/.test(viewId)) throw notFound;
  const query = "fields=collection,filter,search,layout,layout_query";
  const bookmark = await sendRequest(
    context,
    `presets/${viewId}?${query}`,
    bookmarkSchema,
  ).catch((error: unknown) => {
    throw error instanceof PlatformError && error.code === "forbidden"
      ? notFound
      : error;
  });
  if (bookmark.collection !== name) throw notFound;
  const { filter, search, layout, layout_query: queries } = bookmark;
  const sort = queries?.[layout ?? "tabular"]?.sort ?? [];
  return {
    ...joinRules([
      ...(filter ? [filter] : []),
      ...(await readArchiveFilter(context, name)),
    ]),
    ...(search && { search }),
    sort: typeof sort === "string" ? [sort] : sort,
  };
}

/** @throws PlatformError `invalid_field`. Directus itself checks operators, values and fields of linked items. */
function toFilter(collection: Collection, filter: unknown): unknown {
  if (hasOperators(filter)) {
    const names = collection.fields.map(({ field }) => field);
    assertFields(filter, names);
    return filter;
  }
  const comparable = collection.fields.filter(
    (field) => !isLinkOrFile(collection, field),
  );
  const names = comparable.map(({ field }) => field);
  return {
    _and: parseConditions(filter, names).flatMap(([name, condition]) => {
      const field = comparable.find((candidate) => candidate.field === name);
      return field ? toRules(field, condition) : [];
    }),
  };
}

function isLinkOrFile({ relations }: Collection, { field }: DirectusField) {
  const relation = relations.get(field);
  return relation !== undefined && relation.kind !== "one";
}

/** Whether it is a filter of Directus, whose operators begin with an underscore. */
function hasOperators(filter: unknown): boolean {
  if (typeof filter !== "object" || filter === null) return false;
  return Object.entries(filter).some(
    ([name, value]) =>
      (name.startsWith("_") && !Array.isArray(filter)) || hasOperators(value),
  );
}

function assertFields(filter: unknown, names: readonly string[]): void {
  const { data = {} } = itemSchema.safeParse(filter);
  for (const [name, value] of Object.entries(data))
    if (name === "_and" || name === "_or")
      for (const part of toList(value)) assertFields(part, names);
    else assertColumn(/^\w+\((\w+)\)$/.exec(name)?.[1] ?? name, names);
}

function isEmpty(value: ConditionValue): boolean {
  return value === null || value === "";
}

function toRules(
  { field, type }: DirectusField,
  { is, not, min, max }: Condition,
): object[] {
  const isText = type === "string" || type === "text";
  const empty = { [field]: isText ? { _empty: true } : { _null: true } };
  const present = { [field]: isText ? { _nempty: true } : { _nnull: true } };
  const rules: object[] = [];
  if (is)
    rules.push({
      _or: is.map((value) =>
        isEmpty(value) ? empty : { [field]: { _eq: value } },
      ),
    });
  if (not !== undefined)
    rules.push(
      isEmpty(not)
        ? present
        : { _or: [{ [field]: { _neq: not } }, { [field]: { _null: true } }] },
    );
  if (min !== undefined) rules.push({ [field]: { _gte: min } });
  if (max !== undefined)
    rules.push({
      [field]: { _lte: type === "date" ? getDay(max, field) : max },
    });
  return rules;
}

// Files.

/** The cells of one field. */
interface Cells {
  collection: Collection;
  field: DirectusField;
  relation: Extract<Relation, { kind: "file" | "files" }>;
  /** By id; only those that exist. */
  items: ReadonlyMap<string, Item>;
}

/** @throws PlatformError `invalid_field` for a field that does not accept files. */
async function openCells(
  context: DirectusContext,
  { tableId }: TableScope,
  fieldId: string,
  ids: readonly string[],
): Promise<Cells> {
  const collection = await openCollection(context, tableId);
  const field = collection.fields.find(
    (candidate) => candidate.field === fieldId,
  );
  const relation = collection.relations.get(fieldId);
  if (!field || (relation?.kind !== "file" && relation?.kind !== "files"))
    throw new PlatformError(
      "invalid_field",
      field
        ? `The field "${fieldId}" is of the type ${field.type}. Choose a field of the type File, Image or Files.`
        : `The collection "${tableId}" has no field ${fieldId}.`,
      { fieldId },
    );
  const items = await readItems(context, collection, ids, [field]);
  const key = collection.key.field;
  return {
    collection,
    field,
    relation,
    items: new Map(items.map((item) => [String(item[key]), item])),
  };
}

function createNotFoundError({ tableId }: TableScope, recordId: string) {
  return new PlatformError(
    "not_found",
    `The collection "${tableId}" has no item ${recordId.slice(0, 60)}.`,
    { recordId },
  );
}

/** Whether a cell can be written only as long as it is empty: each by a request of its own, with that condition. */
function isFilledOnce({ relation }: Cells, mode: WriteMode): boolean {
  return relation.kind === "file" && mode === "append";
}

/** Why files cannot be written to a cell; null when they can. */
function findProblem(
  cells: Cells,
  recordId: string,
  count: number,
  mode: WriteMode,
): PlatformError | null {
  const { collection, field, relation, items } = cells;
  const item = items.get(recordId);
  if (!item) return createNotFoundError({ tableId: collection.name }, recordId);
  const isFull =
    isFilledOnce(cells, mode) && (item[field.field] ?? null) !== null;
  return relation.kind === "files" || (count === 1 && !isFull)
    ? null
    : createFullError(cells, recordId, isFull);
}

function createFullError(
  { field: { field: fieldId } }: Cells,
  recordId: string,
  isFull: boolean,
): PlatformError {
  return new PlatformError(
    "unsupported",
    `The field "${fieldId}" can hold only one file. ${isFull ? "It already has one: overwrite it, or use" : "Use"} a field of the type Files.`,
    { recordId, fieldId },
  );
}

const maxUploads = 4;

/** Uploads all files, then sets all cells in one request, which changes all items or none. */
async function writeFiles(
  context: DirectusContext,
  cells: Cells,
  writes: readonly RecordFiles[],
  mode: WriteMode,
): Promise<WrittenRecord[]> {
  const { collection, field } = cells;
  if (writes.length === 0) return [];
  const folder = field.meta?.options?.folder ?? null;
  const limit = pLimit(maxUploads);
  const uploads = await Promise.allSettled(
    writes.flatMap(({ recordId, files }) =>
      files.map((file) =>
        limit(async () => {
          const id = await uploadFile(context, file, folder);
          return { recordId, id, file };
        }),
      ),
    ),
  );
  const added = uploads.flatMap((upload) =>
    upload.status === "fulfilled" ? [upload.value] : [],
  );
  const ids = added.map(({ id }) => id);
  const failed = uploads.find((upload) => upload.status === "rejected");
  if (failed) {
    await deleteFiles(context, ids);
    throw failed.reason;
  }
  const key = collection.key.field;
  const changes = writes.map(({ recordId }) => {
    const item = cells.items.get(recordId);
    const recordUploads = added.filter(
      (upload) => upload.recordId === recordId,
    );
    const fileIds = recordUploads.map(({ id }) => id);
    return {
      [key]: item?.[key],
      [field.field]: createChange(cells, item?.[field.field], fileIds, mode),
    };
  });
  const json = isFilledOnce(cells, mode)
    ? createConditionalChange(cells, changes[0])
    : changes;
  const changed = await changeItems(context, collection, json).catch(
    async (error: unknown) => {
      // Otherwise, the cells may contain them.
      if (error instanceof PlatformError && error.code !== "unavailable")
        await deleteFiles(context, ids);
      throw error;
    },
  );
  const left = added.filter(({ recordId }) => !changed.has(recordId));
  await deleteFiles(
    context,
    left.map(({ id }) => id),
  );
  return writes
    .filter(({ recordId }) => changed.has(recordId))
    .map(({ recordId }) => ({
      recordId,
      attachments: added
        .filter((upload) => upload.recordId === recordId)
        .map(({ id, file }) =>
          toAttachment(context, id, file.filename, file.sizeBytes),
        ),
    }));
}

/** A list of new rows of the junction replaces all; `create` adds to those that are there, also to others' new ones. */
function createChange(
  { relation }: Cells,
  value: unknown,
  fileIds: readonly string[],
  mode: WriteMode,
): unknown {
  if (relation.kind === "file") return fileIds[0];
  const { junctionField, sortField } = relation;
  const positions = toList(value).map((item) =>
    Number(itemSchema.safeParse(item).data?.[sortField ?? ""] ?? 0),
  );
  const last = mode === "append" ? Math.max(0, ...positions) : 0;
  const rows = fileIds.map((id, at) => ({
    [junctionField]: id,
    ...(sortField !== null && { [sortField]: last + at + 1 }),
  }));
  return mode === "replace" ? rows : { create: rows, update: [], delete: [] };
}

/** A change of the one item with this key, if its cell is still empty. */
function createConditionalChange(
  { collection: { key }, field: { field } }: Cells,
  { [key.field]: id, [field]: value }: Item = {},
): object {
  const rules = [{ [key.field]: { _eq: id } }, { [field]: { _null: true } }];
  return { query: { filter: { _and: rules } }, data: { [field]: value } };
}

/** Changes items in one transaction. @returns the ids of those that were changed. */
async function changeItems(
  context: DirectusContext,
  { name, key }: Collection,
  json: object,
): Promise<Set<string>> {
  const query = new URLSearchParams({ fields: key.field });
  const items = await sendRequest(
    context,
    `items/${encodeURIComponent(name)}?${query.toString()}`,
    z.array(itemSchema),
    { method: "PATCH", json },
  );
  return new Set(items.map((item) => String(item[key.field])));
}
