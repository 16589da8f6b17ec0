import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { clock } from "../../../core/lib/clock.js";
import { parseFormula } from "./airtable-formula.js";
import {
  FakeRefusal,
  FakeServer,
  readBody,
  type FakeReply,
  type FakeRequest,
} from "./fake-server.js";

// Airtable's API on the loopback interface. It refuses what Airtable refuses (airtable.com/developers/web/api):
// - more than 5 requests in a second to a base, or 50 by a user: 429, and for 30 seconds from then on (…/rate-limits)
// - a missing scope, base, table or record that the token does not see: 403 INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND, which
//   never says which of them it is (…/errors); a record that is not in the table: 404 "NOT_FOUND", without a message
// - formulas: see airtable-formula.ts; views and fields that the table lacks: 422
// - pages of more than 100 records, and offsets that it did not give: 422 (…/list-records)
// - addresses of more than 16,000 characters (support.airtable.com/docs/enforcement-of-url-length-limit-for-web-api-requests)
// - changes of more than 10 records at once, of which all are made or none (…/update-multiple-records), values for
//   computed fields, and attachments of the record that it does not have
// - uploads of more than 5 MB (…/upload-attachment). A file that it cannot fetch from an address vanishes without a word.
// - more than 10 webhooks for a base, and refreshing one that has expired after 7 days (…/webhooks-overview)
// Empty cells, unticked checkboxes too, are left out of what it answers (…/field-model).

interface Base {
  id: string;
  name: string;
  tables: FakeTable[];
}

interface Call {
  method: string;
  path: string[];
  query: URLSearchParams;
  scopes: readonly string[];
  body: unknown;
}

/** Of a token that can do all but manage webhooks. */
export const airtableScopes = [
  "data.records:read",
  "data.records:write",
  "schema.bases:read",
];

const changes = z.object({
  fields: z.record(z.string(), z.unknown()),
  returnFieldsByFieldId: z.boolean().default(false),
});

const manyChanges = z.object({
  records: z.array(
    z.object({ id: z.string(), fields: z.record(z.string(), z.unknown()) }),
  ),
  returnFieldsByFieldId: z.boolean().default(false),
});

const maxUrlLength = 16_000;

const writable = new Set(["singleLineText", "number", "multilineText"]);

export class FakeAirtable extends FakeServer {
  readonly ids = new Ids();
  readonly bases: Base[] = [];
  readonly limit = new RateLimit();
  /** The scopes of each token. */
  readonly tokens = new Map<string, readonly string[]>();
  readonly files = new Attachments(this.ids, () => this.url);
  readonly webhooks = new Webhooks(this.ids);
  /** `METHOD /path` of each request that was not refused for its pace. */
  readonly log: string[] = [];
  /** Awaited after each change of records, before it is answered. */
  beforeReply: () => Promise<void> | void = () => undefined;
  /** Awaited before each upload, and for each record before a change of many. */
  beforeUpload: (baseId: string, recordId: string) => Promise<void> | void =
    () => undefined;
  /** Awaited before each list of a table's records. */
  beforeList: () => Promise<void> | void = () => undefined;

  static start(): Promise<FakeAirtable> {
    return new FakeAirtable().listen();
  }

  addToken(token: string, scopes: readonly string[] = airtableScopes): string {
    this.tokens.set(token, scopes);
    return token;
  }

  addBase(name: string): Base {
    const base = { id: this.ids.next("app"), name, tables: [] };
    this.bases.push(base);
    return base;
  }

  addTable(
    base: Base,
    name: string,
    fields: Readonly<Record<string, FieldDefinition>>,
  ): FakeTable {
    const table = new FakeTable(this.ids, name, fields);
    base.tables.push(table);
    return table;
  }

