import { z } from "zod";
import {
  clock,
  type BaseInfo,
  type FieldInfo,
  type FieldKind,
  PlatformError,
  type PlatformPlugin,
  type TableInfo,
  type Attachment,
  type OutFile,
  type RecordFiles,
  type TableScope,
  type WriteMode,
  type WrittenRecord,
  type Row,
  type RowPage,
  type RowSearch,
  type RowSelection,
  type RowsFound,
} from "../../core/plugin-api/index.js";
import { createMeta } from "../lib/meta.js";
import { createMoneyFormat } from "../lib/cells.js";
import {
  type Condition,
  type ConditionValue,
  getDay,
  parseConditions,
} from "../lib/conditions.js";
import {
  AirtableClient,
  type AirtableCredentials,
  credentialsSchema,
  getEndpointUrl,
  quotaError,
  type AirtableRequest,
} from "./client.js";
import { airtableChanges } from "./webhooks.js";

/** The most records that a page, and so a request, can have. */
const maxPageSize = 100;

/** Airtable: linked records, and files in attachment fields. */
export const airtablePlugin: PlatformPlugin<AirtableCredentials> = {
  meta: createMeta("platform", "airtable", "Airtable"),
  credentials: { schema: credentialsSchema },
  capabilities: {
    links: true,
    attachments: "native",
    modes: ["append", "replace"],
    maxFileBytes: 1_000_000_000,
    maxIdsPerFetch: maxPageSize,
    keepsFilename: true,
    readBack: true,
    // Three requests at least: to read the cells, to change them, and to see whether the files were fetched. To add to
    // cells, uploads are the only way that loses nothing: a change sets the whole list, without a condition.
    writeMany: {
      maxRecords: 50,
      minRecords: 4,
      modes: ["replace"],
      needsPublicUrl: true,
    },
  },
  rate: {
    // A base allows 5 per second for all tokens together; spacing of exactly that still exceeds it at times.
    key: (credentials, { baseId }) =>
      `${getEndpointUrl(credentials)} ${baseId ?? credentials.token}`,
    maxPerSecond: 4.5,
    maxInFlight: 5,
    cooldownMs: 30_000,
    quotaErrors: [quotaError],
  },
  changes: airtableChanges,
  check: (context) => check(new AirtableClient(context)),
  listBases: async (context) => {
    const bases = await listAllBases(new AirtableClient(context));
    return bases.map(({ id, name }): BaseInfo => ({ id, name }));
  },
  describe: async (context, baseId) => {
    const base = getBaseId(baseId === undefined ? {} : { baseId });
    const tables = await listTables(new AirtableClient(context), base);
    return tables.map(toTableInfo);
  },
  fetchRows: (context, scope, ids, fieldIds) =>
    fetchRows(new AirtableClient(context), scope, ids, fieldIds),
  findRows: (context, scope, search) =>
    findRows(new AirtableClient(context), scope, search),
  listRows: (context, scope, selection, cursor) =>
    listRows(new AirtableClient(context), scope, selection, cursor),
  writeBack: (context, scope, recordId, fieldId, files, mode) =>
    new AttachmentCell(
      new AirtableClient(context),
      scope,
      recordId,
      fieldId,
    ).write(files, mode),
  writeBackMany: (context, scope, fieldId, writes) =>
    new AttachmentColumn(new AirtableClient(context), scope, fieldId).replace(
      writes,
    ),
  readAttachments: (context, scope, recordId, fieldId) =>
    new AttachmentCell(
      new AirtableClient(context),
      scope,
      recordId,
      fieldId,
    ).readSettled(),
};

const userSchema = z.object({
  id: z.string(),
  email: z.string().optional(),
  /** Airtable returns them for OAuth tokens only. */
  scopes: z.array(z.string()).optional(),
});

const neededScopes = ["data.records:read", "data.records:write"];
const writeLevels = new Set(["create", "edit", "editor", "owner", "creator"]);

