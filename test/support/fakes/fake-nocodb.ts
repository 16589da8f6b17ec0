import { randomBytes, randomUUID } from "node:crypto";
import * as z from "zod";
import {
  FakeRefusal,
  FakeServer,
  readBody,
  type FakeReply,
  type FakeRequest,
} from "./fake-server.js";

// NocoDB 0.301.3 on SQLite, as far as the plugin and its tests use it, on the loopback interface. What it answers was
// recorded from the real server, against which the same suites run: `npm run test:nocodb`. It refuses what NocoDB refuses:
// - unknown tokens: 401 ERR_AUTHENTICATION_REQUIRED; reading without a role in the base, writing as a viewer or a commenter,
//   and webhooks of others than creators and owners: 403 ERR_FORBIDDEN
// - unknown bases, tables, views and fields: 422 in version 3 of the API, 404 in version 2; records and hooks: 404
// - filters that are not in its language, or that name unknown fields and operators: 422 ERR_INVALID_FILTER
// - pages behind the last one: 422 ERR_INVALID_OFFSET_VALUE; more than 10 new records or links: 422
// - files that are no list: 400 ERR_INVALID_ATTACHMENT_JSON; uploads without a file: 400; a record twice in a change: 422
// It ignores unknown fields in a change, inlines 25 links unless the query names a limit, shows a field of the type Links as a
// number, and answers a change before its webhooks are sent.

const newField = z.object({
  title: z.string(),
  type: z.string(),
  options: z
    .looseObject({
      relation_type: z.string().optional(),
      related_table_id: z.string().optional(),
    })
    .optional(),
});
const newHook = z.object({
  title: z.string(),
  event: z.enum(["after", "manual"]),
  operation: z.array(z.enum(["insert", "update", "trigger"])),
  version: z.literal("v3"),
  active: z.boolean(),
  condition: z.boolean(),
  notification: z.object({
    type: z.literal("URL"),
    payload: z.object({
      method: z.literal("POST"),
      path: z.string(),
      headers: z.array(
        z.object({ enabled: z.boolean(), name: z.string(), value: z.string() }),
      ),
      parameters: z.array(z.unknown()),
      auth: z.string(),
      body: z.string(),
    }),
  }),
});
const filter = z.object({
  fk_column_id: z.string(),
  comparison_op: z.enum(["eq", "in"]),
  value: z.string(),
});
const values = z.record(z.string(), z.unknown());
const many = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item), item.transform((one) => [one])]);

type Values = z.infer<typeof values>;
type Hook = z.infer<typeof newHook> & {
  id: string;
  filters: z.infer<typeof filter>[];
};
type Field = z.infer<typeof newField> & { id: string };
type Test = (row: Row) => boolean;

interface Row {
  id: number;
  /** By field id. */
  cells: Map<string, unknown>;
  createdAt: string;
  updatedAt: string | null;
}

interface View {
  id: string;
  title: string;
  sorts: { field: string; isDescending: boolean }[];
  filters: z.infer<typeof filter>[];
}

interface Table {
  id: string;
  title: string;
  base: Base;
  fields: Field[];
  rows: Map<number, Row>;
  views: View[];
  hooks: Hook[];
}

interface Base {
  id: string;
  title: string;
  tables: Table[];
  /** The role of each user, by email. */
  roles: Map<string, string>;
}

interface Call {
  method: string;
  path: string[];
  query: URLSearchParams;
  body: unknown;
  user: string;
}

function refuse(
  status: number,
  code: string | null,
  message: string,
): FakeRefusal {
  const body = code === null ? { msg: message } : { error: code, message };
  return new FakeRefusal(status, body);
}

const notFound = (what: string, id: string, status: number) =>
  refuse(
    status,
    `ERR_${what.toUpperCase()}_NOT_FOUND`,
    `${what} '${id}' not found`,
  );
const invalidFilter = (message: string) =>
  refuse(422, "ERR_INVALID_FILTER", message);
const forbidden = (role: string) =>
  refuse(
    403,
    "ERR_FORBIDDEN",
    `Forbidden - You do not have permission to do this with the roles: ${role}.`,
  );

