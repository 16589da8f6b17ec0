import { randomUUID } from "node:crypto";
import * as z from "zod";
import {
  FakeRefusal,
  FakeServer,
  readBody,
  type FakeReply,
  type FakeRequest,
} from "./fake-server.js";

// Directus 12 on SQLite, with a data model, items, files, bookmarks and policies, on the loopback interface. It refuses what
// the real one refuses, with its codes (directus.io/docs/guides/connect/errors): unknown tokens (INVALID_CREDENTIALS),
// collections, fields and items that do not exist or that a policy does not allow, which it never tells apart (FORBIDDEN),
// operators that a field's type does not have and limits above QUERY_LIMIT_MAX (INVALID_QUERY), forms without a file
// (INVALID_PAYLOAD), and other routes (ROUTE_NOT_FOUND). The suites that use it run against the real server too, which is
// filled by the same requests: `npm run test:directus`.

const values = z.record(z.string(), z.unknown());
type Values = z.infer<typeof values>;

const fieldBody = z.looseObject({
  field: z.string(),
  type: z.string(),
  schema: z
    .looseObject({ is_primary_key: z.boolean().optional() })
    .nullish()
    .default({}),
  meta: values.nullish().default({}),
});
const collectionBody = z.object({
  collection: z.string(),
  meta: values.default({}),
  schema: z.object({}).nullable(),
  fields: z.array(fieldBody).default([]),
});
const relationBody = z.object({
  collection: z.string(),
  field: z.string(),
  related_collection: z.string(),
  meta: z
    .object({
      one_field: z.string().nullable().default(null),
      junction_field: z.string().nullable().default(null),
      sort_field: z.string().nullable().default(null),
    })
    .prefault({}),
  schema: z.object({}).nullish(),
});
const policyBody = z.object({
  name: z.string(),
  app_access: z.boolean().default(false),
  admin_access: z.boolean().default(false),
  permissions: z
    .array(
      z.object({
        collection: z.string(),
        action: z.string(),
        fields: z.array(z.string()),
      }),
    )
    .default([]),
});
const userBody = z.object({
  email: z.string(),
  token: z.string(),
  policies: z.object({
    create: z.array(z.object({ policy: z.object({ id: z.string() }) })),
  }),
});

type Field = z.infer<typeof fieldBody>;
type Relation = z.infer<typeof relationBody>;

interface Collection {
  name: string;
  meta: Values;
  schema: object | null;
  fields: Field[];
  rows: Map<string, Values>;
}

interface User {
  id: string;
  email: string;
  token: string;
  policies: z.infer<typeof policyBody>[];
}

const actions = ["create", "read", "update", "delete", "share"];
/** What a policy with access to the app may read. */
const appCollections = [
  "directus_collections",
  "directus_fields",
  "directus_relations",
  "directus_presets",
  "directus_users",
];

function refuse(status: number, code: string, message: string): FakeRefusal {
  return new FakeRefusal(status, {
    errors: [{ message, extensions: { code } }],
  });
}

const forbidden = (what: string) =>
  refuse(
    403,
    "FORBIDDEN",
    `You don't have permission to access ${what} or it does not exist. Queried in root.`,
  );
const noItem = () =>
  refuse(403, "FORBIDDEN", "You don't have permission to access this.");
const invalidQuery = (reason: string) =>
  refuse(400, "INVALID_QUERY", `Invalid query. ${reason}.`);

export class FakeDirectus extends FakeServer {
  readonly adminToken = "admin";
  /** As the setting QUERY_LIMIT_MAX; null for none. */
  maxLimit: number | null = null;
  /** `METHOD /path` of each request. */
  readonly log: string[] = [];
  /** Awaited before each change of items. */
  beforeChange: () => Promise<void> | void = () => undefined;
  readonly #collections = new Map<string, Collection>();
  readonly #relations: Relation[] = [];
  readonly #policies = new Map<string, z.infer<typeof policyBody>>();
  readonly #users: User[] = [];
  readonly #contents = new Map<string, Buffer>();

  static start(): Promise<FakeDirectus> {
    return new FakeDirectus().listen();
  }