/** Returns the token's user, and what the token lacks. @throws PlatformError when it can read nothing. */
async function check(client: AirtableClient) {
  const user = await client.send(
    { baseId: "meta", path: "/whoami", needs: "a valid token" },
    userSchema,
  );
  const bases = await listAllBases(client);
  const [first] = bases;
  if (!first)
    throw new PlatformError(
      "forbidden",
      "The token has access to no base. Add the bases that hold your records to it at airtable.com/create/tokens.",
    );
  const table = await readFirstRecord(client, first);
  const canWrite = table === null || (await mayWrite(client, first, table));
  const missingScopes = neededScopes.filter(
    (scope) => user.scopes && !user.scopes.includes(scope),
  );
  const readOnlyBases = bases.filter(
    ({ permissionLevel = "edit" }) => !writeLevels.has(permissionLevel),
  );
  return {
    account: user.email ?? user.id,
    warnings: [
      ...missingScopes.map((scope) => `The token lacks the scope ${scope}.`),
      ...(canWrite || missingScopes.length > 0
        ? []
        : [
            `Files cannot be written to the base "${first.name}": the token lacks the scope data.records:write, which it gets at airtable.com/create/tokens, or its user may not edit the base.`,
          ]),
      ...readOnlyBases.map(
        ({ name }) =>
          `Files cannot be written to the base "${name}". Open Share in the base and make the token's user an Editor.`,
      ),
    ],
  };
}

/** Has the form of a record's id. Airtable draws them at random, so none is this one. */
const noRecordId = "rec00000000000000";

/**
 * Asks for a change of a record that does not exist. Airtable answers 422 (`ROW_DOES_NOT_EXIST`) to a token that may
 * write, and refuses others as if the table did not exist.
 */
async function mayWrite(
  client: AirtableClient,
  { id: baseId }: AirtableBase,
  tableId: string,
): Promise<boolean> {
  try {
    await client.send(
      {
        method: "PATCH",
        baseId,
        path: getTablePath({ tableId }),
        needs: "data.records:write",
        body: { records: [{ id: noRecordId, fields: {} }] },
      },
      z.unknown(),
    );
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.status !== 403 && error.status !== 404;
  }
}

/**
 * Airtable does not reveal the scopes of a personal token, so reading a record is the only test. @returns the id of the
 * table; null for a base without any.
 */
async function readFirstRecord(
  client: AirtableClient,
  base: AirtableBase,
): Promise<string | null> {
  const [table] = await listTables(client, base.id);
  if (!table) return null;
  const needs = "data.records:read";
  try {
    await client.send(
      {
        method: "POST",
        baseId: base.id,
        path: `${getTablePath({ tableId: table.id })}/listRecords`,
        needs,
        body: { pageSize: 1, fields: [] },
      },
      recordListSchema,
    );
    return table.id;
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== "not_found")
      throw error;
    throw new PlatformError(
      "forbidden",
      `The token lacks the scope ${needs}, so no record of the base "${base.name}" can be read. Add it at airtable.com/create/tokens.`,
      { cause: error },
    );
  }
}

const baseListSchema = z.object({
  bases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permissionLevel: z.string().optional(),
    }),
  ),
  offset: z.string().optional(),
});
type AirtableBase = z.infer<typeof baseListSchema>["bases"][number];

async function listAllBases(client: AirtableClient): Promise<AirtableBase[]> {
  const all: AirtableBase[] = [];
  let offset: string | undefined;
  do {
    const page = await client.send(
      {
        baseId: "meta",
        path: "/bases",
        needs: "schema.bases:read",
        ...(offset !== undefined && { query: { offset } }),
      },
      baseListSchema,
    );
    all.push(...page.bases);
    ({ offset } = page);
  } while (offset !== undefined);
  return all;
}

const unitSchema = z.object({ symbol: z.string().optional() });

const fieldSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  options: unitSchema
    .extend({
      linkedTableId: z.string().optional(),
      prefersSingleRecordLink: z.boolean().optional(),
      /** Of a formula. */
      result: z
        .object({ type: z.string(), options: unitSchema.nullish() })
        .nullish(),
    })
    .nullish(),
});