const admin = "admin@example.com";
const maxEntities = 10;
const inlined = 25;

export class FakeNocodb extends FakeServer {
  readonly #bases: Base[] = [];
  /** The user of each token. */
  readonly #tokens = new Map<string, string>();
  readonly #files = new Map<string, Buffer>();

  static start(): Promise<FakeNocodb> {
    return new FakeNocodb().listen();
  }

  /** With the name and password of its administrator. */
  get address(): URL {
    const address = new URL(this.url);
    address.username = admin;
    address.password = "secret";
    return address;
  }

  protected async respond(request: FakeRequest): Promise<FakeReply> {
    const { method, query, headers } = request;
    const path = request.path.slice(1).split("/").map(decodeURIComponent);
    if (path[0] === "dltemp")
      return { body: this.#files.get(path.slice(1).join("/")) ?? null };
    const body = await readBody(request);
    const user = this.#tokens.get(
      headers["xc-token"] ?? headers["xc-auth"] ?? "",
    );
    const call = { method, path: path.slice(1), query, body };
    if (path[2] === "auth") return { body: this.#signIn(call) };
    if (user === undefined)
      throw refuse(
        401,
        "ERR_AUTHENTICATION_REQUIRED",
        "Authentication required - Invalid token",
      );
    const status = method === "POST" && path.includes("trigger") ? 201 : 200;
    return { status, body: await this.#respond({ ...call, user }) };
  }

  #signIn({ body }: Pick<Call, "body">): unknown {
    const { email } = z.object({ email: z.string() }).parse(body);
    return { token: this.#createToken(email) };
  }

  #createToken(email: string): string {
    const token = randomBytes(12).toString("hex");
    this.#tokens.set(token, email);
    return token;
  }

  async #respond(call: Call): Promise<unknown> {
    const { path, user, method } = call;
    const [version, area, kind = "", id = "", part, last = ""] = path;
    const route = `${version} ${area} ${kind}`;
    if (route === "v1 tokens ") return { token: this.#createToken(user) };
    if (route === "v2 storage upload") return this.#upload(call);
    if (route === "v2 meta bases" && id === "") return this.#respondBases(call);
    if (route === "v2 meta bases") {
      const { email, roles } = z
        .object({ email: z.string(), roles: z.string() })
        .parse(call.body);
      this.#base(id).roles.set(email, roles);
      return { msg: "The user has been invited successfully" };
    }
    if (route === "v3 meta bases") return this.#respondTables(call);
    if (route === "v2 meta tables") {
      const table = this.#table(id, 404);
      if (part === "hooks") return this.#respondHooks(table, call);
      const { title } = z.object({ title: z.string() }).parse(call.body);
      const view = { id: createId("vw"), title, sorts: [], filters: [] };
      table.views.push(view);
      return { id: view.id };
    }
    if (route === "v2 meta views") return this.#respondView(call);
    if (route === "v2 meta hooks") return this.#respondHook(call);
    if (version === "v2" && area === "tables") {
      const table = this.#table(kind, 404);
      this.#assertRole(table.base, user, method === "GET" ? "read" : "write");
      return method === "GET"
        ? this.#listCells(table, call.query)
        : this.#patchCells(table, call.body);
    }
    if (version !== "v3" || area !== "data")
      throw refuse(404, null, `Cannot ${method} /${path.join("/")}`);
    const table = this.#table(id, 422);
    this.#assertRole(table.base, user, method === "GET" ? "read" : "write");
    if (part === "links") {
      const [row = ""] = path.slice(6);
      return this.#respondLinks(table, last, row, call);
    }
    if (method === "GET") return this.#listRecords(table, call.query);
    return method === "POST"
      ? this.#addRecords(table, call.body)
      : this.#changeRecords(table, call.body);
  }

  #respondBases({ method, user, body }: Call): unknown {
    if (method === "POST") {
      const { title } = z.object({ title: z.string() }).parse(body);
      const base = { id: createId("p"), title, tables: [], roles: new Map() };
      this.#bases.push(base);
      return { id: base.id };
    }
    const seen = this.#bases.filter((base) => getRole(base, user) !== "");
    return {
      list: seen.map((base) => ({
        id: base.id,
        title: base.title,
        project_role: getRole(base, user),
      })),
    };
  }

