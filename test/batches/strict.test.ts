import { expect } from "chai";
import { before, describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  retryBatch,
  sendBatch,
} from "../support/batches.js";
import { readError, type TestCaller } from "../support/caller.js";
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
      expect(retried.documents[0]?.error).to.contain("root.city");
    });

    it("reports how many problems a document has in its event, and also of one that succeeds", async () => {
      const items = [{ data: whole }, { data: { name: "Bob" } }];
      for (const strict of [true, false]) {
        const { batchId } = await sendBatch(caller, { ...body, strict, items });
        const { documents } = await batchWhen(caller, batchId);
        const events = await findEvents(service, batchId);
        const counts = documents.map(({ id }) => {
          const event = events.find(({ data }) => data.documentId === id);
          return [event?.type, event?.data.warningCount];
        });
        expect(counts).to.deep.equal([
          ["document.succeeded", 0],
          [strict ? "document.failed" : "document.succeeded", 2],
        ]);
        if (!strict) expect(documents[1]).to.include({ warningCount: 2 });
      }
    });

    it("is rejected for a value of strict, unknownFields or validate that does not exist", async () => {
      for (const [field, value] of [
        ["strict", "yes"],
        ["unknownFields", "ignore"],
        ["validate", 1],
      ] as const) {
        const items = [{ data: whole }];
        const request = { ...body, items, [field]: value };
        const response = await caller.post("/api/export/batch", request);
        expect(response.status).to.equal(400);
        expect(await readError(response)).to.contain(`$.${field}: must be`);
      }
    });
  });
});
