import * as z from "zod";
import type { Attachment } from "../../../core/plugin-api/index.js";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import type { NocodbCredentials } from "../../../plugins/nocodb/client.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";

const id = z.object({ id: z.string() });
const records = z.object({ records: z.array(z.object({ id: z.number() })) });

interface NewField {
  title: string;
  type: string;
  options?: object;
}

/** The NocoDB that PLATEN_TEST_NOCODB_URL names, as its administrator sees it: makes bases, tables and rows. */
export class NocodbServer {
  private constructor(
    readonly url: string,
    private readonly auth: Readonly<Record<string, string>>,
  ) {}

  /** Null when no server is named. */
  static address(): URL | null {
    const named = process.env.PLATEN_TEST_NOCODB_URL;
    return named ? new URL(named) : null;
  }

  static async signIn(): Promise<NocodbServer> {
    const address = NocodbServer.address();
    if (!address) throw new Error("PLATEN_TEST_NOCODB_URL names no server");
    const anonymous = new NocodbServer(address.origin, {});
    const { token } = await anonymous.send(
      "api/v1/auth/user/signin",
      z.object({ token: z.string() }),
      {
        email: decodeURIComponent(address.username),
        password: decodeURIComponent(address.password),
      },
    );
    return new NocodbServer(address.origin, { "xc-auth": token });
  }

  async makeToken(): Promise<string> {
    const body = { description: "tests" };
    const reply = z.object({ token: z.string() });
    return (await this.send("api/v1/tokens", reply, body)).token;
  }

  async makeBase(title: string): Promise<string> {
    return (await this.send("api/v2/meta/bases", id, { title })).id;
  }

  async makeTable(
    base: string,
    title: string,
    fields: NewField[],
  ): Promise<string> {
    const path = `api/v3/meta/bases/${base}/tables`;
    return (await this.send(path, id, { title, fields })).id;
  }

  async addField(
    base: string,
    table: string,
    field: NewField,
  ): Promise<string> {
    const path = `api/v3/meta/bases/${base}/tables/${table}/fields`;
    return (await this.send(path, id, field)).id;
  }

  /** A table's fields: their ids by title. */
  async getFields(base: string, table: string): Promise<Map<string, string>> {
    const field = z.object({ id: z.string(), title: z.string() });
    const { fields } = await this.send(
      `api/v3/meta/bases/${base}/tables/${table}`,
      z.object({ fields: z.array(field) }),
    );
    return new Map(fields.map((one) => [one.title, one.id]));
  }

  /** A view of the rows by their number, the last ones first. @returns its id. */
  async makeView(table: string, title: string, field: string): Promise<string> {
    const path = `api/v2/meta/tables/${table}/grids`;
    const view = await this.send(path, id, { title });
    const at = `api/v2/meta/views/${view.id}`;
    const column = { fk_column_id: field };
    await this.send(`${at}/sorts`, id, { ...column, direction: "desc" });
    await this.send(`${at}/filters`, id, {
      ...column,
      comparison_op: "in",
      value: "R-1,R-2",
    });
    return view.id;
  }

  /** Ten at a time: NocoDB takes no more. */
  async addRows(
    base: string,
    table: string,
    rows: readonly object[],
  ): Promise<string[]> {
    const path = `api/v3/data/${base}/${table}/records`;
    const ids: string[] = [];
    for (let at = 0; at < rows.length; at += 10) {
      const body = rows.slice(at, at + 10).map((fields) => ({ fields }));
      const made = await this.send(path, records, body);
      ids.push(...made.records.map((one) => String(one.id)));
    }
    return ids;
  }

  async link(
    base: string,
    table: string,
    field: string,
    row: string,
    to: readonly string[],
  ): Promise<void> {
    const path = `api/v3/data/${base}/${table}/links/${field}/${row}`;
    for (let at = 0; at < to.length; at += 10) {
      const body = to.slice(at, at + 10).map((one) => ({ id: one }));
      await this.send(path, z.unknown(), body);
    }
  }

  async send<T>(
    path: string,
    schema: z.ZodType<T>,
    body?: unknown,
    method?: string,
  ): Promise<T> {
    const reply = await fetch(`${this.url}/${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...this.auth, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    return schema.parse(JSON.parse(text));
  }
}

/** A base on the real server with one invoice. */
interface NocodbShop {
  credentials: NocodbCredentials;
  baseId: string;
  tableId: string;
  recordId: string;
  /** What the invoice's field `Papers` holds. */
  papers(): Promise<Attachment[]>;
}

export async function nocodbShop(): Promise<NocodbShop> {
  const server = await NocodbServer.signIn();
  const credentials = { url: server.url, token: await server.makeToken() };
  const baseId = await server.makeBase("Shop");
  const tableId = await server.makeTable(baseId, "Invoices", [
    { title: "Number", type: "SingleLineText" },
    { title: "Total", type: "Decimal" },
    { title: "Papers", type: "Attachment" },
  ]);
  const row = { Number: "R-117", Total: 12.5 };
  const [recordId = ""] = await server.addRows(baseId, tableId, [row]);
  const fieldId = (await server.getFields(baseId, tableId)).get("Papers") ?? "";
  const host = new SuiteHost(nocodbPlugin, credentials);
  const scope = { baseId, tableId };
  return {
    credentials,
    baseId,
    tableId,
    recordId,
    papers: () => host.read({ scope, recordId, fieldId }),
  };
}
