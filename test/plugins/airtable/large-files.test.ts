import { expect } from "chai";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, it } from "mocha";
import type { OutFile } from "../../../core/plugin-api/index.js";
import { getPort } from "../../support/free-port.js";
import type { Cell } from "../../../plugins/contract-suite/platform-session.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { airtableHost } from "./airtable-setup.js";

const bytes = Buffer.alloc(6_000_000, "x");

describe("a file of 6 MB for Airtable", () => {
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
    await host.write(cell, [small()], "append");
  });
  after(async () => {
    await fake.close();
    files.close();
  });

  it("is rejected without a public URL", async () => {
    const rejected = await host
      .write(cell, [large()], "append")
      .catch((error: unknown) => error);
    expect(rejected).to.include({ code: "too_large" });
    expect(rejected).property("message").to.contain("PLATEN_BASE_URL");
    expect(await host.read(cell)).to.have.length(1);
  });

  it("that Airtable cannot fetch fails, and the cell's other files stay", async () => {
    const rejected = await host
      .write(cell, [large("http://127.0.0.1:1/large.pdf")], "append")
      .catch((error: unknown) => error);
    expect(rejected).to.include({ code: "unavailable" });
    expect(await host.read(cell)).to.have.length(1);
  });

  it("is fetched by Airtable and read back", async () => {
    const address = `http://127.0.0.1:${getPort(files)}/large.pdf`;
    const [added] = await host.write(cell, [large(address)], "append");
    expect(added).to.include({ filename: "large.pdf", sizeBytes: 6_000_000 });
    const held = await host.read(cell);
    expect(held.map(({ filename }) => filename)).to.deep.equal([
      "small.pdf",
      "large.pdf",
    ]);
  });
});

function small(): OutFile {
  return createFile("small.pdf", Buffer.from("small"));
}

function large(address?: string): OutFile {
  const file = createFile("large.pdf", bytes);
  if (address === undefined) return file;
  return { ...file, publicUrl: () => Promise.resolve(address) };
}

function createFile(filename: string, content: Uint8Array): OutFile {
  return {
    key: filename,
    filename,
    contentType: "application/pdf",
    sizeBytes: content.byteLength,
    bytes: () => Promise.resolve(content),
  };
}