  protected async respond(request: FakeRequest): Promise<FakeReply> {
    const { method, url, query, headers } = request;
    if (url.href.length > maxUrlLength) throw airtableErrors.urlTooLong();
    const [first = "", ...path] = request.path.slice(1).split("/");
    if (first === "files")
      return { body: this.files.bytes.get(path[0] ?? "") ?? null };
    const body = method === "GET" ? null : await readBody(request);
    if (first !== "v0") throw airtableErrors.notFound();
    const token = headers["authorization"]?.replace("Bearer ", "") ?? "";
    const [scope = "", baseId = ""] = path;
    this.#checkRate(scope === "bases" ? baseId : scope, token);
    const scopes = this.tokens.get(token);
    if (!scopes) throw airtableErrors.authentication();
    this.log.push(`${method} ${request.path}`);
    const call = {
      method,
      path: path.map(decodeURIComponent),
      query,
      scopes,
      body,
    };
    if (path[3] === "uploadAttachment")
      await this.beforeUpload(path[0] ?? "", path[1] ?? "");
    if (path[2] === "listRecords") await this.beforeList();
    if (path[0] === "bases" && path[2] === "webhooks") {
      const result = this.webhooks.respond(this.#base(path[1] ?? ""), call);
      await this.webhooks.beforeReply();
      return { body: result };
    }
    const changed = method === "PATCH" && manyChanges.safeParse(body).data;
    for (const { id } of changed ? changed.records : [])
      await this.beforeUpload(path[0] ?? "", id);
    const result = this.#respond(call);
    if (method === "PATCH" || path[3] === "uploadAttachment")
      await this.beforeReply();
    return { body: result };
  }

  /** Five a second for a base, fifty for a user. */
  #checkRate(base: string, token: string): void {
    const isUser = this.limit.allows(`user ${token}`, 50);
    if (isUser && (base === "meta" || this.limit.allows(base, 5))) return;
    throw airtableErrors.rateLimit();
  }

  #respond(call: Call): unknown {
    const [baseId = ""] = call.path;
    if (baseId === "meta") return this.#respondMeta(call);
    const base = this.#base(baseId);
    if (call.path[3] === "uploadAttachment") return this.#upload(base, call);
    const [, tableName, recordId = ""] = call.path;
    const table = base.tables.find(
      ({ id, name }) => id === tableName || name === tableName,
    );
    if (!table) throw airtableErrors.permissionsOrModel();
    if (call.method === "POST" && recordId === "listRecords") {
      requireScope(call, "data.records:read");
      return listRecords(table, call.body);
    }
    if (call.method === "PATCH" && recordId === "")
      return this.#patchMany(table, call);
    if (call.method === "PATCH") return this.#patch(table, recordId, call);
    requireScope(call, "data.records:read");
    if (recordId === "") return listRecords(table, toListBody(call.query));
    const byId = call.query.get("returnFieldsByFieldId") === "true";
    return table.show(table.record(recordId), byId);
  }

  #respondMeta(call: Call): unknown {
    const [, what, baseId, tables] = call.path;
    if (what === "whoami") return { id: "usr00000000000001" };
    requireScope(call, "schema.bases:read");
    if (what !== "bases") throw airtableErrors.notFound();
    if (tables === "tables") return this.#listTables(baseId ?? "");
    return {
      bases: this.bases.map(({ id, name }) => ({
        id,
        name,
        permissionLevel: "create",
      })),
    };
  }

  #listTables(baseId: string): unknown {
    const { tables } = this.#base(baseId);
    return {
      tables: tables.map(({ id, name, fields, views }) => ({
        id,
        name,
        primaryFieldId: fields[0]?.id,
        fields,
        views: views.map((view) => ({
          id: view.id,
          name: view.name,
          type: view.type,
        })),
      })),
    };
  }

  #upload({ tables }: Base, call: Call): unknown {
    requireScope(call, "data.records:write");
    const [, recordId = "", fieldName = ""] = call.path;
    const table = tables.find(({ records }) => records.has(recordId));
    if (!table) throw airtableErrors.notFound();
    const field = table.field(fieldName);
    const record = table.record(recordId);
    this.files.upload(record, field, call.body);
    return table.show(record, true, [field.id]);
  }

  /**
   * Ten records at most, of which all are changed or none. It is not known which Airtable looks at first, the form of
   * the body or the scope: the form, so that a client learns nothing about scopes from a malformed body.
   */
  #patchMany(table: FakeTable, call: Call): unknown {
    const { records, returnFieldsByFieldId } = manyChanges.parse(call.body);
    if (records.length === 0 || records.length > 10)
      throw refuse(422, "INVALID_RECORDS", "records has no 1 to 10");
    requireScope(call, "data.records:write");
    for (const { id, fields } of records) {
      if (!table.records.has(id)) throw airtableErrors.noRow(id);
      for (const [name, value] of Object.entries(fields))
        this.files.assertValid(table.record(id), table.field(name), value);
    }
    return {
      records: records.map(({ id, fields }) =>
        this.#patch(table, id, {
          ...call,
          body: { fields, returnFieldsByFieldId },
        }),
      ),
    };
  }

  #patch(table: FakeTable, recordId: string, call: Call): unknown {
    requireScope(call, "data.records:write");
    const record = table.record(recordId);
    const { fields, returnFieldsByFieldId } = changes.parse(call.body);
    for (const [name, value] of Object.entries(fields)) {
      const field = table.field(name);
      if (field.type === "multipleAttachments")
        this.files.set(record, field, value);
      else if (writable.has(field.type) && typeof value !== "object")
        record.cells.set(field.id, value);
      else throw airtableErrors.value(field.name);
    }
    return table.show(record, returnFieldsByFieldId);
  }

  #base(baseId: string): Base {
    const found = this.bases.find(({ id }) => id === baseId);
    if (!found) throw airtableErrors.permissionsOrModel();
    return found;
  }
}

