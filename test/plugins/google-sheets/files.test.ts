import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import type { OutFile } from "../../../core/plugin-api/index.js";
import {
  createFile,
  type Cell,
} from "../../../plugins/contract-suite/platform-session.js";
import {
  FakeGoogle,
  type FakeSpreadsheet,
} from "../../support/fakes/fake-google.js";
import { googleHost } from "./google-setup.js";

const serviceAccountEmail = "robot@project.iam.gserviceaccount.com";

describe("files written by a service account", () => {
  let fake: FakeGoogle;
  let sales: FakeSpreadsheet;
  let cell: Cell;
  let serviceAccount: string;

  before(async () => {
    fake = await FakeGoogle.start(1000);
    serviceAccount = fake.accounts.addServiceAccount("robot");
    sales = fake.addSpreadsheet("Sales", [serviceAccountEmail], {
      Orders: [
        ["ID", "PDF"],
        ["1", "=a note\nhttps://example.com/old.pdf"],
      ],
    });
    const scope = { baseId: sales.id, tableId: "Orders" };
    cell = { scope, recordId: "1", fieldId: "PDF" };
  });
  after(() => fake.close());

  const host = (folderId?: string) =>
    googleHost({
      serviceAccount,
      endpointUrl: fake.url,
      ...(folderId !== undefined && { folderId }),
    });
  const text = () => sales.sheets[0]?.values(2, 2)[0]?.[1];

  it("require a folder in a Shared Drive, as the connection test reports", async () => {
    const { account, warnings = [] } = await host().check();
    expect(account).to.equal(serviceAccountEmail);
    expect(warnings.join()).to.contain("Shared Drive");
    const rejected: unknown = await host()
      .write(cell, [createFile("a.pdf")], "append")
      .catch((error: unknown) => error);
    expect(rejected).to.include({ code: "bad_config" });
    expect(rejected).property("message").to.contain("folderId");
  });

  it("are a user's for whom the account may act, once the Admin console allows it", async () => {
    const subject = "anna@example.com";
    const acting = () =>
      googleHost({ serviceAccount, subject, endpointUrl: fake.url }).check();
    const rejected: unknown = await acting().catch((error: unknown) => error);
    expect(rejected).to.include({ code: "auth" });
    expect(rejected)
      .property("message")
      .to.contain("Domain-wide delegation")
      .and.contain("https://www.googleapis.com/auth/drive");
    fake.accounts.delegates.add(subject);
    expect((await acting()).account).to.equal(subject);
  });

  it("are added as links below the cell's content, never as a formula", async () => {
    const folder = fake.drive.addSharedFolder();
    expect((await host(folder).check()).warnings).to.deep.equal([]);
    const [added] = await host(folder).write(
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
    const folder = fake.drive.addSharedFolder();
    const bytes = Buffer.alloc(6_000_000, "x");
    const file: OutFile = {
      ...createFile("large.pdf"),
      sizeBytes: bytes.byteLength,
      bytes: () => Promise.resolve(bytes),
    };
    const [added] = await host(folder).write(cell, [file], "replace");
    const held = fake.drive.files.get(added?.remoteId ?? "");
    expect(held?.bytes.byteLength).to.equal(6_000_000);
    expect(text()).to.equal(added?.url);
  });

  it("are deleted again when the row no longer exists", async () => {
    const folder = fake.drive.addSharedFolder();
    const held = fake.drive.files.size;
    const gone = { ...cell, recordId: "2" };
    const rejected: unknown = await host(folder)
      .write(gone, [createFile("a.pdf")], "append")
      .catch((error: unknown) => error);
    expect(rejected).to.include({ code: "not_found" });
    expect(fake.drive.files.size).to.equal(held);
  });

  it("are deleted again when the write of the cell fails", async () => {
    const folder = fake.drive.addSharedFolder();
    const held = fake.drive.files.size;
    fake.cellFailure = "before";
    const refused: unknown = await host(folder)
      .write(cell, [createFile("a.pdf"), createFile("b.pdf")], "append")
      .catch((error: unknown) => error);
    fake.cellFailure = null;
    expect(refused).to.include({ code: "unavailable" });
    expect(fake.drive.files.size).to.equal(held);
  });

  it("are kept when the cell was written although the write failed", async () => {
    const folder = fake.drive.addSharedFolder();
    fake.cellFailure = "after";
    const [added] = await host(folder).write(
      cell,
      [createFile("kept.pdf")],
      "replace",
    );
    fake.cellFailure = null;
    expect(text()).to.equal(added?.url);
    expect(fake.drive.files.has(added?.remoteId ?? "")).to.equal(true);
  });

  it("cannot be linked in spreadsheets that are shared for viewing, as the connection test reports", async () => {
    const folder = fake.drive.addSharedFolder();
    const users = [serviceAccountEmail];
    const archive = fake.addSpreadsheet("Archive", users, {});
    archive.isViewOnly = true;
    sales.isViewOnly = true;
    const { warnings = [] } = await host(folder).check();
    const rejected: unknown = await host(folder)
      .write(cell, [createFile("a.pdf")], "append")
      .catch((error: unknown) => error);
    sales.isViewOnly = false;
    fake.spreadsheets.pop();
    expect(warnings.join()).to.contain('"Sales", "Archive"');
    expect(warnings.join()).to.contain(`Share`).and.contain("Editor");
    expect(rejected).to.include({ code: "forbidden" });
  });

  it("are written to the row with the key, even after it moved", async () => {
    const folder = fake.drive.addSharedFolder();
    sales.sheets[0]?.rows.splice(1, 0, ["0", "above"]);
    const [added] = await host(folder).write(
      cell,
      [createFile("b.pdf")],
      "replace",
    );
    expect(sales.sheets[0]?.values(2, 3)).to.deep.equal([
      ["0", "above"],
      ["1", added?.url],
    ]);
  });
});