  private constructor() {
    super();
    this.#addCollection("directus_files", [
      column("id", "uuid", true),
      column("filename_download", "string"),
      column("filesize", "bigInteger"),
      column("folder", "uuid"),
    ]);
    this.#addCollection("directus_presets", [
      column("id", "integer", true),
      ...["bookmark", "collection", "search", "layout"].map((name) =>
        column(name, "string"),
      ),
      ...["layout_query", "filter"].map((name) => column(name, "json")),
    ]);
    const admin = { ...policyBody.parse({ name: "a" }), admin_access: true };
    const id = randomUUID();
    const email = "admin@example.com";
    this.#users.push({ id, email, token: this.adminToken, policies: [admin] });
  }

  #addCollection(name: string, fields: Field[]): void {
    this.#collections.set(name, {
      name,
      meta: {},
      schema: {},
      fields,
      rows: new Map(),
    });
  }

  protected async respond(request: FakeRequest): Promise<FakeReply> {
    const { method, path, query, headers } = request;
    this.log.push(`${method} ${path}`);
    const user = this.#authenticate(headers["authorization"] ?? "");
    const parts = path.slice(1).split("/").map(decodeURIComponent);
    if (parts[0] === "assets") {
      new Access(user).assert("directus_files", "read");
      return { body: this.#contents.get(parts[1] ?? "") ?? null };
    }
    const body = await readBody(request);
    const data = await this.#respond(method, parts, query, user, body);
    return data === null ? { status: 204, body: null } : { body: { data } };
  }

  #authenticate(authorization: string): User {
    const token = /^Bearer (.*)$/.exec(authorization)?.[1];
    const user = this.#users.find((one) => one.token === token);
    if (user) return user;
    throw refuse(401, "INVALID_CREDENTIALS", "Invalid user credentials.");
  }

  async #respond(
    method: string,
    [first = "", second, third]: string[],
    query: URLSearchParams,
    user: User,
    body: unknown,
  ): Promise<unknown> {
    const access = new Access(user);
    if (method === "GET")
      switch (first) {
        case "users":
          return access.canReadUsers
            ? { id: user.id, email: user.email, first_name: null }
            : { id: user.id };
        case "permissions":
          return access.list(this.#collections.keys());
        case "collections":
        case "fields":
        case "relations":
          return this.#describe(first, second, access);
      }
    else if (method === "POST" && first !== "items" && first !== "files")
      return this.#define(first, second, body, access);
    switch (`${method} ${first}`) {
      case "POST files":
        access.assert("directus_files", "create");
        return this.#addFile(body instanceof FormData ? body : new FormData());
      case "DELETE files":
        access.assert("directus_files", "delete");
        for (const id of z.array(z.string()).parse(body)) this.#deleteFile(id);
        return null;
      case "GET presets":
        return this.#read(access, "directus_presets", second, query);
      case "GET items":
        return this.#read(access, second ?? "", third, query);
      case "POST items": {
        const rows = z.array(values).parse(Array.isArray(body) ? body : [body]);
        const collection = this.#find(second ?? "", access, "create");
        return rows.map((row) => this.#create(collection, row, access));
      }
      case "PATCH items": {
        await this.beforeChange();
        return this.#change(access, second ?? "", query, body);
      }
      default:
        throw refuse(404, "ROUTE_NOT_FOUND", "Route doesn't exist.");
    }
  }

  // The data model.

  #describe(kind: string, name: string | undefined, access: Access): unknown {
    access.assert(`directus_${kind}`, "read");
    if (name !== undefined) this.#find(name, access, "read");
    const readable = [...this.#collections.values()].filter((one) =>
      access.can(one.name, "read"),
    );
    const isReadable = (one: string) =>
      readable.some((other) => other.name === one);
    if (kind === "relations")
      return this.#relations.filter(
        (one) =>
          isReadable(one.collection) && isReadable(one.related_collection),
      );
    const found = readable.filter(
      (one) => name === undefined || one.name === name,
    );
    if (kind === "fields")
      return found.flatMap((one) =>
        one.fields.map((field) => ({ collection: one.name, ...field })),
      );
    const all = found.map((one) => ({
      collection: one.name,
      meta: one.meta,
      schema: one.schema,
    }));
    return name === undefined ? all : all[0];
  }

  #define(
    kind: string,
    name: string | undefined,
    body: unknown,
    access: Access,
  ): unknown {
    if (!access.isAdmin) throw noItem();
    switch (kind) {
      case "collections": {
        const { collection, fields, ...rest } = collectionBody.parse(body);
        const rows = new Map<string, Values>();
        const made = { name: collection, fields, rows, ...rest };
        this.#collections.set(collection, made);
        return { collection };
      }
      case "fields": {
        const field = fieldBody.parse(body);
        if (field.type === "alias") field.schema = null;
        this.#find(name ?? "", access, "update").fields.push(field);
        return field;
      }
      case "relations": {
        const relation = relationBody.parse(body);
        this.#relations.push(relation);
        return relation;
      }
      case "policies": {
        const id = randomUUID();
        this.#policies.set(id, policyBody.parse(body));
        return { id };
      }
      case "users": {
        const { policies, ...user } = userBody.parse(body);
        const all = policies.create.flatMap(
          ({ policy }) => this.#policies.get(policy.id) ?? [],
        );
        this.#users.push({ id: randomUUID(), ...user, policies: all });
        return null;
      }
      case "presets": {
        const presets = this.#find("directus_presets", access, "create");
        return this.#create(presets, values.parse(body), access);
      }
      default:
        throw refuse(404, "ROUTE_NOT_FOUND", "Route doesn't exist.");
    }
  }

  #find(name: string, access: Access, action: string): Collection {
    const collection = this.#collections.get(name);
    if (collection && access.can(name, action)) return collection;
    throw forbidden(`collection "${name}"`);
  }

  #findField({ name, fields }: Collection, id: string): Field {
    const field = fields.find((one) => one.field === id);
    const isData = field?.type !== "alias" || this.#findIncoming(name, id);
    if (field && isData) return field;
    throw forbidden(`field "${id}" in collection "${name}"`);
  }

  #findIncoming(name: string, field: string): Relation | undefined {
    return this.#relations.find(
      (one) => one.related_collection === name && one.meta.one_field === field,
    );
  }

  #findOutgoing(name: string, field: string): Relation | undefined {
    return this.#relations.find(
      (one) => one.collection === name && one.field === field,
    );
  }

  // Reading.

  #read(
    access: Access,
    name: string,
    id: string | undefined,
    query: URLSearchParams,
  ): unknown {
    const collection = this.#find(name, access, "read");
    const paths = (query.get("fields") ?? "*").split(",");
    const deep = z
      .record(z.string(), values)
      .parse(JSON.parse(query.get("deep") ?? "{}"));
    const project = (row: Values) =>
      this.#project(access, collection, row, paths, deep);
    if (id !== undefined) {
      const row = collection.rows.get(id);
      if (!row) throw noItem();
      return project(row);
    }
    const filter: unknown = JSON.parse(query.get("filter") ?? "{}");
    const matches = this.#compile(collection, values.parse(filter));
    const search = query.get("search")?.toLowerCase();
    const rows = [...collection.rows.values()]
      .filter(matches)
      .filter(
        (row) =>
          search === undefined ||
          Object.values(row).some(
            (value) =>
              typeof value === "string" && value.toLowerCase().includes(search),
          ),
      );
    this.#sort(collection, rows, query.get("sort")?.split(",") ?? ["id"]);
    const limit = Number(query.get("limit") ?? 100);
    if (this.maxLimit !== null && limit > this.maxLimit && query.has("limit"))
      throw invalidQuery(
        `"limit" must be less than or equal to ${this.maxLimit}`,
      );
    const page = Number(query.get("page") ?? 1);
    return this.#cut(rows, limit, page).map(project);
  }

  #sort(collection: Collection, rows: Values[], keys: string[]): void {
    for (const key of keys.toReversed()) {
      const field = key.replace(/^-/, "");
      this.#findField(collection, field);
      const sign = key.startsWith("-") ? -1 : 1;
      rows.sort((one, other) => sign * compare(one[field], other[field]));
    }
  }

  #cut<T>(list: T[], limit: number, page: number): T[] {
    const max = this.maxLimit ?? Infinity;
    const length = limit === -1 ? max : Math.min(limit, max);
    return page === 1 && length === Infinity
      ? list
      : list.slice((page - 1) * length, page * length);
  }

  #project(
    access: Access,
    collection: Collection,
    row: Values,
    paths: readonly string[],
    deep: Readonly<Record<string, Values>> = {},
  ): Values {
    const found: Values = {};
    const nested = new Map<string, string[]>();
    for (const path of paths.flatMap((one) =>
      one === "*" ? collection.fields.map(({ field }) => field) : one,
    )) {
      const counted = /^count\((\w+)\)$/.exec(path)?.[1];
      const [name = "", ...rest] = (counted ?? path).split(".");
      this.#findField(collection, name);
      if (counted === undefined)
        nested.set(name, [
          ...(nested.get(name) ?? []),
          ...(rest.length > 0 ? [rest.join(".")] : []),
        ]);
      else
        found[`${name}_count`] = this.#listReferring(
          collection,
          row,
          name,
        ).length;
    }
    for (const [name, below] of nested) {
      const incoming = this.#findIncoming(collection.name, name);
      const outgoing = this.#findOutgoing(collection.name, name);
      if (incoming) {
        const target = this.#find(incoming.collection, access, "read");
        const { _limit: limit = 100, _page: page = 1 } = deep[name] ?? {};
        found[name] = this.#cut(
          this.#listReferring(collection, row, name),
          Number(limit),
          Number(page),
        ).map((one) =>
          below.length > 0
            ? this.#project(access, target, one, below)
            : one[getKey(target)],
        );
      } else if (outgoing && below.length > 0) {
        const target = this.#find(outgoing.related_collection, access, "read");
        const one = target.rows.get(String(row[name]));
        found[name] = one ? this.#project(access, target, one, below) : null;
      } else found[name] = row[name] ?? null;
    }
    return found;
  }

  /** The rows that refer to this one by the relation of an alias, in their order. */
  #listReferring(collection: Collection, row: Values, alias: string): Values[] {
    const relation = this.#findIncoming(collection.name, alias);
    const source = this.#collections.get(relation?.collection ?? "");
    if (!relation || !source) return [];
    const key = String(row[getKey(collection)]);
    const rows = [...source.rows.values()].filter(
      (one) => String(one[relation.field]) === key,
    );
    const { sort_field: sort } = relation.meta;
    if (sort !== null) this.#sort(source, rows, [sort]);
    return rows;
  }

  /** @returns whether a row matches. Checks names and operators, also without rows. */
  #compile(collection: Collection, filter: Values): (row: Values) => boolean {
    const tests = Object.entries(filter).map(([name, rule]) => {
      if (name === "_and" || name === "_or") {
        const parts = z
          .array(values)
          .parse(rule)
          .map((part) => this.#compile(collection, part));
        return name === "_and"
          ? (row: Values) => parts.every((part) => part(row))
          : (row: Values) => parts.some((part) => part(row));
      }
      if (name.startsWith("_"))
        throw invalidQuery(
          `Invalid filter key "${name}" on "${collection.name}"`,
        );
      return this.#compileRule(collection, name, rule);
    });
    return (row) => tests.every((test) => test(row));
  }

  #compileRule(
    collection: Collection,
    name: string,
    rule: unknown,
  ): (row: Values) => boolean {
    const { type } = this.#findField(collection, name);
    const rules = values.safeParse(rule).data ?? { _eq: rule };
    const [first] = Object.entries(rules);
    const [operator, operand] = first ?? ["", null];
    const incoming = this.#findIncoming(collection.name, name);
    const source = this.#collections.get(incoming?.collection ?? "");
    if (source) {
      const list = (row: Values) => this.#listReferring(collection, row, name);
      const quantified = operator === "_none" || operator === "_some";
      const part = this.#compile(
        source,
        quantified ? values.parse(operand) : rules,
      );
      return operator === "_none"
        ? (row) => !list(row).some(part)
        : (row) => list(row).some(part);
    }
    const outgoing = this.#findOutgoing(collection.name, name);
    const target = this.#collections.get(outgoing?.related_collection ?? "");
    if (target && !operator.startsWith("_")) {
      const part = this.#compile(target, rules);
      return (row) => {
        const one = target.rows.get(String(row[name]));
        return one !== undefined && part(one);
      };
    }
    const tests = Object.entries(rules).map(([one, value]) =>
      compileOperator(type, one, value),
    );
    return (row) => tests.every((test) => test(row[name] ?? null));
  }

  // Writing.

  #create(collection: Collection, row: Values, access: Access): Values {
    const key = getKey(collection);
    const isNumber = collection.fields.some(
      ({ field, type }) => field === key && type === "integer",
    );
    const last = Math.max(0, ...[...collection.rows.keys()].map(Number));
    const id = row[key] ?? (isNumber ? last + 1 : randomUUID());
    const made: Values = { [key]: id };
    collection.rows.set(toText(id), made);
    this.#set(collection, made, row, access);
    return { ...made };
  }

  #set(
    collection: Collection,
    row: Values,
    changes: Values,
    access: Access,
  ): void {
    for (const [name, value] of Object.entries(changes)) {
      const { type } = this.#findField(collection, name);
      const incoming = this.#findIncoming(collection.name, name);
      if (!incoming) row[name] = store(type, value);
      else this.#setList(collection, row, incoming, value, access);
    }
  }

  /** A list replaces the rows that refer; an object adds to them. */
  #setList(
    collection: Collection,
    row: Values,
    relation: Relation,
    value: unknown,
    access: Access,
  ): void {
    const source = this.#find(relation.collection, access, "create");
    const key = row[getKey(collection)];
    const { data: list } = z.array(values).safeParse(value);
    const { create } = list
      ? { create: list }
      : z.object({ create: z.array(values) }).parse(value);
    if (list)
      for (const one of source.rows.values())
        if (one[relation.field] === key) one[relation.field] = null;
    for (const one of create)
      this.#create(source, { ...one, [relation.field]: key }, access);
  }

  /** An array of items with their keys, or the same changes for all items of a query. */
  #change(
    access: Access,
    name: string,
    query: URLSearchParams,
    body: unknown,
  ): unknown {
    const collection = this.#find(name, access, "update");
    const key = getKey(collection);
    const changes = Array.isArray(body)
      ? z.array(values).parse(body)
      : this.#listMatching(collection, body);
    const isMissing = (one: Values) => !collection.rows.has(String(one[key]));
    if (!access.isAdmin && changes.some(isMissing))
      throw refuse(
        403,
        "FORBIDDEN",
        `You don't have permissions to perform "update" for the field(s) in collection "${name}" or it does not exist.`,
      );
    const paths = (query.get("fields") ?? "*").split(",");
    return changes.flatMap((one) => {
      const row = collection.rows.get(String(one[key]));
      if (!row) return [];
      this.#set(collection, row, one, access);
      return [this.#project(access, collection, row, paths)];
    });
  }

  #listMatching(collection: Collection, body: unknown): Values[] {
    const { query, data } = z
      .object({ query: z.object({ filter: values }), data: values })
      .parse(body);
    const key = getKey(collection);
    return [...collection.rows.values()]
      .filter(this.#compile(collection, query.filter))
      .map((row) => ({ ...data, [key]: row[key] }));
  }

  async #addFile(form: FormData): Promise<Values> {
    const file = form.get("file");
    if (!(file instanceof File))
      throw refuse(
        400,
        "INVALID_PAYLOAD",
        'Invalid payload. "file" is required.',
      );
    const bytes = Buffer.from(await file.arrayBuffer());
    const id = randomUUID();
    const row = {
      id,
      filename_download: file.name,
      filesize: bytes.length,
      folder: form.get("folder"),
    };
    this.#collections.get("directus_files")?.rows.set(id, row);
    this.#contents.set(id, bytes);
    return row;
  }

  /** Fields that refer to it become empty; rows of junctions stay. */
  #deleteFile(id: string): void {
    this.#contents.delete(id);
    this.#collections.get("directus_files")?.rows.delete(id);
    for (const relation of this.#relations) {
      if (relation.related_collection !== "directus_files") continue;
      const { rows } = this.#collections.get(relation.collection) ?? {};
      for (const row of rows?.values() ?? [])
        if (row[relation.field] === id) row[relation.field] = null;
    }
  }
}