const tableSchema = z.object({
  id: z.string(),
  name: z.string(),
  primaryFieldId: z.string(),
  fields: z.array(fieldSchema),
  views: z
    .array(z.object({ id: z.string(), name: z.string(), type: z.string() }))
    .default([]),
});

async function listTables(client: AirtableClient, baseId: string) {
  const path = `/bases/${baseId}/tables`;
  const { tables } = await client.send(
    { baseId: "meta", path, needs: "schema.bases:read" },
    z.object({ tables: z.array(tableSchema) }),
  );
  return tables;
}

function toTableInfo({
  id,
  name,
  primaryFieldId,
  fields,
  views,
}: z.infer<typeof tableSchema>): TableInfo {
  return {
    id,
    name,
    primaryFieldId,
    fields: fields.map(toFieldInfo),
    // A form shows no records.
    views: views
      .filter(({ type }) => type !== "form")
      .map((view) => ({ id: view.id, name: view.name })),
  };
}

/** Other types, such as those that Airtable adds later, are `other`: their values are passed on unchanged. */
const fieldKinds: Readonly<Record<string, FieldKind>> = {
  singleLineText: "text",
  multilineText: "text",
  richText: "text",
  email: "text",
  url: "text",
  phoneNumber: "text",
  number: "number",
  currency: "number",
  percent: "number",
  duration: "number",
  rating: "number",
  checkbox: "boolean",
  date: "date",
  dateTime: "date",
  singleSelect: "select",
  multipleSelects: "select",
  multipleRecordLinks: "link",
  multipleAttachments: "attachment",
  formula: "computed",
  rollup: "computed",
  count: "computed",
  multipleLookupValues: "computed",
  autoNumber: "computed",
  createdTime: "computed",
  lastModifiedTime: "computed",
  createdBy: "computed",
  lastModifiedBy: "computed",
  externalSyncSource: "computed",
  aiText: "computed",
  button: "computed",
  barcode: "json",
  singleCollaborator: "json",
  multipleCollaborators: "json",
};

function toFieldInfo({
  id,
  name,
  type: native,
  options,
}: z.infer<typeof fieldSchema>): FieldInfo {
  const kind = fieldKinds[native] ?? "other";
  const tableId = kind === "link" ? options?.linkedTableId : undefined;
  const many = options?.prefersSingleRecordLink !== true;
  return {
    id,
    name,
    kind,
    native,
    writable: kind !== "computed" && kind !== "other",
    ...(native === "checkbox" && { isEmptyNo: true }),
    ...getFormat(
      (native === "formula" || native === "rollup"
        ? options?.result
        : null) ?? {
        type: native,
        options,
      },
    ),
    ...(tableId !== undefined && { link: { tableId, many } }),
  };
}

function getFormat({
  type,
  options,
}: Pick<z.infer<typeof fieldSchema>, "type"> & {
  options?: z.infer<typeof unitSchema> | null | undefined;
}): Pick<FieldInfo, "format" | "currency"> {
  if (type === "percent") return { format: "percent" };
  return type === "currency" ? createMoneyFormat(options?.symbol ?? "") : {};
}

/** The largest file that can be uploaded; Airtable fetches larger ones from a public address. */
const maxUploadBytes = 5_000_000;
/** How long that address works, in seconds. */
const publicUrlSeconds = 3600;
/** How long to wait before each check whether Airtable has fetched it, in milliseconds. */
const pollDelaysMs = [500, 1000, 2000, 4000, 8000, 8000, 8000];

/** A cell with attachments. The host guarantees that writes to a cell do not overlap. */
class AttachmentCell {
  constructor(
    private readonly client: AirtableClient,
    private readonly scope: TableScope,
    private readonly recordId: string,
    private readonly fieldId: string,
  ) {}

  async read(): Promise<Attachment[]> {
    const query = { returnFieldsByFieldId: true };
    const needs = "data.records:read";
    return this.send({ ...this.createRequest(), query, needs });
  }

