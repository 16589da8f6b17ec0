import { randomBytes } from "node:crypto";
import * as z from "zod";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { ServerCredentials } from "../../../plugins/lib/rest-server.js";
import { directusPlugin } from "../../../plugins/directus/plugin.js";
import { FakeDirectus } from "../../support/fakes/fake-directus.js";

const id = z.object({ id: z.union([z.string(), z.number()]) });

/** Runs a suite on the fake, and on the server that PLATEN_TEST_DIRECTUS_URL names. */
export function eachDirectus(
  suite: (open: () => Promise<DirectusServer>) => void,
): void {
  describe("on a fake", () => {
    suite(openFake);
  });
  const named = process.env.PLATEN_TEST_DIRECTUS_URL;
  if (named)
    describe("on the real server", () => {
      suite(() => signIn(new URL(named)));
    });
}

export async function openFake(): Promise<DirectusServer> {
  const fake = await FakeDirectus.start();
  const close = () => fake.close();
  return new DirectusServer(fake.url, fake.adminToken, close, fake);
}

/** Opens a shop for the suite that calls this, by its first test. */
export function shopFor(
  open: () => Promise<DirectusServer>,
): () => Promise<DirectusShop> {
  let shop: Promise<DirectusShop> | undefined;
  after(async () => (await shop)?.server.close());
  return () => (shop ??= open().then(makeShop));
}

