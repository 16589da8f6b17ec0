import { expect } from "chai";
import { strFromU8, unzipSync } from "fflate";
import { describe, it } from "mocha";
import { batchWhen, newBatchCaller, sendBatch } from "../support/batches.js";
import { useService } from "../support/service.js";
import { definition, publish } from "../support/store.js";

describe("the archive of a batch", () => {
  const service = useService();

  it("contains every file under a unique name", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller, {
      definition: { ...definition, fileName: "Letter to {{ root.name }}" },
    });
    const items = ["Ada", "ADA", "../Bob"].map((name) => ({ data: { name } }));
    const body = { templateId, formats: ["html", "mjml"], items };
    const { batchId } = await sendBatch(caller, body);
    await batchWhen(caller, batchId);
    const response = await caller.get(`/api/batches/${batchId}/archive`);
    expect(response.headers.get("content-type")).to.equal("application/zip");
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    expect(Object.keys(files)).to.deep.equal([
      "Letter to Ada.html",
      "Letter to Ada.mjml",
      "Letter to ADA (2).html",
      "Letter to ADA (2).mjml",
      "Letter to ..-Bob.html",
      "Letter to ..-Bob.mjml",
    ]);
    const second = files["Letter to ADA (2).html"] ?? new Uint8Array();
    expect(strFromU8(second)).to.contain("Hello ADA");
  });

  it("is rejected with 409 while it would be empty", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const items = [{ data: { constructor: 1 } }];
    const body = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, body);
    await batchWhen(caller, batchId);
    const response = await caller.get(`/api/batches/${batchId}/archive`);
    expect(response.status).to.equal(409);
  });
});