  /** Waits for the files that Airtable is still fetching: it removes those that it cannot fetch. */
  async readSettled(): Promise<Attachment[]> {
    let cell = await this.read();
    for (const wait of pollDelaysMs) {
      if (cell.every(({ sizeBytes }) => sizeBytes !== undefined)) break;
      await clock.sleep(wait, this.client.signal);
      cell = await this.read();
    }
    return cell;
  }

  /**
   * Adds the files one by one. Files to replace are removed last, so that a failure never loses one.
   * @returns the added files.
   */
  async write(files: readonly OutFile[], mode: WriteMode) {
    const added: Attachment[] = [];
    for (const file of files) added.push(await this.add(file));
    if (mode === "append") return added;
    return this.setFiles(added.map(({ remoteId: id }) => ({ id })));
  }

  private add(file: OutFile): Promise<Attachment> {
    return file.sizeBytes > maxUploadBytes
      ? this.addByUrl(file)
      : this.upload(file);
  }

  private async upload(file: OutFile): Promise<Attachment> {
    const { filename, contentType } = file;
    const bytes = Buffer.from(await file.bytes());
    const cell = await this.send({
      ...this.createRequest(),
      method: "POST",
      path: `/${encodeURIComponent(this.recordId)}/${encodeURIComponent(this.fieldId)}/uploadAttachment`,
      isUpload: true,
      body: { contentType, filename, file: bytes.toString("base64") },
    });
    return this.getLast(cell);
  }

  /** Airtable does not report a failed fetch, so the cell is polled. */
  private async addByUrl(file: OutFile): Promise<Attachment> {
    const { filename, sizeBytes } = file;
    const url = await file.publicUrl?.(publicUrlSeconds);
    if (url === undefined) throw this.createNoUrlError(filename, sizeBytes);
    const before = await this.read();
    const existing = before.map(({ remoteId: id }) => ({ id }));
    const cell = await this.setFiles([...existing, { url, filename }]);
    return this.waitForFetch(this.getLast(cell), filename);
  }

  private async waitForFetch(added: Attachment, filename: string) {
    for (const wait of pollDelaysMs) {
      await clock.sleep(wait, this.client.signal);
      const cell = await this.read();
      const attachment = cell.find(
        ({ remoteId }) => remoteId === added.remoteId,
      );
      if (!attachment) break;
      if (attachment.sizeBytes !== undefined) return attachment;
    }
    throw new PlatformError(
      "unavailable",
      `Airtable did not fetch "${filename}" from Platen. Make sure that PLATEN_BASE_URL is reachable from the internet.`,
      this.getCell(),
    );
  }

  private setFiles(list: readonly object[]): Promise<Attachment[]> {
    return this.send({
      ...this.createRequest(),
      method: "PATCH",
      body: { fields: { [this.fieldId]: list }, returnFieldsByFieldId: true },
    });
  }

  private async send(request: AirtableRequest): Promise<Attachment[]> {
    const { fields } = await this.client.send(request, recordSchema);
    return parseAttachments(fields[this.fieldId]) ?? [];
  }

  private createRequest(): AirtableRequest {
    const { scope, recordId } = this;
    return {
      baseId: getBaseId(scope),
      path: `${getTablePath(scope)}/${encodeURIComponent(recordId)}`,
      needs: "data.records:write",
      ...this.getCell(),
    };
  }

  private getLast(cell: readonly Attachment[]): Attachment {
    const added = cell.at(-1);
    if (added) return added;
    throw new PlatformError(
      "invalid_field",
      `The field ${this.fieldId} accepted no file. Choose an attachment field.`,
      this.getCell(),
    );
  }

  private createNoUrlError(filename: string, sizeBytes: number): PlatformError {
    return new PlatformError(
      "too_large",
      `"${filename}" has ${sizeBytes} bytes. Airtable fetches files above ${maxUploadBytes} bytes from a public address, ` +
        "but Platen has none. Set PLATEN_BASE_URL to its https address, or use smaller images.",
      this.getCell(),
    );
  }

