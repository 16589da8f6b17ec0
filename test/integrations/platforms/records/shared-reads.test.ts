import { expect } from "chai";
import { describe, it } from "mocha";
import {
  addOrder,
  waitForWriteBacks,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
} from "../../../support/records.js";

describe("the fetch of a batch's records", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);

  it("takes fewer than 40 reads for 100 records with 20 linked rows each", async () => {
    const ids = Array.from({ length: 100 }, (_, at) => `order-${at}`);
    for (const id of ids) {
      addOrder(platform, id, 20);
      for (let at = 0; at < 20; at += 1)
        platform.row("tblLines", {
          id: `${id}-l${at}`,
          fields: { fldAmount: 1 },
          links: { fldProduct: [`order-0-l${at}-p`] },
        });
    }
    const caller = await newRecordCaller(service);
    const { batchId } = await sendRecords(caller, ids);
    const batch = await waitForWriteBacks(caller, batchId);
    expect(batch.counts.succeeded).to.equal(100);
    expect(platform.reads.length).to.be.below(40);
    const sizes = platform.reads.map((read) => read.ids.length);
    expect(Math.max(...sizes)).to.equal(100);
    const lines = platform.reads.filter(
      ({ tableId }) => tableId === "tblLines",
    );
    expect(new Set(lines.flatMap((read) => read.ids)).size).to.equal(2000);
    expect(lines).to.have.length(20);
  });
});
