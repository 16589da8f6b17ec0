import { randomUUID } from "node:crypto";
import * as z from "zod";
import { SuiteHost } from "../../../plugins/contract-suite/platform-session.js";
import { nocodbPlugin } from "../../../plugins/nocodb/plugin.js";
import { FakeNocodb } from "../../support/fakes/fake-nocodb.js";

const id = z.object({ id: z.string() });
const records = z.object({ records: z.array(z.object({ id: z.number() })) });

interface NewField {
  title: string;
  type: string;
  options?: object;
}

/** Runs a suite on the fake, and on the server that PLATEN_TEST_NOCODB_URL names. */
export function eachNocodb(
  suite: (open: () => Promise<NocodbServer>) => void,
): void {
  describe("on a fake", () => {
    let fake: Promise<FakeNocodb> | undefined;
    suite(async () => {
      fake ??= FakeNocodb.start();
      return NocodbServer.signIn((await fake).address);
    });
    after(async () => (await fake)?.close());
  });
  const named = process.env.PLATEN_TEST_NOCODB_URL;
  if (named)
    describe("on the real server", () => {
      suite(() => NocodbServer.signIn(new URL(named)));
    });
}

/** A NocoDB as its administrator sees it: makes bases, tables and rows. */
export class NocodbServer {
  private constructor(
    readonly url: string,
    private readonly auth: Readonly<Record<string, string>>,
  ) {}

  static async signIn(address: URL): Promise<NocodbServer> {
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

  /** The token of a new user who has this role in the base. */
  async makeMemberToken(base: string, roles: string): Promise<string> {
    const email = `${randomUUID()}@example.com`;
    const account = { email, password: randomUUID() };
    const reply = z.object({ token: z.string() });
    const path = "api/v1/auth/user/signup";
    const { token } = await this.send(path, reply, account);
    const members = `api/v2/meta/bases/${base}/users`;
    await this.send(members, z.unknown(), { email, roles });
    return new NocodbServer(this.url, { "xc-auth": token }).makeToken();
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
    method = body === undefined ? "GET" : "POST",
  ): Promise<T> {
    const reply = await fetch(`${this.url}/${path}`, {
      method,
      headers: { ...this.auth, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    return schema.parse(JSON.parse(text));
  }
}

/** Orders with lines and an empty cell for a file each. */
export async function createOrders(
  server: NocodbServer,
  orderCount: number,
  linesOfEach: number,
) {
  const baseId = await server.makeBase("Orders");
  const tableId = await server.makeTable(baseId, "Orders", [
    { title: "Number", type: "SingleLineText" },
    { title: "Papers", type: "Attachment" },
  ]);
  const lines = await server.makeTable(baseId, "Lines", [
    { title: "Amount", type: "Number" },
  ]);
  const linkId = await server.addField(baseId, tableId, {
    title: "Lines",
    type: "LinkToAnotherRecord",
    options: { relation_type: "hm", related_table_id: lines },
  });
  const recordIds = await server.addRows(
    baseId,
    tableId,
    Array.from({ length: orderCount }, (_, at) => ({ Number: `R-${at}` })),
  );
  const lineIds = await server.addRows(
    baseId,
    lines,
    Array.from({ length: orderCount * linesOfEach }, () => ({ Amount: 2 })),
  );
  for (const [at, recordId] of recordIds.entries()) {
    const from = at * linesOfEach;
    const ids = lineIds.slice(from, from + linesOfEach);
    await server.link(baseId, tableId, linkId, recordId, ids);
  }
  const fields = await server.getFields(baseId, tableId);
  const scope = { baseId, tableId };
  const fieldId = fields.get("Papers") ?? "";
  const credentials = { url: server.url, token: await server.makeToken() };
  const host = new SuiteHost(nocodbPlugin, credentials);
  return {
    scope,
    recordIds,
    fieldId,
    numberFieldId: fields.get("Number") ?? "",
    server,
    credentials,
    host,
    /** What the order's field `Papers` holds. */
    papers: (at: number) =>
      host.read({ scope, recordId: recordIds[at] ?? "", fieldId }),
  };
}
