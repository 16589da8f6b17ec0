import * as z from "zod";
import {
  type PlatformPlugin,
  type Row,
  type RowSelection,
  type TableScope,
  type Attachment,
  type RecordFiles,
  type WriteMode,
  type WrittenRecord,
  PlatformError,
  parseLosslessNumber,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { toRowsFound } from "../lib/cells.js";
import {
  type Condition,
  type ConditionValue,
  getDay,
  parseConditions,
} from "../lib/conditions.js";
import { type ServerCredentials, toUrl } from "../lib/rest-server.js";
import {
  credentialsSchema,
  type NocodbContext,
  describe,
  listBases,
  sendRequest,
  uploadFiles,
  getKind,
  type NocodbField,
  isCloud,
  openTable,
  type OpenTable,
} from "./client.js";
import { nocodbChanges } from "./webhooks.js";

/** NocoDB Cloud allows five, but refuses some at exactly five. */
const maxPerSecondInCloud = 4.5;

/** NocoDB 0.260 and later: its API v3 for tables and rows, v2 for files (v3 renames them). */
export const nocodbPlugin: PlatformPlugin<ServerCredentials> = {
  meta: createMeta("platform", "nocodb", "NocoDB"),
  credentials: { schema: credentialsSchema },
  capabilities: {
    links: true,
    attachments: "native",
    modes: ["append", "replace"],
    maxFileBytes: 20 * 1024 * 1024,
    maxIdsPerFetch: 100,
    keepsFilename: true,
    readBack: true,
    // As many files as one upload can have. With more, the cells would be set later after they were read than one by one.
    writeMany: { maxRecords: 10 },
  },
  rate: {
    key: ({ url, token }) => `${url} ${token}`,
    perSecond: ({ url }) => (isCloud(url) ? maxPerSecondInCloud : null),
    maxInFlight: 4,
    cooldownMs: 30_000,
  },

  changes: nocodbChanges,

  async check(context) {
    const bases = await listBases(context);
    const readOnly = bases.filter(({ isReadOnly }) => isReadOnly);
    const names = readOnly.map(({ name }) => `"${name}"`).join(", ");
    if (bases.length === 0)
      return {
        warnings: ["The token has access to no base. Share one with its user."],
      };
    return {
      account: bases.map(({ name }) => name).join(", "),
      ...(readOnly.length > 0 && {
        warnings: [
          `Files cannot be written to ${names}. In NocoDB, open the base, then Members, and give the token's user the role Editor.`,
        ],
      }),
    };
  },
  listBases: async (context) => {
    const bases = await listBases(context);
    return bases.map(({ id, name }) => ({ id, name }));
  },
  describe,

  /** Reads the rows with these ids, with all their links. */
  async fetchRows(context, scope, ids, fieldIds) {
    const table = await openTable(context, scope);
    const fields = table.fields.filter(
      ({ id, type }) =>
        type !== "ForeignKey" && (fieldIds?.includes(id) ?? true),
    );
    const records = await readRecords(context, table, ids, fields);
    const rows = records.map((record): Row => ({
      id: String(record.id),
      fields: toFields(context, record, fields),
      links: {},
    }));
    for (const field of fields)
      if (getKind(field) === "link")
        await addLinks(context, table, field, records, rows);
    return toRowsFound(rows, ids);
  },

  /** Finds the first rows, or those whose field contains the text. */
  async findRows(context, scope, { limit, text = "", fieldId = "" }) {
    const { fields, key, dataPath } = await openTable(context, scope);
    const query = new URLSearchParams({
      pageSize: String(limit),
      fields: key.id,
    });
    const pattern = text.replaceAll(filterSyntax, "%").trim();
    if (pattern !== "" && fields.some(({ id }) => id === fieldId))
      query.set("where", `(${fieldId},like,%${pattern}%)`);
    const path = `${dataPath}/records?${query.toString()}`;
    const { records } = await sendRequest(context, path, recordsSchema);
    return records.map(({ id }) => String(id));
  },

  /** Lists the rows of a view, in its order, or those that match a `where` or conditions. */
  async listRows(context, scope, selection, cursor) {
    const { fields, key, dataPath } = await openTable(context, scope);
    const query = new URLSearchParams({
      pageSize: String(maxPageSize),
      page: cursor ?? "1",
      fields: key.id,
      ...toListQuery(selection, fields),
    });
    const path = `${dataPath}/records?${query.toString()}`;
    const { records, next } = await sendRequest(context, path, pageSchema);
    return {
      ids: records.map(({ id }) => String(id)),
      ...(next &&
        records.length > 0 && { next: String(Number(cursor ?? "1") + 1) }),
    };
  },

  async writeBack(context, scope, recordId, fieldId, files, mode) {
    const writes = [{ recordId, files }];
    const [written] = await writeCells(context, scope, fieldId, writes, mode);
    if (written) return [...written.attachments];
    throw new PlatformError(
      "unavailable",
      "NocoDB accepted the files, but did not save them. Its log may say why.",
      { recordId, fieldId },
    );
  },
  writeBackMany: writeCells,

  async readAttachments(context, scope, recordId, fieldId) {
    const column = await findColumn(context, scope, fieldId);
    const cells = await readCells(context, column, [recordId]);
    return parseAttachments(context, getCell(cells, recordId));
  },
};

const recordSchema = z.object({
  id: z.union([z.string(), z.number()]),
  fields: z.record(z.string(), z.unknown()),
});
const recordsSchema = z.object({ records: z.array(recordSchema) });
type NocodbRecord = z.infer<typeof recordSchema>;
const pageSchema = recordsSchema.extend({ next: z.string().nullish() });

function toListQuery(
  selection: RowSelection,
  fields: readonly NocodbField[],
): Record<string, string> {
  if ("viewId" in selection) return { viewId: selection.viewId };
  if ("emptyFieldId" in selection)
    return { where: `(${selection.emptyFieldId},blank)` };
  const { filter } = selection;
  if (typeof filter !== "string") return { where: toWhere(filter, fields) };
  if (filter.trim() !== "") return { where: filter };
  throw new PlatformError(
    "invalid_field",
    "The filter must be a where clause, such as (Status,eq,Paid), or an object of conditions.",
  );
}

function toWhere(filter: unknown, fields: readonly NocodbField[]): string {
  const comparable = fields.filter(
    (field) => !["link", "attachment"].includes(getKind(field)),
  );
  const names = comparable.flatMap(({ id, title }) => [title, id]);
  return parseConditions(filter, names)
    .flatMap(([name, condition]) => {
      const field = comparable.find((candidate) =>
        [candidate.title, candidate.id].includes(name),
      );
      return field ? toTerms(field, condition) : [];
    })
    .join("~and");
}

function toTerms(
  field: NocodbField,
  { is, not, min, max }: Condition,
): string[] {
  const any = is?.map((value) => toTerm(field, "eq", value)) ?? [];
  return [
    ...(any.length > 1 ? [`(${any.join("~or")})`] : any),
    ...(not === undefined ? [] : [toTerm(field, "neq", not)]),
    ...(min === undefined ? [] : [toTerm(field, "gte", min)]),
    ...(max === undefined ? [] : [toTerm(field, "lte", max)]),
  ];
}

function toTerm(
  field: NocodbField,
  operator: "eq" | "neq" | "gte" | "lte",
  value: ConditionValue,
): string {
  const { id, title } = field;
  const isEqual = operator === "eq";
  if (value === null || value === "")
    return `(${id},${isEqual ? "blank" : "notblank"})`;
  const kind = getKind(field);
  if (kind === "boolean")
    return `(${id},${(value === true) === isEqual ? "checked" : "notchecked"})`;
  if (kind === "date")
    return `(${id},${operator},exactDate,${getDay(value, title)})`;
  return `(${id},${operator},${quote(value, title)})`;
}

/** NocoDB ends a text at its quotation mark and knows no escapes. */
function quote(value: string | number | boolean, title: string): string {
  const text = String(value);
  const mark = ['"', "'"].find((candidate) => !text.includes(candidate));
  if (mark !== undefined) return `${mark}${text}${mark}`;
  throw new PlatformError(
    "invalid_field",
    `The filter compares the column "${title}" with a text that has both kinds of quotation marks, which NocoDB cannot read.`,
  );
}

/** The most rows, and the most links of a row, that one reply can have. */
const maxPageSize = 1000;
/** Other ids are not sent: they could be read as more of the filter. */
const idPattern = /^[\w-]{1,64}$/;

async function readRecords(
  context: NocodbContext,
  { key, dataPath }: OpenTable,
  ids: readonly string[],
  fields: readonly NocodbField[],
): Promise<NocodbRecord[]> {
  const validIds = ids.filter((id) => idPattern.test(id));
  if (validIds.length === 0) return [];
  const query = new URLSearchParams({
    where: `(${key.id},in,${validIds.join(",")})`,
    pageSize: String(maxPageSize),
    fields: [key, ...fields].map(({ id }) => id).join(","),
  });
  for (const field of fields)
    if (getKind(field) === "link")
      query.set(`nested[${field.title}][limit]`, String(maxPageSize));
  const path = `${dataPath}/records?${query.toString()}`;
  const wanted = new Set(validIds);
  const { records } = await sendRequest(context, path, recordsSchema);
  return records.filter(({ id }) => wanted.has(String(id)));
}

function toFields(
  context: NocodbContext,
  { id, fields: values }: NocodbRecord,
  fields: readonly NocodbField[],
): Row["fields"] {
  const fieldValues: Row["fields"] = {};
  for (const field of fields) {
    const kind = getKind(field);
    const value = field.type === "ID" ? id : values[field.title];
    if (kind === "link" || value === null || value === undefined) continue;
    fieldValues[field.id] =
      kind === "attachment"
        ? parseAttachments(context, value)
        : toFieldValue(kind, value);
  }
  return fieldValues;
}

/** Converts what NocoDB returns: numbers as text, times with a space. */
function toFieldValue(kind: string, value: unknown): unknown {
  if (kind === "boolean") return Boolean(value);
  if (kind === "number" && typeof value === "string")
    return parseLosslessNumber(value);
  if (kind === "date" && typeof value === "string")
    return value.replace(" ", "T");
  return value;
}

/** NocoDB inlines only this many linked records when it ignores the requested limit, and does not say so. */
const minTruncatedLength = 25;

/** Adds the links of one field: from the records where those are complete, page by page where they may be truncated. */
async function addLinks(
  context: NocodbContext,
  { dataPath }: OpenTable,
  { id: fieldId, title }: NocodbField,
  records: readonly NocodbRecord[],
  rows: readonly Row[],
): Promise<void> {
  const inlined = records.map(({ fields }) => parseLinks(fields[title]));
  const maxLength = Math.max(...inlined.map((ids) => ids?.length ?? 0));
  await Promise.all(
    rows.map(async (row, at) => {
      const ids = inlined[at] ?? null;
      // A list shorter than the limit, or than another list of the same reply, was not truncated.
      const isComplete =
        ids !== null &&
        (ids.length < minTruncatedLength || ids.length < maxLength);
      row.links[fieldId] = isComplete
        ? ids
        : await readLinks(context, `${dataPath}/links/${fieldId}/${row.id}`);
    }),
  );
}

const linkSchema = z.object({ id: z.union([z.string(), z.number()]) });

/** The ids of inlined records; null when the value is not a list of records, but their number. */
function parseLinks(value: unknown): string[] | null {
  if (value === null || value === undefined || value === 0) return [];
  const single = linkSchema.safeParse(value).data;
  if (single) return [String(single.id)];
  const many = z.array(linkSchema).safeParse(value).data;
  return many ? many.map(({ id }) => String(id)) : null;
}

const linkPageSchema = z.object({
  records: z.union([z.array(linkSchema), linkSchema.nullable()]).optional(),
  next: z.string().nullish(),
});

async function readLinks(
  context: NocodbContext,
  path: string,
): Promise<string[]> {
  const all: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = `?pageSize=${maxPageSize}&page=${page}`;
    const { records, next } = await sendRequest(
      context,
      path + query,
      linkPageSchema,
    );
    const links = Array.isArray(records) ? records : records ? [records] : [];
    all.push(...links.map(({ id }) => String(id)));
    if (!next || links.length === 0) return [...new Set(all)];
  }
}