/** Airtable answers a missing scope as it answers a wrong id. */
function requireScope({ scopes }: Call, scope: string): void {
  if (!scopes.includes(scope)) throw airtableErrors.permissionsOrModel();
}

/** On a busy machine, this many evenly spaced requests may arrive early. */
const tolerance = 2;

/** Allows a number of requests per second of the clock and key; refuses a key that exceeds it for 30 seconds. */
class RateLimit {
  private readonly starts = new Map<string, number[]>();
  private readonly blockedUntil = new Map<string, number>();
  rejected = 0;

  constructor(private readonly penaltyMs = 30_000) {}

  /** Refuses the key's requests as after too many of them, until `allow`. */
  block(key: string): void {
    this.blockedUntil.set(key, Infinity);
  }

  allow(key: string): void {
    this.blockedUntil.delete(key);
  }

  allows(key: string, perSecond: number): boolean {
    const now = clock.now();
    const recent = (this.starts.get(key) ?? []).filter((at) => at > now - 1000);
    // As many more as pauses are shorter.
    const most = (perSecond * 1000) / clock.pause(1000) + tolerance;
    if (recent.length >= most)
      this.blockedUntil.set(key, now + clock.pause(this.penaltyMs));
    this.starts.set(key, [...recent, now]);
    const isAllowed = now >= (this.blockedUntil.get(key) ?? 0);
    if (!isAllowed) this.rejected += 1;
    return isAllowed;
  }
}

interface FakeField {
  id: string;
  /** Changes when a test renames the field. */
  name: string;
  type: string;
  options?: Record<string, unknown>;
}

interface FakeView {
  id: string;
  name: string;
  type: string;
  formula: string;
  sort: string | undefined;
}

/** A type, or a type with its options. */
type FieldDefinition = string | Pick<FakeField, "type" | "options">;

export interface FakeRecord {
  id: string;
  createdTime: string;
  /** By field id. */
  cells: Map<string, unknown>;
}

/** Gives ids of Airtable's form: three letters for the kind and fourteen more. */
class Ids {
  #last = 0;

  next(prefix: string): string {
    this.#last += 1;
    return prefix + this.#last.toString(36).padStart(14, "0");
  }
}