  private getCell(): { recordId: string; fieldId: string } {
    return { recordId: this.recordId, fieldId: this.fieldId };
  }
}

/** The most records that one request can change. */
const maxRecordsPerChange = 10;

/** The cells of several records in one field. The host guarantees that writes to a cell do not overlap. */
class AttachmentColumn {
  constructor(
    private readonly client: AirtableClient,
    private readonly scope: TableScope,
    private readonly fieldId: string,
  ) {}

  /**
   * Has Airtable fetch the files from their addresses, and then removes the earlier ones, so that a failure never leaves a
   * cell empty. @returns the records whose cells contain these files alone.
   */
  async replace(writes: readonly RecordFiles[]): Promise<WrittenRecord[]> {
    const earlier = await this.read(writes.map(({ recordId }) => recordId));
    const additions: RecordChange[] = [];
    for (const { recordId, files } of writes) {
      const existing = earlier.get(recordId);
      const urls = await Promise.all(
        files.map(async (file) => file.publicUrl?.(publicUrlSeconds)),
      );
      if (!existing || urls.includes(undefined)) continue;
      const added = files.map(({ filename }, at) => ({
        url: urls[at],
        filename,
      }));
      additions.push({ id: recordId, existing, added });
    }
    const fetched = await this.waitForFetch(await this.change(additions));
    const removals = fetched
      .filter(({ recordId }) => earlier.get(recordId)?.length !== 0)
      .map(({ recordId: id, attachments }) => ({
        id,
        existing: attachments,
        added: [],
      }));
    const cleared = await this.change(removals);
    const left = removals.map(({ id }) => id).filter((id) => !cleared.has(id));
    return fetched.filter(({ recordId }) => !left.includes(recordId));
  }

  /** @returns the added files by record. @throws PlatformError when no record was changed. */
  private async change(
    changes: readonly RecordChange[],
  ): Promise<Map<string, Attachment[]>> {
    const count = Math.ceil(changes.length / maxRecordsPerChange);
    const parts = Array.from({ length: count }, (_, part) =>
      changes.slice(
        part * maxRecordsPerChange,
        (part + 1) * maxRecordsPerChange,
      ),
    );
    const ended = await Promise.allSettled(
      parts.map((part) => this.sendChanges(part)),
    );
    const added = new Map<string, Attachment[]>();
    for (const result of ended)
      if (result.status === "fulfilled")
        for (const [id, files] of result.value) added.set(id, files);
    const errors = ended.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : [],
    );
    if (added.size > 0 || errors.length === 0) return added;
    throw errors.find(isUnavailable) ?? errors[0];
  }

  private async sendChanges(
    changes: readonly RecordChange[],
  ): Promise<[string, Attachment[]][]> {
    const { records } = await this.client.send(
      {
        method: "PATCH",
        baseId: getBaseId(this.scope),
        path: getTablePath(this.scope),
        needs: "data.records:write",
        fieldId: this.fieldId,
        body: {
          records: changes.map(({ id, existing, added }) => {
            const ids = existing.map(({ remoteId }) => ({ id: remoteId }));
            return { id, fields: { [this.fieldId]: [...ids, ...added] } };
          }),
          returnFieldsByFieldId: true,
        },
      },
      recordListSchema,
    );
    return records.map(({ id, fields }) => {
      const { added = [] } = changes.find((change) => change.id === id) ?? {};
      const files = parseAttachments(fields[this.fieldId]) ?? [];
      return [id, files.slice(files.length - added.length)];
    });
  }

  /** Airtable does not report a failed fetch, so the cells are polled. @returns the records whose files are complete. */
  private async waitForFetch(
    added: ReadonlyMap<string, Attachment[]>,
  ): Promise<WrittenRecord[]> {
    const written: WrittenRecord[] = [];
    let waiting = [...added.keys()];
    for (const wait of pollDelaysMs) {
      if (waiting.length === 0) break;
      await clock.sleep(wait, this.client.signal);
      const cells = await this.read(waiting);
      waiting = waiting.filter((recordId) => {
        const ids = added.get(recordId)?.map(({ remoteId }) => remoteId) ?? [];
        const attachments = (cells.get(recordId) ?? []).filter(({ remoteId }) =>
          ids.includes(remoteId),
        );
        const isKept = attachments.length === ids.length;
        if (!isKept) return false;
        if (attachments.some(({ sizeBytes }) => sizeBytes === undefined))
          return true;
        written.push({ recordId, attachments });
        return false;
      });
    }
    return written;
  }

  /** The files by record, without records that do not exist. A GET, which the host does not take for a write. */
  private async read(
    ids: readonly string[],
  ): Promise<Map<string, Attachment[]>> {
    const { records } = await this.client.send(
      {
        baseId: getBaseId(this.scope),
        path: getTablePath(this.scope),
        needs: "data.records:read",
        fieldId: this.fieldId,
        query: {
          filterByFormula: createIdFormula(
            ids.filter((id) => recordIdPattern.test(id)),
          ),
          "fields[]": this.fieldId,
          returnFieldsByFieldId: true,
        },
      },
      recordListSchema,
    );
    return new Map(
      records.map(({ id, fields }) => [
        id,
        parseAttachments(fields[this.fieldId]) ?? [],
      ]),
    );
  }
}

