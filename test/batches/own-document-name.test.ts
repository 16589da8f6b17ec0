import { expect } from "chai";
import { describe, it } from "mocha";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  sendBatch,
} from "../support/batches.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("the documentName in events", () => {
  const service = useService();

  it("is the caller's own if there is one, and otherwise the file's name", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const items = [{ metadata: { documentName: "Order 17" } }, {}];
    const body = { templateId, formats: ["html"], items };
    const { batchId, documents } = await sendBatch(caller, body);
    await batchWhen(caller, batchId);
    const events = await findEvents(service, batchId);
    const names = documents.map(
      ({ id }) =>
        events.find(({ data }) => data.documentId === id)?.data.metadata,
    );
    expect(names[0]).to.include({ documentName: "Order 17" });
    expect(names[1]).to.have.property("documentName").that.is.a("string");
  });
});
