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

describe("a file that exceeds the platform's maximum size", () => {
  const platform = ordersPlatform();
  const capabilities = { maxFileBytes: 10 };
  const service = useRecordService(platform, { capabilities });

  it("is not sent and can still be downloaded", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "A");
    const more = { attachmentField: "Invoice" };
    const { batchId } = await sendRecords(caller, ["A"], more);
    const { writeBack, documents } = await waitForWriteBacks(caller, batchId);
    expect(writeBack).to.include({ failed: 1 });
    expect(documents[0]?.metadata)
      .to.have.nested.property("platen.writeBack.error")
      .that.contains("the maximum is 10");
    expect(platform.writes).to.deep.equal([]);
    const file = await fetch(documents[0]?.outputs[0]?.url ?? "");
    expect(file.status).to.equal(200);
  });
});