/** A table and its records. */
export class FakeTable {
  readonly id: string;
  readonly fields: FakeField[];
  readonly records = new Map<string, FakeRecord>();
  /** As they were last changed: each request sees the views of its moment. */
  views: FakeView[] = [];

  constructor(
    private readonly ids: Ids,
    readonly name: string,
    fields: Readonly<Record<string, FieldDefinition>>,
  ) {
    this.id = ids.next("tbl");
    this.fields = Object.entries(fields).map(([title, definition]) => ({
      id: ids.next("fld"),
      name: title,
      ...(typeof definition === "string" ? { type: definition } : definition),
    }));
  }

  /** By id or by name, as Airtable takes both. */
  field(name: string): FakeField {
    const found = this.fields.find(
      (one) => one.id === name || one.name === name,
    );
    if (!found) throw airtableErrors.unknownField(name);
    return found;
  }

  /** @param formula of the records that it shows. @param sort the field by which it sorts them. */
  addView(name: string, formula = "", sort?: string): FakeView {
    const id = this.ids.next("viw");
    const view = { id, name, type: "grid", formula, sort };
    this.views.push(view);
    return view;
  }

  /** @param cells by a field's name. */
  add(cells: Readonly<Record<string, unknown>> = {}): string {
    const id = this.ids.next("rec");
    const entries = Object.entries(cells).map(
      ([name, value]) => [this.field(name).id, value] as const,
    );
    const createdTime = "2026-01-01T00:00:00.000Z";
    this.records.set(id, { id, createdTime, cells: new Map(entries) });
    return id;
  }

  record(id: string): FakeRecord {
    const found = this.records.get(id);
    if (!found) throw airtableErrors.notFound();
    return found;
  }

  /** As the API shows a record: empty cells are left out. */
  show(
    { id, createdTime, cells }: FakeRecord,
    byFieldId: boolean,
    only?: readonly string[],
  ) {
    const wanted = only?.map((name) => this.field(name).id);
    const shown = this.fields.filter(
      (field) =>
        !isEmpty(cells.get(field.id)) && (wanted?.includes(field.id) ?? true),
    );
    const fields = Object.fromEntries(
      shown.map((field) => [
        byFieldId ? field.id : field.name,
        cells.get(field.id),
      ]),
    );
    return { id, createdTime, fields };
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (value === false || value === "") return true;
  return Array.isArray(value) && value.length === 0;
}

const query = z.object({
  filterByFormula: z.string().default(""),
  view: z.string().optional(),
  pageSize: z.number().int().min(1).max(100).default(100),
  returnFieldsByFieldId: z.boolean().default(false),
  fields: z.array(z.string()).optional(),
  offset: z.string().optional(),
});

/** The same query as parameters of a GET. */
function toListBody(parameters: URLSearchParams): object {
  const fields = parameters.getAll("fields[]");
  return {
    filterByFormula: parameters.get("filterByFormula") ?? "",
    returnFieldsByFieldId: parameters.get("returnFieldsByFieldId") === "true",
    ...(fields.length > 0 && { fields }),
  };
}

/** Only ever a page of at most a hundred, and an offset when there are more. */
function listRecords(table: FakeTable, body: unknown) {
  const read = query.safeParse(body);
  if (!read.success)
    throw refuse(422, "INVALID_REQUEST_UNKNOWN", "Invalid request");
  const { filterByFormula, view, pageSize, fields, offset } = read.data;
  for (const name of fields ?? []) table.field(name);
  const shown = view === undefined ? null : listView(table, view);
  const found = filtered(table, filterByFormula);
  const all = shown?.filter((record) => found.includes(record)) ?? found;
  if (offset !== undefined && !/^itr\d+$/.test(offset))
    throw refuse(
      422,
      "LIST_RECORDS_ITERATOR_NOT_AVAILABLE",
      "The iterator is no longer available",
    );
  const from = Number(offset?.slice(3) ?? 0);
  const next = from + pageSize;
  return {
    records: all
      .slice(from, next)
      .map((record) =>
        table.show(record, read.data.returnFieldsByFieldId, fields),
      ),
    ...(next < all.length && { offset: `itr${next}` }),
  };
}

/** By id or by name, as Airtable takes both. */
function listView(table: FakeTable, name: string): readonly FakeRecord[] {
  const view = table.views.find((one) => one.id === name || one.name === name);
  if (!view) throw airtableErrors.view(name);
  const shown = filtered(table, view.formula);
  if (view.sort === undefined) return shown;
  const { id } = table.field(view.sort);
  const getText = ({ cells }: FakeRecord) => String(cells.get(id));
  return shown.toSorted((one, other) =>
    getText(one).localeCompare(getText(other)),
  );
}

function filtered(table: FakeTable, formula: string): readonly FakeRecord[] {
  const records = [...table.records.values()];
  if (formula === "") return records;
  try {
    return records.filter(parseFormula(table, formula));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw airtableErrors.formula(error.message);
  }
}

const newWebhook = z.strictObject({
  notificationUrl: z.url(),
  specification: z.strictObject({
    options: z.strictObject({
      filters: z.strictObject({
        dataTypes: z.tuple([z.literal("tableData")]),
        changeTypes: z.array(z.enum(["add", "update", "remove"])).min(1),
        recordChangeScope: z.string(),
      }),
    }),
  }),
});

interface FakeWebhook {
  id: string;
  base: Base;
  notificationUrl: string;
  tableId: string;
  macSecretBase64: string;
  expiresAt: number;
  /** Whether notices are sent; Airtable stops after many failures. */
  isEnabled: boolean;
}

const maxWebhooks = 10;
const webhookLifetimeMs = 7 * 24 * 60 * 60_000;

/** Webhooks of bases: at most ten each, for seven days, with notices that only name the base and the webhook. */
class Webhooks {
  all: FakeWebhook[] = [];
  /** Awaited after each request is done, before it is answered. */
  beforeReply: () => Promise<void> | void = () => undefined;
  /** The address at which a notification URL is reached from here. */
  toReachable = (url: string): string => url;

