import { expect } from "chai";
import { describe, it } from "mocha";
import { batchWhen, newBatchCaller, sendBatch } from "../../support/batches.js";
import { readError } from "../../support/caller.js";
import { pdfFacts } from "../../support/read-pdf.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";

describe("the PDFs of a batch", () => {
  const service = useService();
  const items = [{ data: { name: "Ada" } }, { data: { name: "Bob" } }];

  it("are edited as the batch requests", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const renderOptions = { pdf: { outline: true, author: "Acme" } };
    const body = { templateId, formats: ["pdf"], items, renderOptions };
    const { batchId } = await sendBatch(caller, body);
    const { documents } = await batchWhen(caller, batchId);
    for (const { outputs } of documents) {
      const response = await fetch(outputs[0]?.url ?? "");
      const bytes = Buffer.from(await response.arrayBuffer());
      const { info, isTagged } = await pdfFacts(bytes);
      expect(info).to.include({ Author: "Acme" });
      expect(isTagged).to.equal(true);
    }
  });

  it("cannot have a password, since a batch stores its request", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const renderOptions = { pdf: { password: { user: "hidden-1" } } };
    const body = { templateId, formats: ["pdf"], items, renderOptions };
    const response = await caller.post("/api/export/batch", body);
    expect(response.status).to.equal(400);
    const error = await readError(response);
    expect(error).to.contain("$.renderOptions.pdf.password");
    expect(error).not.to.contain("hidden-1");
    const batches: unknown = await service.store.read.query(
      "SELECT * FROM batch",
    );
    expect(JSON.stringify(batches)).not.to.contain("hidden-1");
  });
});
