import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { newBatchCaller, records, sendBatch } from "../support/batches.js";
import { readError } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

const { batch, maxBodyBytes } = parseConfig({
  PLATEN_MAX_BATCH_ITEMS: "5",
  PLATEN_MAX_BATCH_BODY_BYTES: "400000",
  PLATEN_MAX_BODY_BYTES: "100000",
});

describe("the limits of a batch", () => {
  const service = useService({
    role: "serve",
    config: { batch, maxBodyBytes },
  });

  it("reject one item too many with 413 and say how to raise the limit", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const body = { templateId, formats: ["html"], items: records(5) };
    await sendBatch(caller, body);
    const more = { ...body, items: records(6) };
    const response = await caller.post("/api/export/batch", more);
    expect(response.status).to.equal(413);
    expect(await readError(response)).to.contain("PLATEN_MAX_BATCH_ITEMS");
  });

  it("reject a body that is too large with 413 and say how to raise the limit", async () => {
    const caller = await newBatchCaller(service);
    const data = { text: "x".repeat(90_000) };
    const items = Array.from({ length: 5 }, () => ({ data }));
    const body = { templateId: "none", formats: ["html"], items };
    const response = await caller.post("/api/export/batch", body);
    expect(response.status).to.equal(413);
    expect(await readError(response)).to.contain("PLATEN_MAX_BATCH_BODY_BYTES");
  });

  for (const [description, change] of [
    ["an item", { items: [{}, { data: { text: "x".repeat(200_000) } }] }],
    ["a property beside the items", { templateId: "x".repeat(200_000) }],
  ] as const)
    it(`reject ${description} larger than a single request may be`, async () => {
      const caller = await newBatchCaller(service);
      const body = { formats: ["html"], items: [{}], ...change };
      const response = await caller.post("/api/export/batch", body);
      expect(response.status).to.equal(413);
      expect(await readError(response)).to.contain("PLATEN_MAX_BODY_BYTES");
    });
});
