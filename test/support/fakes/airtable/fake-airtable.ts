import { airtableErrors, AirtableError } from "./airtable-errors.js";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import {
  Attachments,
  FakeTable,
  type FieldSketch,
  Ids,
  listRecords,
} from "./fake-table.js";

interface Base {
  id: string;
  name: string;
  tables: FakeTable[];
}

interface Asked {
  method: string;
  path: string[];
  query: URLSearchParams;
  scopes: readonly string[];
  body: unknown;
}

const allScopes = [
  "data.records:read",
  "data.records:write",
  "schema.bases:read",
];

const changes = z.object({
  fields: z.record(z.string(), z.unknown()),
  returnFieldsByFieldId: z.boolean().default(false),
});

const writable = new Set(["singleLineText", "number", "multilineText"]);

/** Airtable's API as its documentation and its users tell of it, with its limits, on the loopback interface. */
export class FakeAirtable {
  readonly ids = new Ids();
  readonly bases: Base[] = [];
  readonly limit = new RateLimit();
  /** The scopes of each token. */
  readonly tokens = new Map<string, readonly string[]>();
  readonly files = new Attachments(this.ids, () => this.url);
  /** `METHOD /path` of each request that was not refused for its pace. */
  readonly log: string[] = [];
  readonly #server: Server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  static async start(): Promise<FakeAirtable> {
    const fake = new FakeAirtable();
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  get url(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : null;
    return `http://127.0.0.1:${port}`;
  }

  addToken(token: string, scopes: readonly string[] = allScopes): string {
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
    fields: Readonly<Record<string, FieldSketch>>,
  ): FakeTable {
    const table = new FakeTable(this.ids, name, fields);
    base.tables.push(table);
    return table;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      const url = new URL(request.url ?? "/", this.url);
      const [first = "", ...path] = url.pathname.slice(1).split("/");
      if (first === "files") {
        response.end(this.files.bytes.get(path[0] ?? ""));
        return;
      }
      const body = await bodyOf(request);
      const { method = "GET" } = request;
      if (first !== "v0") throw airtableErrors.notFound();
      const token = tokenOf(request);
      this.#pace(path[0] ?? "", token);
      const scopes = this.tokens.get(token);
      if (!scopes) throw airtableErrors.authentication();
      this.log.push(`${method} ${url.pathname}`);
      const query = url.searchParams;
      const parts = path.map(decodeURIComponent);
      const told = this.#tell({ method, path: parts, query, scopes, body });
      send(response, 200, told);
    } catch (error) {
      if (error instanceof AirtableError)
        send(response, error.status, error.body);
      else send(response, 500, { error: String(error) });
    }
  }

  /** Five a second for a base, fifty for a user. */
  #pace(base: string, token: string): void {
    const isUser = this.limit.allows(`user ${token}`, 50);
    if (isUser && (base === "meta" || this.limit.allows(base, 5))) return;
    throw airtableErrors.rateLimit();
  }

  #tell(asked: Asked): unknown {
    const [baseId = ""] = asked.path;
    if (baseId === "meta") return this.#tellMeta(asked);
    const base = this.#base(baseId);
    if (asked.path[3] === "uploadAttachment") return this.#upload(base, asked);
    const [, tableName, recordId = ""] = asked.path;
    const table = base.tables.find(
      ({ id, name }) => id === tableName || name === tableName,
    );
    if (!table) throw airtableErrors.permissionsOrModel();
    if (asked.method === "POST" && recordId === "listRecords") {
      need(asked, "data.records:read");
      return listRecords(table, asked.body);
    }
    if (asked.method === "PATCH") return this.#patch(table, recordId, asked);
    need(asked, "data.records:read");
    const byId = asked.query.get("returnFieldsByFieldId") === "true";
    return table.show(table.record(recordId), byId);
  }

  #tellMeta(asked: Asked): unknown {
    const [, what, baseId, tables] = asked.path;
    if (what === "whoami") return { id: "usr00000000000001" };
    need(asked, "schema.bases:read");
    if (what !== "bases") throw airtableErrors.notFound();
    if (tables === "tables") return this.#tellTables(baseId ?? "");
    return {
      bases: this.bases.map(({ id, name }) => ({
        id,
        name,
        permissionLevel: "create",
      })),
    };
  }

  #tellTables(baseId: string): unknown {
    const { tables } = this.#base(baseId);
    return {
      tables: tables.map(({ id, name, fields }) => ({
        id,
        name,
        primaryFieldId: fields[0]?.id,
        fields,
        views: [],
      })),
    };
  }

  #upload({ tables }: Base, asked: Asked): unknown {
    need(asked, "data.records:write");
    const [, recordId = "", fieldName = ""] = asked.path;
    const table = tables.find(({ records }) => records.has(recordId));
    if (!table) throw airtableErrors.notFound();
    const field = table.field(fieldName);
    const record = table.record(recordId);
    this.files.upload(record, field, asked.body);
    return table.show(record, true, [field.id]);
  }

  #patch(table: FakeTable, recordId: string, asked: Asked): unknown {
    need(asked, "data.records:write");
    const record = table.record(recordId);
    const { fields, returnFieldsByFieldId } = changes.parse(asked.body);
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
function need({ scopes }: Asked, scope: string): void {
  if (!scopes.includes(scope)) throw airtableErrors.permissionsOrModel();
}

function tokenOf({ headers }: IncomingMessage): string {
  return headers.authorization?.replace("Bearer ", "") ?? "";
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  return request.method === "GET" ? null : json(request);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** On a busy machine, this many evenly spaced requests may arrive early. */
const tolerance = 2;

/** Allows a number of requests per second and key; refuses a key that exceeds it for 30 seconds. */
class RateLimit {
  private readonly starts = new Map<string, number[]>();
  private readonly blockedUntil = new Map<string, number>();
  refused = 0;

  constructor(private readonly penaltyMs = 30_000) {}

  allows(key: string, perSecond: number): boolean {
    const now = Date.now();
    const recent = (this.starts.get(key) ?? []).filter((at) => at > now - 1000);
    if (recent.length >= perSecond + tolerance)
      this.blockedUntil.set(key, now + this.penaltyMs);
    this.starts.set(key, [...recent, now]);
    const isAllowed = now >= (this.blockedUntil.get(key) ?? 0);
    if (!isAllowed) this.refused += 1;
    return isAllowed;
  }
}
