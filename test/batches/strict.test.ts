import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import {
  batchWhen,
  newBatchCaller,
  retryBatch,
  sendBatch,
} from "../support/batches.js";
import type { TestCaller } from "../support/caller.js";
import { useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";

const { batch } = parseConfig({ PLATEN_BATCH_RETRY_DELAYS: "1d,1d,1d" });
const definition = {
  schema: [{ id: "root", fields: [{ name: "name", type: "String" }] }],
  components: [
    { type: "text", text: "Hello {{ root.name }} of {{ root.city }}" },
    { type: "text", text: "{{ root.town }}" },
  ],
};
const whole = { name: "Ada", city: "London", town: "Hampstead" };

anyDatabase((_open, database) => {
  describe("a batch with strict", () => {
    const service = useService({ config: { batch, database } });
    let caller: TestCaller;
    let body: object;
    before(async () => {
      caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller, { definition });
      body = { templateId, formats: ["html"] };
    });

    it("fails a document with problems at once, lists them in its error, renders the others, and is strict again when it is retried", async () => {
      const { batchId } = await sendBatch(caller, {
        ...body,
        strict: true,
        items: [{ data: whole }, { data: { name: "Bob" } }],
      });
      const { documents, counts } = await batchWhen(caller, batchId);
      expect(counts).to.include({ succeeded: 1, failed: 1 });
      const [good, bad] = documents;
      expect(good).to.include({ status: "succeeded", warningCount: 0 });
      expect(bad?.status).to.equal("failed");
      expect(bad?.error).to.contain("strict is true");
      expect(bad?.error).to.contain("root.city").and.contain("root.town");
      expect(bad?.outputs).to.deep.equal([]);
      const next = await retryBatch(caller, batchId);
      const retried = await batchWhen(caller, next.batchId);
      expect(retried.documents[0]?.error).to.equal(bad?.error);
    });
  });
});
