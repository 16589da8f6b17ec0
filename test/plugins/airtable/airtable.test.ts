import { expect } from "chai";
import type { OutFile } from "../../../core/plugin-api/index.js";
import { airtablePlugin } from "../../../plugins/airtable/plugin.js";
import { contractSuite } from "../../../plugins/contract-suite/index.js";
import { createFile } from "../../../plugins/contract-suite/platform-session.js";
import { useManualClock } from "../../support/clock.js";
import { testContract } from "../../support/contract.js";
import { parseFormula } from "../../support/fakes/airtable-formula.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { useListener, useServer } from "../../support/fakes/fake-server.js";
import { useNock } from "../../support/use-nock.js";
import { airtableHost, airtableSubject } from "./airtable-setup.js";

describe("the plugin airtable", () =>
  testContract(contractSuite(airtableSubject)));

const failed = (error: unknown) => error;

describe("a reply of Airtable", () => {
  const using = useNock();
  const endpointUrl = "https://airtable.invalid";
  const scope = { baseId: "appAAAAAAAAAAAAAA", tableId: "Orders" };
  const ids = ["recAAAAAAAAAAAAAA", "recBBBBBBBBBBBBBB"];
  const host = airtableHost({ token: "pat.secret", endpointUrl });

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

const unit = (symbol: string) => ({ precision: 2, symbol });

describe("the description of a table of Airtable", () => {
  const fake = useServer(new FakeAirtable());

  it("names how money and percentages are shown, also those of formulas", async () => {
    const base = fake.addBase("Money");
    fake.addTable(base, "Prices", {
      Net: { type: "currency", options: unit("€") },
      Duty: { type: "currency", options: unit("kr") },
      Tax: { type: "percent", options: { precision: 0 } },
      Gross: {
        type: "formula",
        options: { result: { type: "currency", options: unit("£") } },
      },
    });
    const endpointUrl = fake.url;
    const token = fake.addToken("pat.secret");
    const host = airtableHost({ token, endpointUrl, contentUrl: endpointUrl });
    const [table] = await host.describe(base.id);
    expect(
      table?.fields.map(({ name, kind, format, currency }) =>
        [name, kind, format, currency].join(" ").trim(),
      ),
    ).to.deep.equal([
      "Net number currency EUR",
      "Duty number",
      "Tax number percent",
      "Gross computed currency GBP",
    ]);
  });
});

describe("the test of a connection to Airtable", () => {
  const fake = useServer(new FakeAirtable());

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
  const fake = useServer(new FakeAirtable());
  const base = fake.addBase("Sales");
  const table = fake.addTable(base, "Orders", { Name: "singleLineText" });
  const scope = { baseId: base.id, tableId: table.id };
  const id = "recZZZZZZZZZZZZZZ";

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
  const files = useListener((_request, response) => response.end(bytes));
  const fake = useServer(new FakeAirtable());
  const base = fake.addBase("Sales");
  const table = fake.addTable(base, "Orders", {
    Documents: "multipleAttachments",
  });
  const cell = {
    scope: { baseId: base.id, tableId: table.id },
    recordId: table.add(),
    fieldId: table.field("Documents").id,
  };
  let host: ReturnType<typeof airtableHost>;
  before(async () => {
    const { url } = fake;
    const token = fake.addToken("pat.secret");
    host = airtableHost({ token, endpointUrl: url, contentUrl: url });
    await host.write(cell, [createFile("small.txt")], "append");
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
    expect(await write(`${files.url}/large.pdf`))
      .property("0")
      .to.include({ filename: "large.pdf", sizeBytes: 6_000_000 });
    const held = await host.read(cell);
    expect(held.map(({ filename }) => filename)).to.deep.equal([
      "small.txt",
      "large.pdf",
    ]);
  });
});

describe("a query by a field of Airtable, whose formulas name fields by name", () => {
  const fake = useServer(new FakeAirtable());
  const base = fake.addBase("Sales");
  const table = fake.addTable(base, "Orders", {
    Name: "singleLineText",
    Total: "number",
    Files: "multipleAttachments",
  });
  const one = table.add({ Name: "One", Total: 1 });
  const two = table.add({ Name: "Two", Total: 2 });
  const scope = { baseId: base.id, tableId: "Orders" };
  let host: ReturnType<typeof airtableHost>;
  before(() => {
    const token = fake.addToken("pat.secret");
    host = airtableHost({ token, endpointUrl: fake.url });
  });

  /** Queries the table by a field that has another name now. */
  async function queryRenamed<T>(
    field: "Name" | "Total" | "Files",
    name: string,
    query: (fieldId: string) => Promise<T>,
  ): Promise<T> {
    const renamed = table.field(field);
    renamed.name = name;
    return query(renamed.id).finally(() => {
      renamed.name = field;
    });
  }

  for (const name of [
    "With {Curly Braces}",
    "{",
    "}",
    `Say "it's"`,
    "a\\b",
    "\\{",
    " a, b) ",
    "Größe 🙂",
  ])
    it(`finds rows after the field was renamed to ${JSON.stringify(name)}`, async () => {
      const found = [
        await queryRenamed("Name", name, (fieldId) =>
          host.findRows(scope, { limit: 5, text: "tWO", fieldId }),
        ),
        await queryRenamed("Total", name, (fieldId) =>
          host.listRows(scope, { filter: { [fieldId]: { max: 1 } } }),
        ),
        await queryRenamed("Files", name, (emptyFieldId) =>
          host.listRows(scope, { emptyFieldId }),
        ),
      ];
      expect(found).to.deep.equal([[two], [one], [one, two]]);
    });

  for (const name of ["{a} {b}", "}}", "a\\", "{a\\}"])
    it(`is refused for the name ${JSON.stringify(name)}, which no formula can contain`, async () => {
      const error = await queryRenamed("Total", name, (fieldId) =>
        host.listRows(scope, { filter: { [fieldId]: 1 } }),
      ).catch(failed);
      expect(error).to.include({ code: "invalid_field" });
      expect(error).property("message").to.contain("Rename it in Airtable");
    });

  it("is refused for a field that was deleted", async () => {
    for (const query of [
      host.findRows(scope, { limit: 5, text: "x", fieldId: "fldGone" }),
      host.listRows(scope, { emptyFieldId: "fldGone" }),
    ])
      expect(await query.catch(failed)).to.include({
        code: "invalid_field",
        message: "The table has no field fldGone, or no longer has it.",
      });
  });
});

describe("the formulas of the fake Airtable", () => {
  const fake = new FakeAirtable();
  const table = fake.addTable(fake.addBase("Sales"), "Orders", {
    Name: "singleLineText",
    "{a} b": "number",
    "{a} {b}": "number",
  });
  const recordId = table.add({ Name: "One" });
  const matches = (formula: string) =>
    parseFormula(table, formula)(table.record(recordId));

  it("refuse what Airtable refuses", () => {
    const invalid = "Invalid formula. Please check your formula text.";
    for (const [formula, reason] of [
      [`{${table.field("Name").id}} = 'One'`, "Unknown field names: fld"],
      ["{Names} = 'One'", "Unknown field names: names"],
      ["{{a} b} = 1", "Unknown field names: {a"],
      ["{{a\\} {b\\}} = 1", invalid],
      ['{Name} = "a "b""', invalid],
      ["{Name", invalid],
      ["AND(1 1)", invalid],
      ["UNKNOWN({Name})", invalid],
      ["{Name} = 'One')", invalid],
    ] as const)
      expect(() => matches(formula)).to.throw(reason);
  });

  it("match what Airtable matches", () => {
    expect(matches("{Name} = 'One'")).to.equal(true);
    expect(matches("{Name} = 'Two'")).to.equal(false);
    expect(matches(`"a \\"b\\"" = 'a "b"'`)).to.equal(true);
    expect(matches("AND({{a\\} b} = BLANK(), SEARCH('ne', {Name}))")).to.equal(
      true,
    );
  });
});

const {
  AIRTABLE_TOKEN: token,
  AIRTABLE_BASE: baseId,
  AIRTABLE_TABLE: tableId,
  AIRTABLE_RECORD: recordId,
  AIRTABLE_FIELD: fieldId,
} = process.env;

// Only with a token: adds a file to the record's field, and leaves it there alone.
if (token && baseId && tableId && recordId && fieldId)
  describe("Airtable itself", () => {
    const host = airtableHost({ token });
    const scope = { baseId, tableId };

    it("accepts the token and returns the record", async () => {
      const { account, warnings } = await host.check();
      expect(account).to.be.a("string");
      expect(warnings).to.deep.equal([]);
      const unknown = "recZZZZZZZZZZZZZZ";
      const found = await host.fetchRows(scope, [recordId, unknown]);
      expect(found.rows.map(({ id }) => id)).to.deep.equal([recordId]);
      expect(found.missing).to.deep.equal([unknown]);
    });

    it("stores files and replaces them", async () => {
      const cell = { scope, recordId, fieldId };
      await host.write(cell, [createFile("first.txt")], "append");
      await host.write(cell, [createFile("second.txt")], "replace");
      const held = await host.read(cell);
      expect(held.map(({ filename }) => filename)).to.deep.equal([
        "second.txt",
      ]);
    });
  });