/** What a record's cell is to contain. */
interface RecordChange {
  id: string;
  existing: readonly Attachment[];
  added: readonly object[];
}

function isUnavailable(error: unknown): boolean {
  return !(error instanceof PlatformError) || error.code === "unavailable";
}

export const recordSchema = z.object({
  id: z.string(),
  fields: z.record(z.string(), z.unknown()).default({}),
});

const recordListSchema = z.object({
  records: z.array(recordSchema),
  offset: z.string().optional(),
});

/** @throws PlatformError `bad_config` when no base is named. */
function getBaseId({ baseId }: Partial<TableScope>): string {
  if (baseId !== undefined && /^app[A-Za-z0-9]{14}$/.test(baseId))
    return baseId;
  throw new PlatformError(
    "bad_config",
    baseId === undefined
      ? "No base is given. Set baseId to the part of the base's address that begins with app."
      : `"${baseId.slice(0, 40)}" is not a base id. Use the part of the base's address that begins with app.`,
  );
}

function getTablePath({ tableId }: TableScope): string {
  return `/${encodeURIComponent(tableId)}`;
}

/** Reads records by a formula over their ids, a hundred at a time. Ids that cannot be valid are not sent. */
export async function fetchRows(
  client: AirtableClient,
  scope: TableScope,
  ids: readonly string[],
  fieldIds?: readonly string[],
): Promise<RowsFound> {
  const uniqueIds = [...new Set(ids)];
  const validIds = uniqueIds.filter((id) => recordIdPattern.test(id));
  const rows = new Map<string, Row>();
  for (let at = 0; at < validIds.length; at += maxPageSize) {
    let offset: string | undefined;
    do {
      const page = await listRecords(client, scope, {
        filterByFormula: createIdFormula(validIds.slice(at, at + maxPageSize)),
        pageSize: maxPageSize,
        returnFieldsByFieldId: true,
        ...(fieldIds && { fields: fieldIds }),
        ...(offset !== undefined && { offset }),
      });
      for (const record of page.records) rows.set(record.id, toRow(record));
      ({ offset } = page);
    } while (offset !== undefined);
  }
  return {
    rows: uniqueIds.flatMap((id) => rows.get(id) ?? []),
    missing: uniqueIds.filter((id) => !rows.has(id)),
  };
}

/** @param ids valid ones. */
function createIdFormula(ids: readonly string[]): string {
  return `OR(${ids.map((id) => `RECORD_ID()='${id}'`).join(",")})`;
}

/** Finds the first records, or those whose field contains the text. */
export async function findRows(
  client: AirtableClient,
  scope: TableScope,
  { limit, text = "", fieldId }: RowSearch,
): Promise<string[]> {
  const formula =
    text === "" || fieldId === undefined
      ? null
      : createSearchFormula(text, await readField(client, scope, fieldId));
  const { records } = await listRecords(client, scope, {
    pageSize: Math.min(limit, maxPageSize),
    fields: [],
    ...(formula !== null && { filterByFormula: formula }),
  });
  return records.map(({ id }) => id);
}

