import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { json } from "node:stream/consumers";
import * as z from "zod";
import {
  type Attachment,
  type OutFile,
  type RecordFiles,
  type WrittenRecord,
  type PluginAuthorization,
  type PlatformContext,
  PlatformError,
  getPlatformErrorCode,
  type PlatformPlugin,
  type Row,
  type RowsFound,
  type TableScope,
  type WriteMode,
  type FieldInfo,
  type FieldKind,
  type PlatformCapabilities,
  PLUGIN_API,
  type TableInfo,
} from "../../../core/plugin-api/index.js";
import type { ContractSubject } from "../../../plugins/contract-suite/index.js";

/** Mistakes that plugin authors make; the suite must see each. */
export interface Mistakes {
  trustsInlinedLinks?: boolean;
  acceptsHtml?: boolean;
  bypassesRateLimit?: boolean;
  hidesMissing?: boolean;
  alwaysReplaces?: boolean;
  writesAnyField?: boolean;
  leaksToken?: boolean;
  replacesMany?: boolean;
  addsManyInDisorder?: boolean;
  returnsUnwritten?: boolean;
  deniesLostWrites?: boolean;
  forgetsState?: boolean;
  acceptsAnyCode?: boolean;
  grantsUnknown?: boolean;
  formatsTexts?: boolean;
}

const paper = z.object({ id: z.string(), name: z.string() });
const idsSchema = z.array(z.string());
const boxSchema = z.object({
  id: z.string(),
  label: z.string(),
  inside: idsSchema,
  papers: z.array(paper),
});
type Box = z.infer<typeof boxSchema>;
type Context = PlatformContext<CrateCredentials>;

/** The crate's plugin as it should be, or with mistakes. */
class CratePlugin implements PlatformPlugin<CrateCredentials> {
  readonly meta = crateMeta;
  readonly credentials = { schema: crateSchema };
  readonly capabilities = crateCapabilities;
  readonly rate = { key: ({ url }: CrateCredentials) => url, maxInFlight: 4 };

  readonly authorization: PluginAuthorization<CrateCredentials>;

  constructor(private readonly mistakes: Mistakes) {
    const { forgetsState, acceptsAnyCode, grantsUnknown } = mistakes;
    this.authorization = {
      title: "Crate",
      needs: ["url"],
      grants: [grantsUnknown ? "secret" : "token"],
      createUrl: ({ credentials: { url } }, request) => {
        const query = new URLSearchParams({
          response_type: "code",
          redirect_uri: request.redirectUri,
          code_challenge: request.codeChallenge,
          code_challenge_method: "S256",
          ...(!forgetsState && { state: request.state }),
        });
        return Promise.resolve(`${url}/consent?${query.toString()}`);
      },
      exchangeCode: async (context, code) => {
        if (acceptsAnyCode) return { token: "good" };
        const granted = z.object({ token: z.string() });
        const send = { method: "POST", json: code };
        return this.#ask(context, "token", granted, send);
      },
    };
  }

  async check(context: Context) {
    await this.#ask(context, "me", z.unknown());
    return {};
  }

  async describe(context: Context) {
    await this.#ask(context, "boxes", z.unknown());
    const { fields } = crateTable;
    const [label, ...others] = fields;
    return this.mistakes.formatsTexts && label
      ? [
          {
            ...crateTable,
            fields: [{ ...label, format: "percent" as const }, ...others],
          },
        ]
      : [crateTable];
  }

  async fetchRows(
    context: Context,
    { tableId }: TableScope,
    asked: readonly string[],
    fieldIds?: readonly string[],
  ): Promise<RowsFound> {
    const query = asked.map((id) => `id=${encodeURIComponent(id)}`).join("&");
    const path = `${tableId}?${query}`;
    const found = await this.#ask(context, path, z.array(boxSchema));
    const rows: Row[] = [];
    for (const one of found) rows.push(await this.#row(context, one, fieldIds));
    const has = new Set(rows.map(({ id }) => id));
    const missing = asked.filter((id) => !has.has(id));
    return { rows, missing: this.mistakes.hidesMissing ? [] : missing };
  }

  async writeBack(
    context: Context,
    _scope: TableScope,
    recordId: string,
    fieldId: string,
    files: readonly OutFile[],
    mode: WriteMode,
  ): Promise<Attachment[]> {
    const { alwaysReplaces, writesAnyField } = this.mistakes;
    if (fieldId !== "papers" && !writesAnyField)
      throw new PlatformError("invalid_field", `${fieldId} takes no file.`);
    const held = await this.#box(context, recordId);
    const added = await this.#add(context, files);
    const kept = mode === "append" && !alwaysReplaces ? held.papers : [];
    const send = { method: "PATCH", json: { [fieldId]: [...kept, ...added] } };
    await this.#ask(context, getPath(recordId), z.unknown(), send);
    return added.map(getAttachment);
  }

  async writeBackMany(
    context: Context,
    _scope: TableScope,
    fieldId: string,
    writes: readonly RecordFiles[],
    mode: WriteMode,
  ): Promise<WrittenRecord[]> {
    const { replacesMany, addsManyInDisorder, deniesLostWrites } =
      this.mistakes;
    const query = writes.map(({ recordId }) => `id=${recordId}`).join("&");
    const found = await this.#ask(
      context,
      `boxes?${query}`,
      z.array(boxSchema),
    );
    const boxes: object[] = [];
    const written: WrittenRecord[] = [];
    for (const { recordId, files } of writes) {
      const held = found.find(({ id }) => id === recordId);
      if (!held && !this.mistakes.returnsUnwritten) continue;
      const added = await this.#add(context, files);
      const kept = mode === "append" && !replacesMany ? held?.papers : [];
      const papers = [...(kept ?? []), ...added];
      if (addsManyInDisorder) papers.sort((a, b) => (a.name < b.name ? -1 : 1));
      boxes.push({ id: recordId, [fieldId]: papers });
      written.push({ recordId, attachments: added.map(getAttachment) });
    }
    try {
      const send = { method: "PATCH", json: boxes };
      await this.#ask(context, "boxes", z.unknown(), send);
    } catch (error) {
      if (!deniesLostWrites) throw error;
      throw new PlatformError("conflict", "Nothing was written.");
    }
    return written;
  }

