import { expect } from "chai";
import { after, afterEach, before, describe, it } from "mocha";
import { freePort } from "../../../support/free-port.js";
import {
  addFile,
  addTestBase,
  type AirtableCaller,
  listFiles,
  newAirtableCaller,
  sendBase,
  type TestBase,
} from "../../../support/airtable-bases.js";
import { FakeAirtable } from "../../../support/fakes/fake-airtable.js";
import { waitForWriteBacks } from "../../../support/records.js";
import { useService } from "../../../support/service.js";

const baseUrl = "https://platen.example.com";
const port = await freePort();
const replaced = { overwriteExisting: true };

const listExpected = (name: string, { recordIds }: TestBase, more = "") =>
  recordIds.map((_, at) => [
    ...(more === "" ? [] : [more]),
    `${name} ${at}.html`,
  ]);

describe("a batch of Airtable records, with a public address", () => {
  const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
  const service = useService({ config: { outbound, baseUrl, port } });
  let fake: FakeAirtable;
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());
  const reach = (url: string) =>
    url.replace(baseUrl, `http://127.0.0.1:${port}`);
  afterEach(() => {
    fake.beforeUpload = () => undefined;
  });

  /** @returns how many requests it took. */
  async function write(
    caller: AirtableCaller,
    base: TestBase,
    more: { overwriteExisting?: boolean } = {},
  ): Promise<number> {
    const from = fake.log.length;
    const { batchId } = await sendBase(caller, base, more);
    const { writeBack } = await waitForWriteBacks(caller, batchId);
    const succeeded = base.recordIds.length;
    expect(writeBack).to.include({ succeeded, failed: 0 });
    const lines = fake.log.slice(from);
    return lines.filter((line) => !line.includes("meta")).length;
  }

  it("replaces their files with far fewer requests than records, and no cell is empty at any time", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Shop", 30);
    for (const id of base.recordIds) addFile(fake, base, id, "old.pdf");
    const atFetch: number[] = [];
    fake.files.toReachable = (url) => {
      const held = listFiles(base).map(
        (names) => names.filter((name) => name !== "").length,
      );
      atFetch.push(Math.min(...held));
      return reach(url);
    };
    expect(await write(caller, base, replaced)).to.be.below(30);
    expect(listFiles(base)).to.deep.equal(listExpected("Shop", base));
    expect(Math.min(...atFetch)).to.equal(1);
  });

  it("uploads the files if Airtable cannot fetch from the address, each once", async () => {
    fake.files.toReachable = () => "http://127.0.0.1:1/";
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Hidden", 12);
    for (const id of base.recordIds) addFile(fake, base, id, "old.pdf");
    await write(caller, base, replaced);
    expect(listFiles(base)).to.deep.equal(listExpected("Hidden", base));
  });

  it("keeps what a person adds to the cells just before each request that writes", async () => {
    fake.files.toReachable = reach;
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Added", 30);
    const added = new Set<string>();
    fake.beforeUpload = (_base, recordId) => {
      if (added.has(recordId)) return;
      added.add(recordId);
      addFile(fake, base, recordId, "scan.pdf");
    };
    await write(caller, base);
    expect(listFiles(base)).to.deep.equal(
      listExpected("Added", base, "scan.pdf"),
    );
  });
});