/** Lists the records of a view, in its order, or those that match a formula or conditions. */
async function listRows(
  client: AirtableClient,
  scope: TableScope,
  selection: RowSelection,
  cursor?: string,
): Promise<RowPage> {
  // The query is kept with the offset, because a formula is made with the names that the table's fields have now.
  const { query, offset: from } =
    cursor === undefined
      ? { query: await toListQuery(client, scope, selection) }
      : cursorSchema.parse(JSON.parse(cursor));
  const { records, offset } = await listRecords(client, scope, {
    pageSize: maxPageSize,
    fields: [],
    ...query,
    ...(from !== undefined && { offset: from }),
  });
  return {
    ids: records.map(({ id }) => id),
    ...(offset !== undefined && { next: JSON.stringify({ query, offset }) }),
  };
}

const cursorSchema = z.object({
  query: z.record(z.string(), z.string()),
  offset: z.string().optional(),
});

async function toListQuery(
  client: AirtableClient,
  scope: TableScope,
  selection: RowSelection,
): Promise<Record<string, string>> {
  if ("viewId" in selection) return { view: selection.viewId };
  if ("emptyFieldId" in selection) {
    const field = await readField(client, scope, selection.emptyFieldId);
    return { filterByFormula: `${toReference(field)} = BLANK()` };
  }
  const { filter } = selection;
  if (typeof filter !== "string")
    return {
      filterByFormula: toFormula(filter, await readFields(client, scope)),
    };
  if (filter.trim() !== "") return { filterByFormula: filter };
  throw new PlatformError(
    "invalid_field",
    "The filter must be a formula, such as {Status} = 'Paid', or an object of conditions.",
  );
}

/**
 * The fields of the table. They are read for each query: formulas name fields by their names alone, and a name that was
 * kept may be that of another field by now.
 */
async function readFields(
  client: AirtableClient,
  scope: TableScope,
): Promise<FieldInfo[]> {
  const tables = await listTables(client, getBaseId(scope));
  const table = tables.find(({ id, name }) =>
    [id, name].includes(scope.tableId),
  );
  return table?.fields.map(toFieldInfo) ?? [];
}

async function readField(
  client: AirtableClient,
  scope: TableScope,
  fieldId: string,
): Promise<FieldInfo> {
  const fields = await readFields(client, scope);
  const field = fields.find(({ id, name }) => [id, name].includes(fieldId));
  if (field) return field;
  throw new PlatformError(
    "invalid_field",
    `The table has no field ${fieldId.slice(0, 60)}, or no longer has it.`,
    { fieldId },
  );
}

/**
 * The field in a formula. Airtable reads `\}` as a brace of the name, but only once in a name, and has no escape for a
 * backslash before a brace.
 */
function toReference({ name, id: fieldId }: FieldInfo): string {
  if (!/\}.*\}|\\(\}|$)/s.test(name)) return `{${name.replace("}", "\\}")}}`;
  throw new PlatformError(
    "invalid_field",
    `Airtable's formulas cannot name the field "${name.slice(0, 60)}", because its name has more than one "}", or a "\\" at its end or before a "}". Rename it in Airtable.`,
    { fieldId },
  );
}

function toFormula(filter: unknown, fields: readonly FieldInfo[]): string {
  const comparable = fields.filter(
    ({ kind }) => !["link", "attachment"].includes(kind),
  );
  const names = comparable.flatMap(({ id, name }) => [name, id]);
  const terms = parseConditions(filter, names).flatMap(([name, condition]) => {
    const field = comparable.find((candidate) =>
      [candidate.name, candidate.id].includes(name),
    );
    return field ? toTerms(field, condition) : [];
  });
  return `AND(${terms.join(", ")})`;
}