  async #add(
    context: Context,
    files: readonly OutFile[],
  ): Promise<Box["papers"]> {
    const added: Box["papers"] = [];
    for (const { filename } of files) {
      const send = { method: "POST", json: { name: filename } };
      const made = z.object({ id: z.string() });
      const { id } = await this.#ask(context, "papers", made, send);
      added.push({ id, name: filename });
    }
    return added;
  }

  async readAttachments(
    context: Context,
    _scope: TableScope,
    recordId: string,
  ): Promise<Attachment[]> {
    return (await this.#box(context, recordId)).papers.map(getAttachment);
  }

  #box(context: Context, id: string): Promise<Box> {
    return this.#ask(context, getPath(id), boxSchema);
  }

  async #row(
    context: Context,
    { id, label, inside, papers }: Box,
    fieldIds?: readonly string[],
  ): Promise<Row> {
    const wants = (field: string) => fieldIds?.includes(field) ?? true;
    const all = () =>
      this.mistakes.trustsInlinedLinks ? inside : this.#inside(context, id);
    return {
      id,
      fields: {
        ...(wants("label") ? { label } : {}),
        ...(wants("papers") ? { papers: papers.map(getAttachment) } : {}),
      },
      links: wants("inside") ? { inside: await all() } : {},
    };
  }

  async #inside(context: Context, id: string): Promise<string[]> {
    const all: string[] = [];
    for (;;) {
      const path = `${getPath(id)}/inside?from=${all.length}`;
      const more = await this.#ask(context, path, idsSchema);
      all.push(...more);
      if (more.length < 100) return all;
    }
  }

  /** Asks the server; each refusal as the contract names it. */
  async #ask<T>(
    context: Context,
    path: string,
    schema: z.ZodType<T>,
    send?: { method: string; json: unknown },
  ): Promise<T> {
    const { mistakes } = this;
    const { url, token } = context.credentials;
    const headers = { authorization: `Bearer ${token}` };
    const address = `${url}/${path}`;
    if (mistakes.acceptsHtml) {
      const reply = await context.http(address, { headers });
      if (reply.headers["content-type"] === "text/html")
        return schema.parse([]);
    }
    if (mistakes.bypassesRateLimit) await fetch(address, { headers });
    const { status, body } = await context.json(address, { ...send, headers });
    if (status < 300) return schema.parse(body);
    const secret = mistakes.leaksToken ? ` for ${token}` : "";
    const message = `The crate answered ${status}${secret}.`;
    throw new PlatformError(getPlatformErrorCode(status), message);
  }
}

function getPath(id: string): string {
  return `boxes/${encodeURIComponent(id)}`;
}

function getAttachment({ id, name }: Box["papers"][number]): Attachment {
  return { remoteId: id, filename: name };
}

interface CrateCredentials {
  url: string;
  token: string;
}

const crateMeta = {
  kind: "platform" as const,
  id: "crate",
  title: "Crate",
  version: "1.0.0",
  api: PLUGIN_API,
  platen: ">=0.1.0",
};

const crateSchema = {
  type: "object",
  properties: {
    url: { type: "string" },
    token: { type: "string", writeOnly: true },
  },
};

const crateCapabilities: PlatformCapabilities = {
  links: true,
  attachments: "native",
  modes: ["append", "replace"],
  maxFileBytes: 1e6,
  maxIdsPerFetch: 50,
  keepsFilename: true,
  readBack: true,
  writeMany: { maxRecords: 10 },
};

const crateTable: TableInfo = {
  id: "boxes",
  name: "Boxes",
  fields: [
    createField("label", "text"),
    {
      ...createField("inside", "link"),
      link: { tableId: "boxes", many: true },
    },
    createField("papers", "attachment"),
  ],
};