function column(field: string, type: string, isKey = false): Field {
  return { field, type, schema: { is_primary_key: isKey }, meta: null };
}

/** What a user may do by its policies. */
class Access {
  constructor(private readonly user: User) {}

  get isAdmin(): boolean {
    return this.user.policies.some((one) => one.admin_access);
  }

  get canReadUsers(): boolean {
    return this.can("directus_users", "read");
  }

  can(collection: string, action: string): boolean {
    return (
      this.isAdmin ||
      this.user.policies.some(
        ({ app_access: hasApp, permissions }) =>
          (hasApp &&
            action === "read" &&
            appCollections.includes(collection)) ||
          permissions.some(
            (one) => one.collection === collection && one.action === action,
          ),
      )
    );
  }

  assert(collection: string, action: string): void {
    if (!this.can(collection, action))
      throw forbidden(`collection "${collection}"`);
  }

  list(collections: Iterable<string>): unknown {
    return Object.fromEntries(
      [...collections]
        .filter((name) => actions.some((action) => this.can(name, action)))
        .map((name) => [
          name,
          Object.fromEntries(
            actions.map((action) => [
              action,
              this.can(name, action)
                ? { access: "full", fields: ["*"] }
                : { access: "none" },
            ]),
          ),
        ]),
    );
  }
}

