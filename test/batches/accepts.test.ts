import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { describe, it } from "mocha";
import { acceptedBatchSchema } from "../../core/api/routes/batches.js";
import { newBatchCaller, records, sendBatch } from "../support/batches.js";
import { reader } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish, eachDatabase } from "../support/store.js";

eachDatabase((_open, database) => {
  describe("a batch that is accepted", () => {
    const service = useService({ config: { database }, role: "serve" });

    it("answers 202 with every document queued, and the fields that the specification lists", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller);
      const before = Date.now();
      const { batchId, documents } = await sendBatch(caller, {
        items: [
          { data: { name: "A" }, metadata: { order: 7, totalCount: "mine" } },
          { data: { name: "B" }, expiresAt: "2040-01-31" },
        ],
        expiresAt: "2039-05-01T10:00:00Z",
        formats: ["html"],
        templateId,
      });
      const [first, second] = documents;
      expect(batchId).to.match(/^batch_[0-9a-f-]{36}$/);
      expect(first?.id).to.match(/^doc_/);
      expect(first?.createdById).to.equal(caller.userId);
      expect(Date.parse(first?.createdAt ?? "")).to.be.at.least(before);
      expect(first?.metadata).to.deep.equal({
        order: 7,
        batchId,
        batchIndex: 0,
        totalCount: 2,
      });
      expect(first?.expiresAt).to.equal("2039-05-01T10:00:00.000Z");
      expect(second?.expiresAt).to.equal("2040-01-31T23:59:59.999Z");
    });

    it("accepts documents as an alias of items, and a compressed body", async () => {
      const caller = await newBatchCaller(service, "enterprise");
      const templateId = await publish(service.store, caller);
      const body = { documents: records(3), templateId, formats: ["html"] };
      const response = await fetch(`${service.url}/api/export/batch`, {
        method: "POST",
        headers: {
          "x-api-key": caller.key,
          "content-type": "application/json",
          "content-encoding": "gzip",
        },
        body: gzipSync(JSON.stringify(body)),
      });
      const batch = await reader(acceptedBatchSchema)(response, 202);
      expect(batch.totalCount).to.equal(3);
      expect(batch.documents).to.have.length(3);
    });

    it("may be larger than what databases accept as one statement", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller);
      const data = { name: "x".repeat(200_000) };
      const items = Array.from({ length: 100 }, () => ({ data }));
      const order = { templateId, formats: ["html"], items };
      expect((await sendBatch(caller, order)).totalCount).to.equal(100);
    });

    it("keeps thousands of records in their order", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller);
      const body = { templateId, formats: ["html"], items: records(3000) };
      const { documents } = await sendBatch(caller, body);
      const numbers = documents.map(({ metadata }) => metadata.number);
      expect(numbers).to.deep.equal(body.items.map((_, index) => index));
    });
  });
});