function createField(id: string, kind: FieldKind): FieldInfo {
  return { id, name: id, kind, native: kind, writable: true };
}

/** The crate's plugin against a crate of its own. */
export function crateSubject(
  mistakes: Mistakes = {},
): ContractSubject<CrateCredentials> {
  return {
    plugin: new CratePlugin(mistakes),
    start: async () => {
      const server = new CrateServer();
      const url = await server.listen();
      const linked = [0, 30, 130];
      const recordIds = linked.map((count) => server.add(count));
      const expected = Object.fromEntries(
        recordIds.map((id) => [id, server.boxes.get(id)?.inside ?? []]),
      );
      return {
        addresses: { api: url },
        credentials: ({ api = "" }) => ({ url: api, token: "good" }),
        wrongCredentials: ({ api = "" }) => ({ url: api, token: "bad" }),
        fixture: {
          scope: { tableId: "boxes" },
          recordIds,
          unknownRecordId: "b99999",
          unknownScope: { tableId: "barrels" },
          textFieldId: "label",
          links: { fieldId: "inside", expected },
          attachments: {
            fieldId: "papers",
            newRecord: () => Promise.resolve(server.add(0)),
          },
          consent: (page) => Promise.resolve(server.consent(new URL(page))),
        },
        close: () => server.close(),
      };
    },
  };
}

/** A box in the crate: what a row holds. */
interface StoredBox {
  id: string;
  label: string;
  inside: string[];
  papers: { id: string; name: string }[];
}

const codeSchema = z.object({
  code: z.string(),
  redirectUri: z.string(),
  codeVerifier: z.string(),
});

const changes = z.array(z.looseObject({ id: z.string() }));

const inlined = 25;
const page = 100;

type Reply = readonly [status: number, body: unknown];
const none: Reply = [404, { error: "none" }];

/** A platform with the bad habits of real ones: it inlines 25 links and says nothing of the rest; a write sets the whole cell. */
class CrateServer {
  readonly boxes = new Map<string, StoredBox>();
  #made = 0;
  /** What was asked for on the page, by the codes that it sent back. */
  readonly #codes = new Map<string, URLSearchParams>();
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response);
  });

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string")
      throw new TypeError("the server listens on no port");
    return `http://127.0.0.1:${address.port}`;
  }

  add(linked: number): string {
    const id = `b${(this.#made += 1)}`;
    const inside = Array.from({ length: linked }, (_, at) => `x${at}`);
    this.boxes.set(id, { id, label: `Box ${id}`, inside, papers: [] });
    return id;
  }

  /** A person consents on the page. @returns a code, which works once. */
  consent({ searchParams }: URL): string {
    const code = `c${(this.#made += 1)}`;
    this.#codes.set(code, searchParams);
    return code;
  }

  #grant(body: unknown): Reply {
    const { code, redirectUri, codeVerifier } = codeSchema.parse(body);
    const asked = this.#codes.get(code);
    this.#codes.delete(code);
    const hash = createHash("sha256").update(codeVerifier).digest("base64url");
    return asked?.get("redirect_uri") === redirectUri &&
      asked.get("code_challenge") === hash
      ? [200, { token: "good" }]
      : [401, { error: "who?" }];
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const url = new URL(request.url ?? "/", "http://crate");
    const body = request.method === "GET" ? null : await json(request);
    const [status, answer] =
      url.pathname === "/token"
        ? this.#grant(body)
        : request.headers.authorization === "Bearer good"
          ? this.#answer(request.method ?? "", url, body)
          : ([401, { error: "who?" }] as const);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  }

  #answer(method: string, url: URL, body: unknown): Reply {
    const [, table, id, part] = url.pathname.split("/");
    if (table === "me") return [200, { name: "Ada" }];
    if (table === "papers") return [200, { id: `p${(this.#made += 1)}` }];
    if (table !== "boxes") return none;
    if (id === undefined && method === "PATCH") return this.#change(body);
    if (id === undefined) return [200, this.#list(url)];
    const box = this.boxes.get(decodeURIComponent(id));
    if (!box) return none;
    if (part === "inside") return [200, linksFrom(box, url)];
    if (method === "PATCH") Object.assign(box, body);
    return [200, box];
  }

  #change(body: unknown): Reply {
    for (const one of changes.parse(body))
      Object.assign(this.boxes.get(one.id) ?? {}, one);
    return [200, {}];
  }

  #list(url: URL): unknown[] {
    const ids = url.searchParams.getAll("id");
    return ids
      .flatMap((id) => this.boxes.get(id) ?? [])
      .map((box) => ({ ...box, inside: box.inside.slice(0, inlined) }));
  }
}

function linksFrom({ inside }: StoredBox, url: URL): string[] {
  const from = Number(url.searchParams.get("from"));
  return inside.slice(from, from + page);
}