  #respondTables({ path, method, body, user }: Call): unknown {
    const [, , , baseId = "", , id, part] = path;
    const base = this.#base(baseId);
    this.#assertRole(base, user, method === "GET" ? "read" : "manage");
    if (id === undefined && method === "GET")
      return { list: base.tables.map((one) => ({ ...toShown(one) })) };
    if (id === undefined) {
      const { title, fields } = z
        .object({ title: z.string(), fields: z.array(newField) })
        .parse(body);
      const table: Table = {
        id: createId("m"),
        title,
        base,
        fields: [{ title: "Id", type: "ID" }, ...fields].map((field) => ({
          ...field,
          id: createId("c"),
        })),
        rows: new Map(),
        views: [{ id: createId("vw"), title, sorts: [], filters: [] }],
        hooks: [],
      };
      base.tables.push(table);
      return showTable(table);
    }
    const table = this.#table(id, 422);
    if (part !== "fields") return showTable(table);
    const field = { ...newField.parse(body), id: createId("c") };
    table.fields.push(field);
    return field;
  }

  #respondView({ path, method, body }: Call): unknown {
    const [, , , id, part] = path;
    for (const table of this.#bases.flatMap(({ tables }) => tables)) {
      const view = table.views.find((one) => one.id === id);
      if (!view) continue;
      if (method === "DELETE")
        table.views = table.views.filter((one) => one !== view);
      else if (part === "filters") view.filters.push(filter.parse(body));
      else {
        const { fk_column_id: field, direction } = z
          .object({ fk_column_id: z.string(), direction: z.string() })
          .parse(body);
        view.sorts.push({ field, isDescending: direction === "desc" });
      }
      return { id: createId("x") };
    }
    throw notFound("View", id ?? "", 404);
  }

  #base(id: string): Base {
    const base = this.#bases.find((one) => one.id === id);
    if (!base) throw notFound("Base", id, 422);
    return base;
  }

  #table(id: string, status: number): Table {
    const table = this.#bases
      .flatMap(({ tables }) => tables)
      .find((one) => one.id === id);
    if (!table) throw notFound("Table", id, status);
    return table;
  }

  #assertRole(base: Base, user: string, act: "read" | "write" | "manage") {
    const role = getRole(base, user);
    const ranks = ["viewer", "commenter", "editor", "creator", "owner"];
    const least = { read: "viewer", write: "editor", manage: "creator" }[act];
    if (ranks.indexOf(role) < ranks.indexOf(least)) throw forbidden(role);
  }

  // Records of version 3.

  #listRecords(table: Table, query: URLSearchParams): unknown {
    const rows = this.#select(table, query);
    const fields = findFields(table, query.get("fields"));
    const pageSize = Number(query.get("pageSize") ?? 25);
    const page = Number(query.get("page") ?? 1);
    const from = (page - 1) * pageSize;
    if (from > 0 && from >= rows.length)
      throw refuse(
        422,
        "ERR_INVALID_OFFSET_VALUE",
        `Offset value '${from}' is invalid`,
      );
    return {
      records: rows.slice(from, from + pageSize).map((row) => ({
        id: row.id,
        fields: this.#show(row, fields, query),
      })),
      ...(from + pageSize < rows.length && { next: `page=${page + 1}` }),
    };
  }

  #select(table: Table, query: URLSearchParams): Row[] {
    const rows = [...table.rows.values()];
    const where = query.get("where");
    const test = where === null ? () => true : new Where(table, where).parse();
    const viewId = query.get("viewId");
    if (viewId === null) return rows.filter(test);
    const view = table.views.find((one) => one.id === viewId);
    if (!view) throw notFound("View", viewId, 422);
    const shown = rows.filter(
      (row) => test(row) && view.filters.every((one) => meets(row, one)),
    );
    for (const { field, isDescending } of view.sorts)
      shown.sort(
        (one, other) =>
          toText(one.cells.get(field)).localeCompare(
            toText(other.cells.get(field)),
          ) * (isDescending ? -1 : 1),
      );
    return shown;
  }

  #show(row: Row, fields: readonly Field[], query?: URLSearchParams): Values {
    const shown: Values = {};
    for (const field of fields) {
      const { title, id, type } = field;
      if (type === "ID") continue;
      const cell = row.cells.get(id) ?? null;
      const links = Array.isArray(cell) ? cell : [];
      const limit = Number(query?.get(`nested[${title}][limit]`) ?? inlined);
      shown[title] = this.#isLink(field)
        ? type === "Links"
          ? links.length
          : links.slice(0, limit).map((one: number) => ({ id: one }))
        : type === "Attachment" && Array.isArray(cell)
          ? cell.map((file: Values) => ({ ...file, signedPath: sign(file) }))
          : cell;
    }
    return shown;
  }

  #isLink({ type }: Field): boolean {
    return type === "LinkToAnotherRecord" || type === "Links";
  }

  #addRecords(table: Table, body: unknown): unknown {
    const records = many(z.object({ fields: values })).parse(body);
    assertFew(records);
    const rows = records.map(({ fields }) => {
      const id = table.rows.size + 1;
      const createdAt = now();
      const row = { id, cells: new Map(), createdAt, updatedAt: null };
      table.rows.set(id, row);
      set(table, row, fields);
      return row;
    });
    void this.#sendHooks(table, "insert", rows, []);
    return { records: this.#showAll(table, rows) };
  }

  #changeRecords(table: Table, body: unknown): unknown {
    const changes = many(
      z.object({ id: z.coerce.number(), fields: values }),
    ).parse(body);
    assertFew(changes);
    const rows = this.#change(table, changes);
    return { records: this.#showAll(table, rows) };
  }

  #showAll(table: Table, rows: readonly Row[]) {
    return rows.map((row) => ({
      id: row.id,
      fields: {
        CreatedAt: row.createdAt,
        UpdatedAt: row.updatedAt,
        ...this.#show(row, table.fields),
      },
    }));
  }

  /** Of all, or of none. */
  #change(table: Table, changes: readonly { id: number; fields: Values }[]) {
    const rows = changes.map(({ id }) => getRow(table, String(id)));
    if (new Set(rows).size < rows.length)
      throw refuse(422, null, "Duplicate record");
    for (const { fields } of changes) assertFiles(table, fields);
    const earlier = rows.map((row) => ({ ...row, cells: new Map(row.cells) }));
    for (const [at, row] of rows.entries()) {
      set(table, row, changes[at]?.fields ?? {});
      row.updatedAt = now();
    }
    void this.#sendHooks(table, "update", rows, earlier);
    return rows;
  }

  #respondLinks(
    table: Table,
    fieldId: string,
    rowId: string,
    { method, query, body }: Call,
  ): unknown {
    const [field] = findFields(table, fieldId);
    const row = getRow(table, rowId);
    const cell = row.cells.get(field?.id ?? "");
    const linked: number[] = Array.isArray(cell) ? cell : [];
    if (method === "POST") {
      const added = z.array(z.object({ id: z.coerce.number() })).parse(body);
      assertFew(added);
      row.cells.set(field?.id ?? "", [...linked, ...added.map(({ id }) => id)]);
      return { success: true };
    }
    const pageSize = Number(query.get("pageSize") ?? 25);
    const page = Number(query.get("page") ?? 1);
    const end = page * pageSize;
    return {
      records: linked.slice(end - pageSize, end).map((id) => ({ id })),
      ...(end < linked.length && { next: `page=${page + 1}` }),
    };
  }

  // Cells and files of version 2.

  #listCells(table: Table, query: URLSearchParams): unknown {
    const fields = findFields(table, query.get("fields"));
    const [key] = table.fields;
    const list = this.#select(table, query).map((row) => ({
      [key?.title ?? "Id"]: row.id,
      ...this.#show(row, fields),
    }));
    return { list: list.slice(0, Number(query.get("limit") ?? 25)) };
  }

  #patchCells(table: Table, body: unknown): unknown {
    const changes = z.array(z.looseObject({ Id: z.coerce.number() }));
    const rows = this.#change(
      table,
      changes.parse(body).map(({ Id: id, ...fields }) => ({ id, fields })),
    );
    return rows.map(({ id }) => ({ Id: id }));
  }

  async #upload({ body }: Call): Promise<unknown> {
    const files = body instanceof FormData ? body.getAll("file") : [];
    if (files.length === 0) throw refuse(400, null, "No attachment provided!");
    return Promise.all(
      files.map(async (file) => {
        if (typeof file === "string") throw new Error("not a file");
        const name = `${createId("f")}/${file.name}`;
        this.#files.set(name, Buffer.from(await file.arrayBuffer()));
        const { name: title, type: mimetype, size } = file;
        const stored = { path: `download/${name}`, title, mimetype, size };
        return { ...stored, signedPath: sign(stored) };
      }),
    );
  }

  // Webhooks.

  #respondHooks(table: Table, { path, method, user, body }: Call): unknown {
    this.#assertRole(table.base, user, "manage");
    if (path[5] === "test") {
      const { hook, payload } = z
        .object({
          hook: newHook,
          payload: z.object({ data: z.object({ rows: z.array(values) }) }),
        })
        .parse(body);
      return this.#testHook(hook, payload);
    }
    if (method === "GET")
      return {
        list: table.hooks.map((hook) => ({
          ...hook,
          notification: JSON.stringify(hook.notification),
        })),
      };
    const hook = { ...newHook.parse(body), id: createId("hk"), filters: [] };
    table.hooks.push(hook);
    return { id: hook.id };
  }

  #respondHook({ path, method, user, body }: Call): unknown {
    const [, , , id = "", part, rowId = ""] = path;
    for (const table of this.#bases.flatMap(({ tables }) => tables)) {
      const hook = table.hooks.find((one) => one.id === id);
      if (!hook) continue;
      this.#assertRole(
        table.base,
        user,
        part === "trigger" ? "write" : "manage",
      );
      if (part === "trigger")
        void this.#send(hook, this.#createEvent(table, [getRow(table, rowId)]));
      else if (part === "filters") hook.filters.push(filter.parse(body));
      else if (method === "DELETE")
        table.hooks = table.hooks.filter((one) => one !== hook);
      return true;
    }
    throw notFound("Hook", id, 404);
  }

  async #testHook(
    hook: z.infer<typeof newHook>,
    event: object,
  ): Promise<unknown> {
    const reply = await this.#send(hook, event);
    if (reply.ok) return { msg: "The hook has been tested successfully" };
    const { error }: { error?: string } = Object(await reply.json());
    throw refuse(
      400,
      "ERR_WEBHOOK_ERROR",
      reply.status === 404
        ? `Endpoint not found: ${hook.notification.payload.path}`
        : `Client error (${reply.status}): ${error}`,
    );
  }

  /** With a condition, of those rows that meet it now and did not before. */
  async #sendHooks(
    table: Table,
    operation: "insert" | "update",
    rows: readonly Row[],
    earlier: readonly Row[],
  ): Promise<void> {
    for (const hook of table.hooks) {
      const isSent = hook.active && hook.operation.includes(operation);
      if (!isSent || hook.event !== "after") continue;
      const isMet = (row: Row | undefined) =>
        row !== undefined && hook.filters.every((one) => meets(row, one));
      const some = hook.condition
        ? rows.filter((row, at) => isMet(row) && !isMet(earlier[at]))
        : rows;
      if (some.length > 0)
        await this.#send(hook, this.#createEvent(table, some)).catch(() => {});
    }
  }

  #createEvent(table: Table, rows: readonly Row[]) {
    const shown = this.#showAll(table, rows);
    return {
      data: { rows: shown.map(({ id, fields }) => ({ Id: id, ...fields })) },
    };
  }

  #send(
    { notification }: Pick<Hook, "notification">,
    event: object,
  ): Promise<Response> {
    const { path, headers, body } = notification.payload;
    const scope = { event };
    return fetch(path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...Object.fromEntries(
          headers
            .filter(({ enabled }) => enabled)
            .map(({ name, value }) => [name, fill(value, scope)]),
        ),
      },
      body: fill(body, scope),
    });
  }
}