function getKey({ fields }: Collection): string {
  return (
    fields.find(({ schema }) => schema?.is_primary_key === true)?.field ?? "id"
  );
}

/** As SQLite returns what is stored. */
function store(type: string, value: unknown): unknown {
  if (value === null) return null;
  if (type === "boolean") return value === true ? 1 : 0;
  if (type === "timestamp") return new Date(toText(value)).toISOString();
  return isNumeric(type) ? Number(value) : value;
}

function isNumeric(type: string): boolean {
  return ["integer", "bigInteger", "float", "decimal"].includes(type);
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** An empty value is less than all others. */
function compare(one: unknown, other: unknown): number {
  const [first, second] = [one ?? null, other ?? null];
  if (first === null || second === null)
    return Number(first !== null) - Number(second !== null);
  if (typeof first === "number") return first - Number(second);
  return toText(first) < toText(second)
    ? -1
    : Number(toText(first) !== toText(second));
}

const ofAllTypes = ["_eq", "_neq", "_null", "_nnull"];
const ofTexts = ["_in", "_empty", "_nempty", "_icontains"];
const ofOrdered = ["_in", "_gt", "_gte", "_lt", "_lte"];

function compileOperator(
  type: string,
  operator: string,
  operand: unknown,
): (value: unknown) => boolean {
  const isText = ["string", "text", "uuid"].includes(type);
  const known = [
    ...ofAllTypes,
    ...(isText ? ofTexts : type === "boolean" ? [] : ofOrdered),
  ];
  if (!known.includes(operator))
    throw invalidQuery(
      `"${type}" field type does not contain the "${operator}" filter operator`,
    );
  const operands = z.array(z.unknown()).safeParse(operand).data ?? [operand];
  if (isNumeric(type) && operands.some((one) => Number.isNaN(Number(one))))
    throw invalidQuery("Invalid numeric value");
  const isEqual = (value: unknown, one: unknown) =>
    value !== null && compare(value, store(type, one)) === 0;
  switch (operator) {
    case "_null":
      return (value) => value === null;
    case "_nnull":
      return (value) => value !== null;
    case "_empty":
      return (value) => value === null || value === "";
    case "_nempty":
      return (value) => value !== null && value !== "";
    case "_eq":
      return (value) => isEqual(value, operand);
    case "_neq":
      return (value) => value !== null && !isEqual(value, operand);
    case "_in":
      return (value) => operands.some((one) => isEqual(value, one));
    case "_icontains":
      return (value) =>
        toText(value ?? "")
          .toLowerCase()
          .includes(String(operand).toLowerCase());
    default: {
      const isGreater = operator.startsWith("_g");
      const isInclusive = operator.endsWith("e");
      return (value) => {
        if (value === null) return false;
        const order = compare(value, store(type, operand));
        return (
          (isInclusive && order === 0) || (isGreater ? order > 0 : order < 0)
        );
      };
    }
  }
}
