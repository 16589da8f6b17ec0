import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import {
  FakeGoogle,
  type FakeSpreadsheet,
} from "../../support/fakes/fake-google.js";
import { googleHost } from "./google-setup.js";

const day = (value: number) => ({ value, format: "DATE" });
const time = (value: number) => ({ value, format: "DATE_TIME" });
const money = (pattern: string) => ({
  value: 9.5,
  format: "CURRENCY",
  pattern,
});
const user = "anna@example.com";

describe("rows of a spreadsheet", () => {
  let fake: FakeGoogle;
  let sales: FakeSpreadsheet;
  let host: ReturnType<typeof googleHost>;

  before(async () => {
    fake = await FakeGoogle.start(1000);
    sales = fake.addSpreadsheet("Sales", [user], {
      Invoices: [
        ["ID", "Date", "Sent", "Total", "Paid", "PDF", "", "Total"],
        [
          2026001,
          day(46_347),
          time(46_347.5),
          { value: 12.5, format: "CURRENCY", formula: "=SUM(A1:A2)" },
          true,
          "https://drive.google.com/file/d/abc/view#a%20b.pdf",
          "unnamed",
          "second",
        ],
        ["2026-2", day(46_200)],
        ["2026-3", null, time(46_200.25)],
        ["", null, "a total, and no record"],
      ],
      Lines: [
        ["ID", "Invoice", "What"],
        [1, 2026001, "Apples"],
        [2, "2026-2", "Pears"],
        [3, 2026001, "Plums"],
      ],
      "Anna's notes": [["Anything"], ["at all"]],
    });
    host = googleHost({
      clientId: "client",
      clientSecret: "very-secret",
      refreshToken: fake.accounts.addUser(user),
      endpointUrl: fake.url,
      links: [
        {
          sheet: "Lines",
          column: "Invoice",
          to: "Invoices",
          many: false,
          inverse: "Lines",
        },
      ],
    });
  });
  after(() => fake.close());

  const invoices = () => ({ baseId: sales.id, tableId: "Invoices" });

  it("contain dates in the spreadsheet's time zone and other values unchanged", async () => {
    const { rows } = await host.fetchRows(invoices(), ["2026001"]);
    expect(rows[0]?.fields).to.deep.equal({
      ID: 2026001,
      Date: "2026-11-21",
      Sent: "2026-11-21T12:00:00.000+01:00",
      Total: 12.5,
      Paid: true,
      PDF: [
        {
          remoteId: "abc",
          filename: "a b.pdf",
          url: "https://drive.google.com/file/d/abc/view#a%20b.pdf",
        },
      ],
      "Total (H)": "second",
    });
  });

  it("contain times with an offset when the spreadsheet's time zone is an offset", async () => {
    const custom = fake.addSpreadsheet("Custom zone", [user], {
      Invoices: [
        ["ID", "Sent"],
        ["a", time(46_347.5)],
      ],
      Lines: [["ID", "Invoice"]],
    });
    custom.timeZone = "GMT-07:00";
    const scope = { baseId: custom.id, tableId: "Invoices" };
    const { rows } = await host.fetchRows(scope, ["a"]);
    expect(rows[0]?.fields).to.include({
      Sent: "2026-11-21T12:00:00.000-07:00",
    });
  });

  it("are linked in both directions", async () => {
    const { rows } = await host.fetchRows(invoices(), ["2026001", "2026-2"]);
    expect(rows.map(({ links }) => links["Lines"])).to.deep.equal([
      ["1", "3"],
      ["2"],
    ]);
    const lines = await host.fetchRows({ ...invoices(), tableId: "Lines" }, [
      "3",
    ]);
    expect(lines.rows[0]?.links).to.deep.equal({ Invoice: ["2026001"] });
  });

  it("are read in two requests, however many there are", async () => {
    const earlier = host.requestCount;
    await host.fetchRows(invoices(), ["2026001", "2026-2", "none"]);
    expect(host.requestCount - earlier).to.equal(2);
  });

  it("are described by the sheets that have keys", async () => {
    const tables = await host.describe(sales.id);
    expect(tables.map(({ id }) => id)).to.deep.equal(["Invoices", "Lines"]);
    const kinds = tables[0]?.fields.map(({ id, kind, writable }) =>
      [id, kind, writable ? "writable" : "read"].join(" "),
    );
    expect(kinds).to.deep.equal([
      "ID text read",
      "Date date read",
      "Sent date read",
      "Total number read",
      "Paid boolean read",
      "PDF attachment writable",
      "Total (H) text read",
      "Lines link read",
    ]);
  });

  it("show the formats of their numbers", async () => {
    const { id } = fake.addSpreadsheet("Formats", [user], {
      Invoices: [
        ["ID", "A", "B", "C", "D", "E", "Mixed", "Share"],
        [
          "a",
          money('"$"#,##0.00'),
          money("[$€-407]#,##0.00"),
          money("#,##0.00\\ [$CHF]"),
          money('#,##0.00\\ "kr"'),
          money("$#,##0"),
          money("[$€]#,##0.00"),
          { value: 0.19, format: "PERCENT", pattern: "0.00%" },
        ],
        ["b", null, null, null, null, null, money("[$£]#,##0.00")],
      ],
      Lines: [["ID", "Invoice"]],
    });
    const [table] = await host.describe(id);
    expect(
      table?.fields.flatMap(({ name, kind, format, currency }) =>
        kind === "number" ? [[name, format, currency]] : [],
      ),
    ).to.deep.equal([
      ["A", "currency", "USD"],
      ["B", "currency", "EUR"],
      ["C", "currency", "CHF"],
      ["D", undefined, undefined],
      ["E", "currency", "USD"],
      ["Mixed", undefined, undefined],
      ["Share", "percent", undefined],
    ]);
  });

  it("require a key each", async () => {
    const twice = fake.addSpreadsheet("Twice", [user], {
      Invoices: [["ID"], ["a"], ["b"], ["a"]],
    });
    const rejected: unknown = await host
      .describe(twice.id)
      .catch((error: unknown) => error);
    expect(rejected).to.include({ code: "bad_config" });
    expect(rejected).property("message").to.contain("rows 2 and 4");
  });

  it("cause an error that names a renamed column", async () => {
    const rejected: unknown = await host
      .fetchRows(invoices(), ["2026001"], ["Amount"])
      .catch((error: unknown) => error);
    expect(rejected).to.include({ code: "invalid_field" });
    expect(rejected).property("message").to.contain('no column "Amount"');
  });
});