/** The administrator owns all bases. */
function getRole({ roles }: Base, user: string): string {
  const role = user === admin ? "owner" : (roles.get(user) ?? "");
  return role === "no-access" ? "" : role;
}

function createId(prefix: string): string {
  return prefix + randomUUID().replaceAll("-", "").slice(0, 14);
}

function now(): string {
  return new Date().toISOString().slice(0, 19).replace("T", " ") + "+00:00";
}

function toShown({ id, title }: Table) {
  return { id, title };
}

function showTable({ id, title, fields, views }: Table) {
  return {
    id,
    title,
    fields,
    display_field_id: fields[1]?.id,
    views: views.map((view) => ({
      id: view.id,
      title: view.title,
      view_type: "grid",
    })),
  };
}

function sign({ path }: Values): string {
  return toText(path).replace("download/", "dltemp/");
}

function assertFew(entities: readonly unknown[]): void {
  if (entities.length > maxEntities)
    throw refuse(
      422,
      "ERR_MAX_PAYLOAD_LIMIT_EXCEEDED",
      `Maximum ${maxEntities} entities are allowed per request`,
    );
}

function getRow({ rows }: Table, id: string): Row {
  const row = rows.get(Number(id));
  if (!row) throw notFound("Record", id, 404);
  return row;
}

