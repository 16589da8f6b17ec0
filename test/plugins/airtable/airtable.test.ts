import { once } from "node:events";
import { createServer } from "node:http";
import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import type { OutFile } from "../../../core/plugin-api/index.js";
import { airtablePlugin } from "../../../plugins/airtable/plugin.js";
import {
  type Cell,
  createFile,
} from "../../../plugins/contract-suite/platform-session.js";
import { useManualClock } from "../../support/clock.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { getPort } from "../../support/free-port.js";
import { useNock } from "../../support/use-nock.js";
import { airtableHost } from "./airtable-setup.js";

const failed = (error: unknown) => error;

describe("a reply of Airtable", () => {
  const using = useNock();
  const endpointUrl = "https://airtable.invalid";
  const scope = { baseId: "appAAAAAAAAAAAAAA", tableId: "Orders" };
  const ids = ["recAAAAAAAAAAAAAA", "recBBBBBBBBBBBBBB"];
  const host = airtableHost({ token: "pat.secret", endpointUrl });

  for (const [status, body, code, words] of [
    [
      401,
      { error: { type: "AUTHENTICATION_REQUIRED", message: "…" } },
      "auth",
      /Create a new one/,
    ],
    [
      403,
      {
        error: { type: "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND", message: "…" },
      },
      "not_found",
      /id is wrong, or the token lacks the scope data\.records:read/,
    ],
    [
      403,
      { error: { type: "NOT_AUTHORIZED", message: "…" } },
      "forbidden",
      /scope data\.records:read/,
    ],
    [404, { error: "NOT_FOUND" }, "not_found", /no such base, table or record/],
    [
      422,
      { error: { type: "UNKNOWN_FIELD_NAME", message: 'Unknown field "X"' } },
      "invalid_field",
      /UNKNOWN_FIELD_NAME.*Unknown field "X"/,
    ],
    [
      422,
      { error: { type: "LIST_RECORDS_ITERATOR_NOT_AVAILABLE", message: "…" } },
      "unavailable",
      /Try again/,
    ],
    [
      429,
      { errors: [{ error: "RATE_LIMIT_REACHED", message: "…" }] },
      "rate_limited",
      /30 seconds/,
    ],
    [
      429,
      {
        errors: [{ error: "PUBLIC_API_BILLING_LIMIT_EXCEEDED", message: "…" }],
      },
      "quota_exceeded",
      /used up the API calls.*Upgrade/,
    ],
    [500, "<h1>Oops</h1>", "unavailable", /500/],
    [503, { error: { type: "SERVICE_UNAVAILABLE" } }, "unavailable", /503/],
    [200, "<h1>Sign in</h1>", "unavailable", /a login page/],
    [200, { error: "?" }, "unavailable", /unexpected response/],
  ] as const)
    it(`is reported as ${code} for ${status} ${JSON.stringify(body)}`, async () => {
      let requests = 0;
      using
        .nock(endpointUrl)
        .persist()
        .post(/./)
        .reply(() => {
          requests += 1;
          return [status, JSON.stringify(body)];
        });
      const error: unknown = await host.fetchRows(scope, ids).catch(failed);
      using.nock.cleanAll();
      expect(error).to.include({ name: "PlatformError", code });
      expect(error).property("message").to.match(words);
      expect(error).property("message").not.to.contain("pat.secret");
      // A month's quota is not waited for.
      expect(requests).to.equal(code === "rate_limited" ? 3 : 1);
    });

  it("with records is followed to the last page, even when Airtable shortens them", async () => {
    const path = "/v0/appAAAAAAAAAAAAAA/Orders/listRecords?";
    const [first, second] = ids.map((id) => ({ id, fields: {} }));
    using
      .nock(endpointUrl)
      .post(path, (body: { offset?: string }) => body.offset === undefined)
      .reply(200, { records: [first], offset: "itr1" })
      .post(path, (body: { offset?: string }) => body.offset === "itr1")
      .reply(200, { records: [second] });
    const { rows, missing } = await host.fetchRows(scope, ids);
    expect(rows.map(({ id }) => id)).to.deep.equal(ids);
    expect(missing).to.deep.equal([]);
  });

  it("with bases is followed to the last page", async () => {
    const path = "/v0/meta/bases";
    using
      .nock(endpointUrl)
      .get(path)
      .query((query) => query["offset"] === undefined)
      .reply(200, { bases: [{ id: "app1", name: "One" }], offset: "2" })
      .get(path)
      .query({ offset: "2" })
      .reply(200, { bases: [{ id: "app2", name: "Two" }] });
    const bases = await host.call(async (context) =>
      airtablePlugin.listBases?.(context),
    );
    expect(bases?.map(({ name }) => name)).to.deep.equal(["One", "Two"]);
  });
});

