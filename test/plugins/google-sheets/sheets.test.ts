import { expect } from "chai";
import { operator } from "../../../core/accounts/index.js";
import type { OutFile } from "../../../core/plugin-api/index.js";
import { contractSuite } from "../../../plugins/contract-suite/index.js";
import { createFile } from "../../../plugins/contract-suite/platform-session.js";
import { createGoogleSheetsPlugin } from "../../../plugins/google-sheets/plugin.js";
import { ConnectionService } from "../../../core/integrations/connections/index.js";
import { newBatchCaller } from "../../support/batches.js";
import { testContract } from "../../support/contract.js";
import { FakeGoogle } from "../../support/fakes/fake-google.js";
import { useServer } from "../../support/fakes/fake-server.js";
import {
  waitForWriteBacks,
  downloadHtml,
  sendRecords,
  sumDefinition,
} from "../../support/records.js";
import { listCells } from "../../support/rows.js";
import { useService } from "../../support/service.js";
import { getRefusal } from "../../support/store.js";
import { googleSubject, googleHost } from "./google-setup.js";

describe("the plugin google-sheets", () =>
  testContract(contractSuite(googleSubject)));

const user = "anna@example.com";

/** The credentials of a user's consent. */
const createCredentials = (
  { accounts, url }: FakeGoogle,
  scopes?: string[],
) => ({
  clientId: "client",
  clientSecret: "very-secret",
  refreshToken: accounts.addUser(user, scopes),
  endpointUrl: url,
});

describe("the spreadsheets of a user", () => {
  const fake = useServer(new FakeGoogle());

  it("are listed beyond one page, without those of other users", async () => {
    for (let at = 0; at < 130; at += 1)
      fake.addSpreadsheet(`Sheet ${at}`, [user], {});
    fake.addSpreadsheet("Foreign", ["bo@example.com"], {});
    const host = googleHost(createCredentials(fake));
    const plugin = createGoogleSheetsPlugin(3000);
    const bases = await host.call(async (context) =>
      plugin.listBases?.(context),
    );
    expect(bases).to.have.length(130);
    expect(bases?.[129]?.name).to.equal("Sheet 129");
  });
});

describe("the test of a connection with a refresh token", () => {
  const fake = useServer(new FakeGoogle());
  fake.addSpreadsheet("Sales", [user], {});

  const check = (...scopes: string[]) =>
    googleHost(createCredentials(fake, scopes)).check();

  it("names what the token may not do, and the scope that it lacks", async () => {
    const { account, warnings = [] } = await check(
      "spreadsheets.readonly",
      "drive.readonly",
    );
    expect(account).to.equal(user);
    expect(warnings).to.have.lengthOf(2);
    expect(warnings[0])
      .to.contain("cells")
      .and.contain("https://www.googleapis.com/auth/spreadsheets.");
    expect(warnings[1])
      .to.contain("Drive")
      .and.contain("https://www.googleapis.com/auth/drive.")
      .and.contain("Continue with Google");
  });

  it("finds nothing missing where one scope includes another", async () => {
    expect((await check("drive")).warnings).to.deep.equal([]);
  });

  it("names the missing scope when nothing can be read without it", async () => {
    expect(await getRefusal(check("spreadsheets"))).to.equal(
      "forbidden Access to Google Drive is denied: the refresh token lacks the scope https://www.googleapis.com/auth/drive. In the studio, edit the connection, choose Continue with Google and tick every box; or save a refresh token that was made with every scope.",
    );
  });
});

const day = (value: number) => ({ value, format: "DATE" });

const time = (value: number) => ({ value, format: "DATE_TIME" });

const money = (pattern: string) => ({
  value: 9.5,
  format: "CURRENCY",
  pattern,
});

describe("rows of a spreadsheet", () => {
  const fake = useServer(new FakeGoogle(1000));
  const sales = fake.addSpreadsheet("Sales", [user], {
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
  let host: ReturnType<typeof googleHost>;
  before(() => {
    const link = { sheet: "Lines", column: "Invoice", to: "Invoices" };
    const links = [{ ...link, many: false, inverse: "Lines" }];
    host = googleHost({ ...createCredentials(fake), links });
  });

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
    expect(kinds).to.deep.equal(
      listCells(`
      ID text read | Date date read | Sent date read | Total number read | Paid boolean read | PDF attachment writable
      Total (H) text read | Lines link read
    `),
    );
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
    expect(await getRefusal(host.describe(twice.id))).to.equal(
      'bad_config In the sheet "Invoices", the rows 2 and 4 have the same key "a" in the column "ID". Give each row its own key.',
    );
  });

  it("cause an error that names a renamed column", async () => {
    expect(
      await getRefusal(host.fetchRows(invoices(), ["2026001"], ["Amount"])),
    ).to.equal(
      'invalid_field The sheet "Invoices" has no column "Amount". It may have been renamed.',
    );
  });
});