/** Fields by ids or titles, separated by commas; all when there are none. */
function findFields({ fields }: Table, names: string | null): Field[] {
  if (names === null) return fields;
  return names.split(",").map((name) => {
    const field = fields.find(({ id, title }) => [id, title].includes(name));
    if (field) return field;
    throw refuse(
      422,
      "ERR_FIELD_NOT_FOUND",
      `Field '${name}' on 'fields' query parameter not found`,
    );
  });
}

function assertFiles({ fields }: Table, changes: Values): void {
  for (const { title, type } of fields)
    if (type === "Attachment" && typeof changes[title] === "string")
      throw refuse(
        400,
        "ERR_INVALID_ATTACHMENT_JSON",
        `Invalid JSON for attachment field: ${changes[title]}`,
      );
}

/** Unknown fields are ignored. */
function set({ fields }: Table, row: Row, changes: Values): void {
  for (const { id, title, type } of fields)
    if (title in changes && type !== "ID") row.cells.set(id, changes[title]);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function isBlank(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

function meets(row: Row, rule: z.infer<typeof filter>): boolean {
  const wanted =
    rule.comparison_op === "in" ? rule.value.split(",") : [rule.value];
  return wanted.includes(toText(row.cells.get(rule.fk_column_id) ?? ""));
}

/** `(Field,operator,value)` with `~and`, `~or`, `~not` and parentheses. */
class Where {
  #at = 0;

  constructor(
    private readonly table: Table,
    private readonly text: string,
  ) {}

  parse(): Test {
    const test = this.#parseTerms();
    if (this.#at < this.text.length)
      throw this.#unexpected("a logical operator");
    return test;
  }

  #parseTerms(): Test {
    let test = this.#parseTerm();
    for (;;) {
      const [, operator] = this.#take(/~(and|or)/y) ?? [];
      if (operator === undefined) return test;
      const [one, other] = [test, this.#parseTerm()];
      test =
        operator === "and"
          ? (row) => one(row) && other(row)
          : (row) => one(row) || other(row);
    }
  }

  #parseTerm(): Test {
    if (this.#take(/~not/y)) {
      const test = this.#parseTerm();
      return (row) => !test(row);
    }
    if (!this.#take(/\(/y))
      throw this.#unexpected(
        "a logical operator like '~not' or opening parenthesis",
      );
    if (/[(~]/.test(this.text[this.#at] ?? "")) {
      const test = this.#parseTerms();
      this.#close();
      return test;
    }
    const parts = [this.#parsePart()];
    while (this.#take(/,/y)) parts.push(this.#parsePart());
    this.#close();
    const [name = "", operator = "", ...operands] = parts;
    const field = this.table.fields.find(({ id, title }) =>
      [id, title].includes(name),
    );
    if (!field) throw invalidFilter(`Invalid filter field '${name}' not found`);
    return compile(field, operator, operands);
  }

  #parsePart(): string {
    const [, , quoted, plain = ""] =
      this.#take(/(["'])(.*?)\1(?=[,)])|([^,()"']*)/y) ?? [];
    return quoted ?? plain;
  }

  #close(): void {
    if (!this.#take(/\)/y)) throw this.#unexpected("a closing parenthesis");
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #unexpected(wanted: string): FakeRefusal {
    const [word = ""] = this.text.slice(this.#at).split(" ");
    return invalidFilter(
      `Invalid filter syntax: expected ${wanted}, but found '${word}'`,
    );
  }
}

function compile(field: Field, operator: string, operands: string[]): Test {
  const { id, type } = field;
  const isDate = operands[0] === "exactDate";
  const [operand = ""] = isDate ? operands.slice(1) : operands;
  const read = (row: Row): unknown =>
    type === "ID" ? row.id : (row.cells.get(id) ?? null);
  const isNumber = ["Number", "Decimal", "ID"].includes(type);
  const compare = (row: Row): number => {
    const value = read(row);
    if (isNumber) return Number(value) - Number(operand);
    const text = isDate ? toText(value).slice(0, 10) : toText(value);
    return text < operand ? -1 : Number(text > operand);
  };
  const tests: Record<string, Test> = {
    eq: (row) => !isBlank(read(row)) && compare(row) === 0,
    neq: (row) => isBlank(read(row)) || compare(row) !== 0,
    gte: (row) => !isBlank(read(row)) && compare(row) >= 0,
    lte: (row) => !isBlank(read(row)) && compare(row) <= 0,
    in: (row) => operands.includes(toText(read(row))),
    like: (row) => {
      const parts = operand.toLowerCase().split("%");
      const pattern = parts.map((part) =>
        part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
      );
      const text = toText(read(row) ?? "").toLowerCase();
      return new RegExp(`^${pattern.join(".*")}$`, "s").test(text);
    },
    blank: (row) => isBlank(read(row)),
    notblank: (row) => !isBlank(read(row)),
    checked: (row) => read(row) === true,
    notchecked: (row) => read(row) !== true,
  };
  const test = tests[operator];
  if (test) return test;
  throw invalidFilter(
    `Invalid filter expression: '${operator}' is not a recognized operator. Please use a valid comparison or logical operator`,
  );
}

/** The part of Handlebars that the recipes use: paths, `replace`, `#each` and `#unless @first`. */
function fill(template: string, scope: Values): string {
  return template
    .replaceAll(
      /\{\{#each ([\w.]+)\}\}(.*?)\{\{\/each\}\}/gs,
      (_, path: string, inner: string) => {
        const list = find(scope, path);
        return (Array.isArray(list) ? list : [])
          .map((item: Values, at) =>
            fill(
              inner.replaceAll(
                /\{\{#unless @first\}\}(.*?)\{\{\/unless\}\}/gs,
                at === 0 ? "" : "$1",
              ),
              item,
            ),
          )
          .join("");
      },
    )
    .replaceAll(
      /\{\{ (?:replace ([\w.]+) "(.*?)" "(.*?)"|([\w.]+)) \}\}/g,
      (_, from?: string, old = "", next = "", path = "") =>
        from === undefined
          ? toShownText(find(scope, path))
          : toShownText(find(scope, from)).replace(old, next),
    );
}

function toShownText(value: unknown): string {
  return value === null || value === undefined ? "" : toText(value);
}

function find(scope: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => Reflect.get(Object(value), key), scope);
}