  constructor(private readonly ids: Ids) {}

  /** Sends a notice of a change in the table to each of its webhooks. @returns the status of each answer. */
  async notify(
    tableId: string,
    mac = (one: FakeWebhook, body: string) =>
      createHmac("sha256", Buffer.from(one.macSecretBase64, "base64"))
        .update(body)
        .digest("hex"),
  ): Promise<number[]> {
    const statuses: number[] = [];
    for (const one of this.all) {
      if (one.tableId !== tableId || !one.isEnabled) continue;
      if (one.expiresAt < Date.now()) continue;
      const body = JSON.stringify({
        base: { id: one.base.id },
        webhook: { id: one.id },
        timestamp: new Date().toISOString(),
      });
      const reply = await fetch(this.toReachable(one.notificationUrl), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-airtable-content-mac": `hmac-sha256=${mac(one, body)}`,
        },
        body,
      });
      const text = await reply.text();
      // Airtable counts anything else as a failure.
      if (![200, 204].includes(reply.status) || text !== "")
        throw new Error(`the notice was answered ${reply.status} ${text}`);
      statuses.push(reply.status);
    }
    return statuses;
  }

  respond(base: Base, { method, path, scopes, body }: Call): unknown {
    // The token's user must be a creator of the base, too.
    if (!scopes.includes("webhook:manage"))
      throw airtableErrors.permissionsOrModel();
    const [, , , id, action] = path;
    const ours = this.all.filter((one) => one.base === base);
    if (id === undefined)
      return method === "POST"
        ? this.#create(base, ours, body)
        : { webhooks: ours.map(showWebhook) };
    const found = ours.find((one) => one.id === id);
    if (!found) throw airtableErrors.notFound();
    if (method === "DELETE") {
      this.all = this.all.filter((one) => one !== found);
      return null;
    }
    if (method !== "POST" || action !== "refresh")
      throw airtableErrors.notFound();
    if (found.expiresAt < Date.now())
      throw refuse(422, "CANNOT_REFRESH_WEBHOOK", "It has expired");
    found.expiresAt = Date.now() + webhookLifetimeMs;
    return { expirationTime: new Date(found.expiresAt).toISOString() };
  }

  #create(base: Base, ours: readonly FakeWebhook[], body: unknown): unknown {
    const { success, data } = newWebhook.safeParse(body);
    const tableId = data?.specification.options.filters.recordChangeScope ?? "";
    if (!success || !base.tables.some(({ id }) => id === tableId))
      throw refuse(422, "INVALID_WEBHOOK", "Invalid specification");
    if (ours.length >= maxWebhooks)
      throw refuse(
        422,
        "TOO_MANY_WEBHOOKS_IN_BASE",
        "The base has the maximum number of webhooks",
      );
    const webhook: FakeWebhook = {
      id: this.ids.next("ach"),
      base,
      notificationUrl: data.notificationUrl,
      tableId,
      macSecretBase64: randomBytes(32).toString("base64"),
      expiresAt: Date.now() + webhookLifetimeMs,
      isEnabled: true,
    };
    this.all.push(webhook);
    const { id, macSecretBase64, expiresAt } = webhook;
    const expirationTime = new Date(expiresAt).toISOString();
    return { id, macSecretBase64, expirationTime };
  }
}