const serviceAccountEmail = "robot@project.iam.gserviceaccount.com";

describe("files written by a service account", () => {
  const fake = useServer(new FakeGoogle(1000));
  const sales = fake.addSpreadsheet("Sales", [serviceAccountEmail], {
    Orders: [
      ["ID", "PDF"],
      ["1", "=a note\nhttps://example.com/old.pdf"],
    ],
  });
  const scope = { baseId: sales.id, tableId: "Orders" };
  const cell = { scope, recordId: "1", fieldId: "PDF" };
  let serviceAccount: string;
  before(() => {
    serviceAccount = fake.accounts.addServiceAccount("robot");
  });

  /** Writes into a folder of a Shared Drive, unless there is to be none. */
  const host = (folderId: string | null = fake.drive.addSharedFolder()) =>
    googleHost({
      serviceAccount,
      endpointUrl: fake.url,
      ...(folderId !== null && { folderId }),
    });
  const text = () => sales.sheets[0]?.values(2, 2)[0]?.[1];

  it("require a folder in a Shared Drive, as the connection test reports", async () => {
    const { account, warnings = [] } = await host(null).check();
    expect(account).to.equal(serviceAccountEmail);
    expect(warnings.join()).to.contain("Shared Drive");
    expect(
      await getRefusal(host(null).write(cell, [createFile("a.pdf")], "append")),
    ).to.equal(
      "bad_config There is no storage for files. A service account has none of its own: set folderId to a folder in a Shared Drive, or use the consent of a user.",
    );
  });

  it("are a user's for whom the account may act, once the Admin console allows it", async () => {
    const subject = "anna@example.com";
    const acting = () =>
      googleHost({ serviceAccount, subject, endpointUrl: fake.url }).check();
    expect(await getRefusal(acting())).to.equal(
      "auth The service account may not act for the user. In the Google Admin console, open Security, API controls, Domain-wide delegation, and give its client ID the scopes https://www.googleapis.com/auth/spreadsheets and https://www.googleapis.com/auth/drive. Google says: unauthorized_client Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.",
    );
    fake.accounts.delegates.add(subject);
    expect((await acting()).account).to.equal(subject);
  });

  it("are added as links below the cell's content, never as a formula", async () => {
    expect((await host().check()).warnings).to.deep.equal([]);
    const [added] = await host().write(
      cell,
      [createFile("Rechnung 1.pdf")],
      "append",
    );
    expect(text()).to.equal(
      `=a note\nhttps://example.com/old.pdf\n${added?.url}`,
    );
    const cells = sales.sheets[0]?.rows[1];
    expect(cells?.[1]).to.be.a("string");
  });

  it("larger than 5 MB are uploaded completely", async () => {
    const bytes = Buffer.alloc(6_000_000, "x");
    const file: OutFile = {
      ...createFile("large.pdf"),
      sizeBytes: bytes.byteLength,
      bytes: () => Promise.resolve(bytes),
    };
    const [added] = await host().write(cell, [file], "replace");
    const held = fake.drive.files.get(added?.remoteId ?? "");
    expect(held?.bytes.byteLength).to.equal(6_000_000);
    expect(text()).to.equal(added?.url);
  });

  it("are deleted again when the row no longer exists", async () => {
    const held = fake.drive.files.size;
    const gone = { ...cell, recordId: "2" };
    expect(
      await getRefusal(host().write(gone, [createFile("a.pdf")], "append")),
    ).to.equal('not_found The sheet "Orders" has no row with the key "2".');
    expect(fake.drive.files.size).to.equal(held);
  });

  it("are deleted again when the write of the cell fails", async () => {
    const held = fake.drive.files.size;
    fake.cellFailure = "before";
    const files = [createFile("a.pdf"), createFile("b.pdf")];
    const refused = await getRefusal(host().write(cell, files, "append"));
    fake.cellFailure = null;
    expect(refused).to.equal(
      "unavailable Google refused a request for the cell 'Orders'!B2. Google says: The service is currently unavailable.",
    );
    expect(fake.drive.files.size).to.equal(held);
  });

  it("are kept when the cell was written although the write failed", async () => {
    fake.cellFailure = "after";
    const files = [createFile("kept.pdf")];
    const [added] = await host().write(cell, files, "replace");
    fake.cellFailure = null;
    expect(text()).to.equal(added?.url);
    expect(fake.drive.files.has(added?.remoteId ?? "")).to.equal(true);
  });

  it("cannot be linked in spreadsheets that are shared for viewing, as the connection test reports", async () => {
    const users = [serviceAccountEmail];
    const archive = fake.addSpreadsheet("Archive", users, {});
    archive.isViewOnly = true;
    sales.isViewOnly = true;
    const { warnings = [] } = await host().check();
    const rejected: unknown = await host()
      .write(cell, [createFile("a.pdf")], "append")
      .catch((error: unknown) => error);
    sales.isViewOnly = false;
    fake.spreadsheets.pop();
    expect(warnings.join()).to.contain('"Sales", "Archive"');
    expect(warnings.join()).to.contain(`Share`).and.contain("Editor");
    expect(rejected).to.include({ code: "forbidden" });
  });

  it("are written to the row with the key, even after it moved", async () => {
    sales.sheets[0]?.rows.splice(1, 0, ["0", "above"]);
    const files = [createFile("b.pdf")];
    const [added] = await host().write(cell, files, "replace");
    expect(sales.sheets[0]?.values(2, 3)).to.deep.equal([
      ["0", "above"],
      ["1", added?.url],
    ]);
  });
});