describe("the test of a connection to Airtable", () => {
  let fake: FakeAirtable;
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());

  /** What is found with these scopes, in a new base that comes first. */
  const check = async (base: string | null, scopes?: readonly string[]) => {
    if (base !== null) {
      const made = fake.addBase(base);
      fake.addTable(made, "Orders", { Name: "singleLineText" });
      fake.bases.reverse();
    }
    const token = fake.addToken(`pat.${String(scopes)}`, scopes);
    const host = airtableHost({ token, endpointUrl: fake.url });
    return host.check().catch(failed);
  };
  const reading = ["schema.bases:read", "data.records:read"];

  it("reports a token that has access to no base", async () => {
    expect(await check(null))
      .property("message")
      .to.contain("has access to no base");
  });

  it("names the missing scope, also by reading a record, because Airtable does not reveal a token's scopes", async () => {
    for (const [code, scopes, missing] of [
      ["not_found", ["data.records:read"], "schema.bases:read"],
      [
        "forbidden",
        ["schema.bases:read", "data.records:write"],
        "data.records:read",
      ],
    ] as const) {
      const rejected = await check("Shop", scopes);
      expect(rejected).to.include({ code });
      expect(rejected).property("message").to.contain(missing);
    }
  });

  it("warns about a token that may not write, and returns the token's user", async () => {
    expect(await check("Write", reading))
      .property("warnings")
      .to.satisfy((warnings: string[]) =>
        warnings.join().includes("lacks the scope data.records:write"),
      );
    expect(await check("All", [...reading, "data.records:write"])).to.eql({
      account: "usr00000000000001",
      warnings: [],
    });
  });
});

describe("the rate limit of Airtable", () => {
  const clock = useManualClock();
  let fake: FakeAirtable;
  let scope: { baseId: string; tableId: string };
  const id = "recZZZZZZZZZZZZZZ";
  before(async () => {
    fake = await FakeAirtable.start();
    const { id: baseId } = fake.addBase("Sales");
    const [base] = fake.bases;
    if (!base) throw new Error("no base");
    const table = fake.addTable(base, "Orders", { Name: "singleLineText" });
    scope = { baseId, tableId: table.id };
  });
  after(() => fake.close());

  it("is not exceeded by the plugin, which comes close to it", async () => {
    const token = fake.addToken("pat.secret");
    const host = airtableHost({ token, endpointUrl: fake.url });
    const startedAt = clock.now();
    const progress = { isDone: false };
    const calls = Array.from({ length: 12 }, () => host.fetchRows(scope, [id]));
    const all = Promise.all(calls).finally(() => {
      progress.isDone = true;
    });
    while (!progress.isDone) await clock.advance(1);
    await all;
    expect(fake.limit.rejected).to.equal(0);
    // Eleven gaps, of 200 ms at least.
    expect(clock.now() - startedAt).to.be.within(2200, 4000);
  });

  it("refuses all requests to a base for 30 seconds when it is exceeded", async () => {
    const headers = { authorization: "Bearer pat.secret" };
    const url = `${fake.url}/v0/${scope.baseId}/${scope.tableId}/${id}`;
    const ask = async () => (await fetch(url, { headers })).status;
    await clock.advance(1000);
    const statuses = await Promise.all(Array.from({ length: 8 }, ask));
    expect(statuses).to.include(404).and.include(429);
    await clock.advance(29_000);
    expect(await ask()).to.equal(429);
    await clock.advance(2000);
    expect(await ask()).to.equal(404);
  });
});

describe("a file of 6 MB for Airtable", () => {
  const bytes = Buffer.alloc(6_000_000, "x");
  const files = createServer((_request, response) => response.end(bytes));
  let fake: FakeAirtable;
  let cell: Cell;
  let host: ReturnType<typeof airtableHost>;

  before(async () => {
    files.listen(0, "127.0.0.1");
    await once(files, "listening");
    fake = await FakeAirtable.start();
    const token = fake.addToken("pat.secret");
    const base = fake.addBase("Sales");
    const table = fake.addTable(base, "Orders", {
      Documents: "multipleAttachments",
    });
    const scope = { baseId: base.id, tableId: table.id };
    const fieldId = table.field("Documents").id;
    cell = { scope, recordId: table.add(), fieldId };
    const { url } = fake;
    host = airtableHost({ token, endpointUrl: url, contentUrl: url });
    await host.write(cell, [createFile("small.txt")], "append");
  });
  after(async () => {
    await fake.close();
    files.close();
  });

  const write = (address?: string) => {
    const large: OutFile = {
      ...createFile("large.pdf"),
      sizeBytes: bytes.byteLength,
      bytes: () => Promise.resolve(bytes),
    };
    if (address === undefined) delete large.publicUrl;
    else large.publicUrl = () => Promise.resolve(address);
    return host.write(cell, [large], "append").catch(failed);
  };

  it("is rejected without a public URL", async () => {
    const rejected = await write();
    expect(rejected).to.include({ code: "too_large" });
    expect(rejected).property("message").to.contain("PLATEN_BASE_URL");
    expect(await host.read(cell)).to.have.length(1);
  });

  it("that Airtable cannot fetch fails, and the cell's other files stay", async () => {
    const rejected = await write("http://127.0.0.1:1/large.pdf");
    expect(rejected).to.include({ code: "unavailable" });
    expect(await host.read(cell)).to.have.length(1);
  });

  it("is fetched by Airtable and read back", async () => {
    const address = `http://127.0.0.1:${getPort(files)}/large.pdf`;
    expect(await write(address))
      .property("0")
      .to.include({ filename: "large.pdf", sizeBytes: 6_000_000 });
    const held = await host.read(cell);
    expect(held.map(({ filename }) => filename)).to.deep.equal([
      "small.txt",
      "large.pdf",
    ]);
  });
});