/** The secret is revealed only once. */
function showWebhook(one: FakeWebhook) {
  const { id, notificationUrl, isEnabled, expiresAt } = one;
  return {
    id,
    notificationUrl,
    areNotificationsEnabled: isEnabled,
    isHookEnabled: expiresAt >= Date.now(),
    expirationTime: new Date(expiresAt).toISOString(),
    cursorForNextPayload: 1,
  };
}

interface FakeFile {
  id: string;
  url: string;
  filename: string;
  size?: number;
  type?: string;
}

const item = z.union([
  z.object({ id: z.string() }),
  z.object({ url: z.url(), filename: z.string().optional() }),
]);
const upload = z.object({
  contentType: z.string(),
  filename: z.string(),
  file: z.base64(),
});

const maxBytes = 5 * 1024 * 1024;

/** The files in the cells of a fake. */
class Attachments {
  readonly bytes = new Map<string, Uint8Array>();
  readonly #fetching: Promise<void>[] = [];
  /** The address at which a file's URL is reached from here. */
  toReachable = (url: string): string => url;

  constructor(
    private readonly ids: Ids,
    private readonly origin: () => string,
  ) {}

  /** All that addresses call for has been fetched, or could not be. */
  async waitUntilSettled(): Promise<void> {
    await Promise.all(this.#fetching);
  }

  /** As `uploadAttachment` does: adds one file. */
  upload(record: FakeRecord, { id, name, type }: FakeField, body: unknown) {
    if (type !== "multipleAttachments") throw airtableErrors.attachment(name);
    const { contentType, filename, file } = upload.parse(body);
    const bytes = Buffer.from(file, "base64");
    if (bytes.byteLength > maxBytes) throw airtableErrors.tooLarge();
    const added = this.#store({ filename, type: contentType, bytes });
    record.cells.set(id, [...getFiles(record, id), added]);
  }

  /** Throws what `set` throws, without a change. */
  assertValid(
    record: FakeRecord,
    { id, name, type }: FakeField,
    value: unknown,
  ) {
    const list = z.array(item).nullable().safeParse(value);
    const isAttachment = type === "multipleAttachments";
    if (!isAttachment || !list.success) throw airtableErrors.attachment(name);
    const held = getFiles(record, id).map((one) => one.id);
    for (const one of list.data ?? [])
      if ("id" in one && !held.includes(one.id))
        throw airtableErrors.attachment(name);
  }

  /** As PATCH does: the list is all that the cell holds then. */
  set(record: FakeRecord, { id, name }: FakeField, value: unknown) {
    const list = z.array(item).nullable().safeParse(value);
    if (!list.success) throw airtableErrors.attachment(name);
    const held = getFiles(record, id);
    const next = (list.data ?? []).map((one) => {
      if (!("id" in one)) return this.#fetch(record, id, one);
      const kept = held.find((file) => file.id === one.id);
      if (!kept) throw airtableErrors.attachment(name);
      return kept;
    });
    record.cells.set(id, next);
  }

  /** Later, and without a word when it fails: the file is gone from the cell then. */
  #fetch(
    record: FakeRecord,
    fieldId: string,
    { url, filename = "file" }: { url: string; filename?: string | undefined },
  ): FakeFile {
    const file: FakeFile = { id: this.ids.next("att"), url, filename };
    const fetching = this.#download(file).catch(() => {
      const left = getFiles(record, fieldId).filter(({ id }) => id !== file.id);
      record.cells.set(fieldId, left);
    });
    this.#fetching.push(fetching);
    return file;
  }

  async #download(file: FakeFile): Promise<void> {
    const reply = await fetch(this.toReachable(file.url));
    if (!reply.ok) throw new Error(`${reply.status}`);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    this.bytes.set(file.id, bytes);
    file.size = bytes.byteLength;
    file.url = `${this.origin()}/files/${file.id}`;
  }

  #store(file: {
    filename: string;
    type: string;
    bytes: Uint8Array;
  }): FakeFile {
    const { filename, type, bytes } = file;
    const id = this.ids.next("att");
    this.bytes.set(id, bytes);
    const url = `${this.origin()}/files/${id}`;
    return { id, url, filename, size: bytes.byteLength, type };
  }
}

