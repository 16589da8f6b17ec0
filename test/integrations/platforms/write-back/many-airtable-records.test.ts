import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { freePort } from "../../../support/free-port.js";
import {
  addTestBase,
  listFiles,
  newAirtableCaller,
  sendBase,
} from "../../../support/airtable-bases.js";
import { FakeAirtable } from "../../../support/fakes/fake-airtable.js";
import { waitForWriteBacks } from "../../../support/records.js";
import { useService } from "../../../support/service.js";

const count = 30;
const baseUrl = "https://platen.example.com";
const port = await freePort();

describe("a batch of Airtable records, with a public address", () => {
  const outbound = { allowPrivateNetworks: ["127.0.0.0/8"] };
  const service = useService({ config: { outbound, baseUrl, port } });
  let fake: FakeAirtable;
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());

  const countWrites = (from: number) =>
    fake.log.slice(from).filter((line) => !line.includes("meta")).length;

  it("is written with far fewer requests than records, each file once", async () => {
    fake.files.toReachable = (url) =>
      url.replace(baseUrl, `http://127.0.0.1:${port}`);
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Shop", count);
    const from = fake.log.length;
    const { batchId } = await sendBase(caller, base);
    const { writeBack } = await waitForWriteBacks(caller, batchId);
    expect(writeBack).to.include({ succeeded: count, failed: 0 });
    expect(listFiles(base).map(({ length }) => length)).to.deep.equal(
      base.recordIds.map(() => 1),
    );
    expect(countWrites(from)).to.be.below(count);
  });

  it("is uploaded if Airtable cannot fetch from the address, each file once", async () => {
    fake.files.toReachable = () => "http://127.0.0.1:1/";
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Hidden", 12);
    const { batchId } = await sendBase(caller, base);
    const { writeBack } = await waitForWriteBacks(caller, batchId);
    expect(writeBack).to.include({ succeeded: 12, failed: 0 });
    expect(listFiles(base).map(({ length }) => length)).to.deep.equal(
      base.recordIds.map(() => 1),
    );
  });
});