describe("rows of Google Sheets", () => {
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  const fake = useServer(new FakeGoogle());

  it("become documents in Drive, with links in their cells", async () => {
    const { id: baseId, sheets } = fake.addSpreadsheet("Sales", [user], {
      Invoices: [
        ["ID", "Customer", "PDF"],
        [1, "Ada"],
        [2, "Bo"],
      ],
      Lines: [
        ["ID", "Invoice", "Price"],
        ["a", 1, 2],
        ["b", 2, 3],
        ["c", 1, 5],
      ],
    });
    const caller = await newBatchCaller(service);
    const link = { sheet: "Lines", column: "Invoice", to: "Invoices" };
    const { id: connectionId } = await service.container
      .resolve(ConnectionService)
      .create(
        caller,
        {
          platform: "google-sheets",
          name: "Sales",
          credentials: {
            ...createCredentials(fake),
            links: [{ ...link, inverse: "Lines" }],
          },
        },
        operator,
      );
    const definition = sumDefinition("Customer", "Price");
    const templateId = await caller.publish({ definition });
    const { batchId } = await sendRecords(
      { ...caller, templateId, connectionId },
      ["1", "2"],
      { baseId, tableId: "Invoices", attachmentField: "PDF" },
      "google-sheets",
    );
    const batch = await waitForWriteBacks(caller, batchId);
    expect(batch.writeBack).to.include({ succeeded: 2, failed: 0 });
    const texts = (await downloadHtml(batch)).join();
    expect(texts).to.contain("Ada: 7").and.to.contain("Bo: 3");
    const cells = sheets[0]?.values(2, 3).map((row) => String(row[2]));
    const names = cells?.map((url) => new URL(url).hash);
    expect(names).to.deep.equal(["#Ada.html", "#Bo.html"]);
    expect(fake.drive.files.size).to.equal(2);
  });
});

const {
  GOOGLE_SERVICE_ACCOUNT: serviceAccount,
  GOOGLE_FOLDER: folderId,
  GOOGLE_SPREADSHEET: baseId,
  GOOGLE_SHEET: tableId,
  GOOGLE_KEY: recordId,
} = process.env;

// Only with a key: adds a file to the column PDF of the row, and leaves it there alone.
if (serviceAccount && folderId && baseId && tableId && recordId)
  describe("Google Sheets itself", () => {
    const host = googleHost({ serviceAccount, folderId });
    const scope = { baseId, tableId };

    it("accepts the key and returns the row", async () => {
      expect((await host.check()).warnings).to.deep.equal([]);
      const found = await host.fetchRows(scope, [recordId, "no such key"]);
      expect(found.rows.map(({ id }) => id)).to.deep.equal([recordId]);
      expect(found.missing).to.deep.equal(["no such key"]);
    });

    it("stores files and replaces them", async () => {
      const cell = { scope, recordId, fieldId: "PDF" };
      await host.write(cell, [createFile("first.txt")], "append");
      await host.write(cell, [createFile("second.txt")], "replace");
      const held = await host.read(cell);
      expect(held.map(({ filename }) => filename)).to.deep.equal([
        "second.txt",
      ]);
    });
  });