function toTerms(field: FieldInfo, { is, not, min, max }: Condition): string[] {
  const any = is?.map((value) => toEqualTerm(field, value)) ?? [];
  return [
    ...(any.length > 0 ? [`OR(${any.join(", ")})`] : []),
    ...(not === undefined ? [] : [`NOT(${toEqualTerm(field, not)})`]),
    ...(min === undefined ? [] : [toBoundTerm(field, ">=", min)]),
    ...(max === undefined ? [] : [toBoundTerm(field, "<=", max)]),
  ];
}

function toEqualTerm(field: FieldInfo, value: ConditionValue): string {
  const cell = toReference(field);
  // Airtable takes 0 for blank, but not for an empty text.
  if (value === null || value === "") return `${cell} & "" = ""`;
  if (field.kind === "boolean")
    return value === true ? `${cell} = TRUE()` : `NOT(${cell} = TRUE())`;
  if (field.kind === "date")
    return `IS_SAME(${cell}, "${getDay(value, field.name)}", "day")`;
  if (field.kind === "number" || typeof value === "number")
    return `AND(${cell} & "" != "", ${cell} = ${toNumber(field, value)})`;
  return `${cell} & "" = ${quote(String(value))}`;
}

function toBoundTerm(
  field: FieldInfo,
  operator: ">=" | "<=",
  value: string | number,
): string {
  const cell = toReference(field);
  if (field.kind !== "date")
    return `AND(${cell} & "" != "", ${cell} ${operator} ${toNumber(field, value)})`;
  const day = getDay(value, field.name);
  return operator === ">="
    ? `AND(${cell} & "" != "", NOT(IS_BEFORE(${cell}, "${day}")))`
    : `AND(${cell} & "" != "", NOT(IS_AFTER(${cell}, "${day}T23:59:59.999Z")))`;
}

function toNumber({ name }: FieldInfo, value: ConditionValue): number {
  const number = Number(value);
  if (value !== "" && Number.isFinite(number)) return number;
  throw new PlatformError(
    "invalid_field",
    `The filter compares the field "${name}" with "${String(value).slice(0, 60)}", which is not a number.`,
    { fieldId: name },
  );
}

/** Quotes the text so that it cannot end the string. */
function quote(text: string): string {
  const escaped = text
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"');
  return `"${escaped}"`;
}

function listRecords(client: AirtableClient, scope: TableScope, body: object) {
  return client.send(
    {
      method: "POST",
      baseId: getBaseId(scope),
      path: `${getTablePath(scope)}/listRecords`,
      needs: "data.records:read",
      body,
    },
    recordListSchema,
  );
}

function createSearchFormula(text: string, field: FieldInfo): string {
  return `SEARCH(LOWER(${quote(text)}), LOWER(${toReference(field)} & ""))`;
}

// The prefix of an id names its kind, so links and attachments are recognized without the table's schema.
const recordIdPattern = /^rec[A-Za-z0-9]{14}$/;
const linksSchema = z.array(z.string().regex(recordIdPattern)).min(1);

/** Airtable leaves empty cells out of a record. */
function toRow({ id, fields }: z.infer<typeof recordSchema>): Row {
  const row: Row = { id, fields: {}, links: {} };
  for (const [fieldId, value] of Object.entries(fields)) {
    const links = linksSchema.safeParse(value).data;
    if (links) row.links[fieldId] = [...new Set(links)];
    else row.fields[fieldId] = parseAttachments(value) ?? value;
  }
  return row;
}

const attachmentsSchema = z
  .array(
    z.object({
      id: z.string().startsWith("att"),
      url: z.string(),
      filename: z.string().default(""),
      size: z.number().optional(),
    }),
  )
  .min(1);

/** The files of a cell; null when it holds something else. */
export function parseAttachments(value: unknown): Attachment[] | null {
  const { data } = attachmentsSchema.safeParse(value);
  if (!data) return null;
  return data.map(({ id: remoteId, url, filename, size }) => ({
    remoteId,
    filename,
    url,
    ...(size !== undefined && { sizeBytes: size }),
  }));
}