/** Characters with a meaning in a filter; `%` matches any text in their place. */
const filterSyntax = /[(),~\\"'%]+/g;

const itemSchema = z.looseObject({
  path: z.string().nullish(),
  url: z.string().nullish(),
  title: z.string().nullish(),
  size: z.number().nullish(),
  signedPath: z.string().nullish(),
  signedUrl: z.string().nullish(),
});
const itemsSchema = z.array(itemSchema).nullable();

/** The files of a cell. Their addresses work without a token for a few hours. */
function parseAttachments(
  context: NocodbContext,
  value: unknown,
): Attachment[] {
  const { data } = itemsSchema.safeParse(value ?? null);
  return (data ?? []).map(
    ({ path, url, title, size, signedPath, signedUrl }) => {
      const address =
        signedUrl ?? (signedPath ? toUrl(context, signedPath) : url);
      return {
        remoteId: path ?? url ?? "",
        filename: title ?? "",
        ...(typeof size === "number" ? { sizeBytes: size } : {}),
        ...(address ? { url: address } : {}),
      };
    },
  );
}

/** A field of the type Attachment. */
interface Column {
  table: OpenTable;
  field: NocodbField;
}

/** @throws PlatformError `invalid_field` for a field that is not of the type Attachment. */
async function findColumn(
  context: NocodbContext,
  scope: TableScope,
  fieldId: string,
): Promise<Column> {
  const table = await openTable(context, scope);
  const field = table.fields.find(({ id }) => id === fieldId);
  if (field && getKind(field) === "attachment") return { table, field };
  throw new PlatformError(
    "invalid_field",
    field
      ? `The field "${field.title}" is of the type ${field.type}. Choose a field of the type Attachment.`
      : `The table "${table.title}" has no field ${fieldId}.`,
    { fieldId },
  );
}

const cellListSchema = z.object({
  list: z.array(z.record(z.string(), z.unknown())),
});
type Cells = ReadonlyMap<string, z.infer<typeof itemSchema>[]>;

/** The cells of those records that exist. */
async function readCells(
  context: NocodbContext,
  { table, field }: Column,
  recordIds: readonly string[],
): Promise<Cells> {
  const validIds = recordIds.filter((id) => idPattern.test(id));
  if (validIds.length === 0) return new Map();
  const query = new URLSearchParams({
    where: `(${table.key.id},in,${validIds.join(",")})`,
    limit: String(maxPageSize),
    fields: `${table.key.id},${field.id}`,
  });
  const path = `api/v2/tables/${table.id}/records?${query.toString()}`;
  const { list } = await sendRequest(context, path, cellListSchema);
  return new Map(
    list.map((record) => {
      const { data } = itemsSchema.safeParse(record[field.title]);
      if (data !== undefined)
        return [String(record[table.key.title]), data ?? []];
      throw new PlatformError(
        "unavailable",
        `NocoDB did not return the content of the field "${field.title}".`,
      );
    }),
  );
}

/** @throws PlatformError `not_found`. */
function getCell(cells: Cells, recordId: string) {
  const cell = cells.get(recordId);
  if (cell) return cell;
  throw new PlatformError(
    "not_found",
    `NocoDB has no record with the ID "${recordId.slice(0, 60)}".`,
    { recordId },
  );
}

/**
 * Uploads the files, then sets the cells of all records in one request, which changes all or none. NocoDB only sets whole
 * lists, so the cells are read as late as possible. It may answer with success although its database refused the change,
 * so they are read again. @returns the records whose cells contain their files.
 */
async function writeCells(
  context: NocodbContext,
  scope: TableScope,
  fieldId: string,
  writes: readonly RecordFiles[],
  mode: WriteMode,
): Promise<WrittenRecord[]> {
  const column = await findColumn(context, scope, fieldId);
  const { table, field } = column;
  const { items, error } = await uploadFiles(
    context,
    writes.flatMap(({ files }) => files),
  );
  const uploaded = writes.flatMap(({ recordId, files }) => {
    const added = files.flatMap((file) => items.get(file) ?? []);
    return added.length === files.length ? [{ recordId, added }] : [];
  });
  if (uploaded.length === 0) throw error;
  const ids = uploaded.map(({ recordId }) => recordId);
  const cells = await readCells(context, column, ids);
  if (cells.size === 0) getCell(cells, ids[0] ?? "");
  const changes = uploaded.filter(({ recordId }) => cells.has(recordId));
  await sendRequest(context, `api/v2/tables/${table.id}/records`, z.unknown(), {
    method: "PATCH",
    json: changes.map(({ recordId, added }) => {
      const existing = mode === "append" ? getCell(cells, recordId) : [];
      return {
        [table.key.title]: recordId,
        [field.title]: [...existing, ...added],
      };
    }),
  });
  const after = await readCells(context, column, ids).catch(
    (cause: unknown) => {
      // Any other code would mean that nothing was written.
      throw new PlatformError(
        "unavailable",
        "NocoDB did not return the files that it saved.",
        { cause },
      );
    },
  );
  return changes.flatMap(({ recordId, added }) => {
    const attachments = parseAttachments(context, added);
    const stored = parseAttachments(context, after.get(recordId));
    const isWritten = attachments.every(({ remoteId }) =>
      stored.some((attachment) => attachment.remoteId === remoteId),
    );
    return isWritten ? [{ recordId, attachments }] : [];
  });
}
