import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { newBatchCaller, records, sendBatch } from "../support/batches.js";
import { errorOf } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store-templates.js";

const { batch } = parseConfig({
  PLATEN_MAX_BATCH_ITEMS: "5",
  PLATEN_MAX_BATCH_BODY_BYTES: "4096",
});

describe("the limits of a batch", () => {
  const service = useService({ role: "serve", config: { batch } });

  it("refuse one item too many with 413, and say how to raise them", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const body = { templateId, formats: ["html"], items: records(5) };
    await sendBatch(caller, body);
    const more = { ...body, items: records(6) };
    const response = await caller.post("/api/export/batch", more);
    expect(response.status).to.equal(413);
    expect(await errorOf(response)).to.contain("PLATEN_MAX_BATCH_ITEMS");
  });

  it("refuse a body too large with 413, and say how to raise them", async () => {
    const caller = await newBatchCaller(service);
    const items = [{ data: { text: "x".repeat(5000) } }];
    const body = { templateId: "none", formats: ["html"], items };
    const response = await caller.post("/api/export/batch", body);
    expect(response.status).to.equal(413);
    expect(await errorOf(response)).to.contain("PLATEN_MAX_BATCH_BODY_BYTES");
  });
});