async function signIn(address: URL): Promise<DirectusServer> {
  const credentials = {
    email: decodeURIComponent(address.username),
    password: decodeURIComponent(address.password),
  };
  const reply = await fetch(new URL("auth/login", address.origin), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const { data } = z
    .object({ data: z.object({ access_token: z.string() }) })
    .parse(await reply.json());
  const server = new DirectusServer(address.origin, data.access_token);
  const token = `admin-${randomBytes(6).toString("hex")}`;
  await server.send("users/me", z.unknown(), { token }, "PATCH");
  return new DirectusServer(address.origin, token);
}

interface NewField {
  field: string;
  type: string;
  meta?: object;
}

/** A Directus as its administrator sees it: makes collections, items, bookmarks and tokens. */
export class DirectusServer {
  constructor(
    readonly url: string,
    readonly adminToken: string,
    readonly close: () => Promise<void> = () => Promise.resolve(),
    /** Null for the real server. */
    readonly fake: FakeDirectus | null = null,
  ) {}

  async makeCollection(
    collection: string,
    fields: NewField[],
    meta: object = {},
  ): Promise<void> {
    const schema = { is_primary_key: true, has_auto_increment: true };
    const key = { field: "id", type: "integer", schema };
    const all = [key, ...fields].map((one) => ({ meta: {}, ...one }));
    const body = { collection, meta, schema: {}, fields: all };
    await this.send("collections", z.unknown(), body);
  }

  async relate(
    collection: string,
    field: string,
    related_collection: string,
    meta?: object,
  ): Promise<void> {
    const schema = { on_delete: "SET NULL" };
    const relation = { collection, field, related_collection, schema };
    await this.send("relations", z.unknown(), { ...relation, meta });
  }

  async addItems(
    collection: string,
    items: readonly object[],
  ): Promise<string[]> {
    const made = await this.send(`items/${collection}`, z.array(id), items);
    return made.map((one) => String(one.id));
  }

  async makeBookmark(bookmark: object): Promise<string> {
    return String((await this.send("presets", id, bookmark)).id);
  }

  /** A token of a user that may do this. Without a license, few users may have access to the app. */
  async makeToken(
    rights: Readonly<Record<string, readonly string[]>>,
    policy: { app_access?: boolean } = {},
  ): Promise<string> {
    const name = randomBytes(6).toString("hex");
    const permissions = Object.entries(rights).flatMap(
      ([collection, actions]) =>
        actions.map((action) => ({
          collection,
          action,
          fields: ["*"],
          permissions: null,
          validation: null,
        })),
    );
    const body = { name, ...policy, permissions };
    const made = await this.send("policies", id, body);
    const token = `token-${name}`;
    await this.send("users", z.unknown(), {
      email: `${name}@example.com`,
      token,
      policies: { create: [{ policy: made }], update: [], delete: [] },
    });
    return token;
  }

  async send<T>(
    path: string,
    schema: z.ZodType<T>,
    body?: unknown,
    method = body === undefined ? "GET" : "POST",
  ): Promise<T> {
    const reply = await fetch(`${this.url}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.adminToken}`,
        "content-type": "application/json",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    const { data } =
      text === ""
        ? { data: undefined }
        : z.object({ data: z.unknown() }).parse(JSON.parse(text));
    return schema.parse(data);
  }
}

/** Collections of invoices with lines, tags and files, under names of their own. */
export interface DirectusShop {
  server: DirectusServer;
  invoices: string;
  lines: string;
  tags: string;
  /** The junction of invoices and their papers. */
  papers: string;
  /** Of an administrator. */
  token: string;
  credentials: ServerCredentials;
  host: SuiteHost<ServerCredentials>;
  /** A host with a token that may only do this. */
  hostWith(
    rights: Readonly<Record<string, readonly string[]>>,
    policy?: { app_access?: boolean },
  ): Promise<SuiteHost<ServerCredentials>>;
  addInvoices(invoices: readonly object[]): Promise<string[]>;
  bytesOf: (attachment: { url?: string }) => Promise<Uint8Array>;
}

function alias(field: string, special: string): NewField {
  return { field, type: "alias", meta: { special: [special] } };
}

function plain(field: string, type: string): NewField {
  return { field, type };
}

async function makeShop(server: DirectusServer): Promise<DirectusShop> {
  const prefix = `shop_${randomBytes(4).toString("hex")}`;
  const invoices = `${prefix}_invoices`;
  const lines = `${prefix}_lines`;
  const tags = `${prefix}_tags`;
  const tagging = `${invoices}_tags`;
  const papers = `${invoices}_files`;
  await server.makeCollection(lines, [
    plain("text", "string"),
    plain("invoice", "integer"),
  ]);
  await server.makeCollection(tags, [plain("name", "string")]);
  const archive = {
    archive_field: "status",
    archive_value: "archived",
    archive_app_filter: true,
  };
  await server.makeCollection(
    invoices,
    [
      plain("invoice_no", "string"),
      { ...plain("status", "string"), meta: { interface: "select-dropdown" } },
      plain("total", "decimal"),
      plain("count", "bigInteger"),
      plain("due", "date"),
      plain("at", "timestamp"),
      plain("is_paid", "boolean"),
      plain("data", "json"),
      { ...plain("scan", "uuid"), meta: { interface: "file" } },
      { ...plain("photo", "uuid"), meta: { interface: "file-image" } },
      plain("previous", "integer"),
      alias("lines", "o2m"),
      alias("tags", "m2m"),
      alias("papers", "files"),
      alias("notice", "no-data"),
    ],
    archive,
  );
  await server.makeCollection(tagging, [
    plain("invoice", "integer"),
    plain("tag", "integer"),
  ]);
  await server.makeCollection(papers, [
    plain("invoice", "integer"),
    plain("file", "uuid"),
    plain("sort", "integer"),
  ]);
  await server.relate(lines, "invoice", invoices, { one_field: "lines" });
  await server.relate(invoices, "previous", invoices);
  await server.relate(invoices, "scan", "directus_files");
  await server.relate(invoices, "photo", "directus_files");
  const tagged = { one_field: "tags", junction_field: "tag" };
  await server.relate(tagging, "invoice", invoices, tagged);
  await server.relate(tagging, "tag", tags, { junction_field: "invoice" });
  const attached = { one_field: "papers", junction_field: "file" };
  const sorted = { ...attached, sort_field: "sort" };
  await server.relate(papers, "invoice", invoices, sorted);
  const junction = { junction_field: "invoice" };
  await server.relate(papers, "file", "directus_files", junction);
  const token = server.adminToken;
  const credentials = { url: server.url, token };
  return {
    server,
    invoices,
    lines,
    tags,
    papers,
    token,
    credentials,
    host: new SuiteHost(directusPlugin, credentials),
    hostWith: async (rights, policy) =>
      new SuiteHost(directusPlugin, {
        url: server.url,
        token: await server.makeToken(rights, policy),
      }),
    addInvoices: (all) => server.addItems(invoices, all),
    bytesOf: async ({ url = "" }) => {
      const headers = { authorization: `Bearer ${token}` };
      const reply = await fetch(url, { headers });
      return new Uint8Array(await reply.arrayBuffer());
    },
  };
}