const file = z.custom<FakeFile>(
  (value) => z.object({ id: z.string() }).safeParse(value).success,
);

function getFiles({ cells }: FakeRecord, fieldId: string): FakeFile[] {
  return z.array(file).parse(cells.get(fieldId) ?? []);
}

/** As Airtable refuses. */
function refuse(status: number, type: string, message: string): FakeRefusal {
  return new FakeRefusal(status, { error: { type, message } });
}

const airtableErrors = {
  authentication: () =>
    refuse(401, "AUTHENTICATION_REQUIRED", "Authentication required"),
  /** Airtable never reveals which of the two applies. */
  permissionsOrModel: () =>
    refuse(
      403,
      "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
      "Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.",
    ),
  notFound: () => new FakeRefusal(404, { error: "NOT_FOUND" }),
  rateLimit: () =>
    new FakeRefusal(429, {
      errors: [
        {
          error: "RATE_LIMIT_REACHED",
          message: "Rate limit exceeded. Please try again later",
        },
      ],
    }),
  urlTooLong: () => refuse(414, "REQUEST_URI_TOO_LONG", "The URL is too long"),
  noRow: (id: string) =>
    refuse(
      422,
      "ROW_DOES_NOT_EXIST",
      `Record ID ${id} does not exist in this table`,
    ),
  unknownField: (name: string) =>
    refuse(422, "UNKNOWN_FIELD_NAME", `Unknown field name: "${name}"`),
  formula: (reason: string) =>
    refuse(
      422,
      "INVALID_FILTER_BY_FORMULA",
      `The formula for filtering records is invalid: ${reason}`,
    ),
  view: (name: string) =>
    refuse(422, "VIEW_NAME_NOT_FOUND", `View ${name} not found`),
  value: (name: string) =>
    refuse(
      422,
      "INVALID_VALUE_FOR_COLUMN",
      `Field "${name}" cannot accept the provided value`,
    ),
  attachment: (name: string) =>
    refuse(
      422,
      "INVALID_ATTACHMENT_OBJECT",
      `Invalid attachment object for field ${name}`,
    ),
  tooLarge: () =>
    refuse(413, "REQUEST_BODY_TOO_LARGE", "Attachment is larger than 5 MB"),
};
