import { expect } from "chai";
import { after, before, describe, it } from "mocha";
import { acceptedBatchSchema } from "../../../core/api/routes/batches.js";
import {
  addTestBase,
  type AirtableCaller,
  listFiles,
  newAirtableCaller,
  type TestBase,
} from "../../support/airtable-bases.js";
import { reader, readError } from "../../support/caller.js";
import { FakeAirtable } from "../../support/fakes/fake-airtable.js";
import { waitForWriteBacks } from "../../support/records.js";
import { useService } from "../../support/service.js";

const readAccepted = reader(acceptedBatchSchema);

function post(caller: AirtableCaller, base: TestBase, records: object) {
  const { templateId, connectionId } = caller;
  return caller.post("/api/export/batch/airtable", {
    templateId,
    connectionId,
    baseId: base.id,
    tableId: "Orders",
    formats: ["html"],
    attachmentField: "Documents",
    records,
  });
}

describe("a batch of a view in Airtable", () => {
  let fake: FakeAirtable;
  const service = useService({
    config: { outbound: { allowPrivateNetworks: ["127.0.0.0/8"] } },
  });
  before(async () => {
    fake = await FakeAirtable.start();
  });
  after(() => fake.close());

  it("takes all pages of the view, in its order, by the name of the view", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Large", 230);
    base.table.addView("By name", "", "Name");
    const { totalCount, documents } = await readAccepted(
      await post(caller, base, { viewId: "By name" }),
      202,
    );
    const { id } = base.table.field("Name");
    const names = documents.map(({ metadata }) =>
      base.table.record(String(metadata?.["recordId"])).cells.get(id),
    );
    expect(totalCount).to.equal(230);
    expect(names).to.deep.equal(
      names.toSorted((one, other) => String(one).localeCompare(String(other))),
    );
  });

  it("fills the empty fields and then finds none", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Empty", 3);
    const records = { emptyAttachment: true };
    const { batchId } = await readAccepted(
      await post(caller, base, records),
      202,
    );
    await waitForWriteBacks(caller, batchId);
    expect(listFiles(base)).to.deep.equal([
      ["Empty 0.html"],
      ["Empty 1.html"],
      ["Empty 2.html"],
    ]);
    expect((await post(caller, base, records)).status).to.equal(409);
  });

  it("takes the records that match a formula or conditions, and returns 400 for one that is wrong", async () => {
    const caller = await newAirtableCaller(service, fake);
    const base = addTestBase(fake, "Formula", 3);
    const send = (filter: unknown) => post(caller, base, { filter });
    for (const filter of ["{Name} = 'Formula 1'", { Name: "Formula 1" }]) {
      const { documents } = await readAccepted(await send(filter), 202);
      expect(
        documents.map(({ metadata }) => metadata?.["recordId"]),
      ).to.deep.equal([base.recordIds[1]]);
    }
    const wrong = await send("{Name");
    expect(wrong.status).to.equal(400);
    expect(await readError(wrong)).to.contain(
      "The formula for filtering records is invalid",
    );
    expect(await readError(await send({ Nam: "x" }))).to.contain(
      'Did you mean "Name"?',
    );
    expect(await readError(await send(" "))).to.contain("must be a formula");
  });
});
