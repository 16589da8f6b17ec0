import { createHash } from "node:crypto";
import { expect } from "chai";
import { describe, it } from "mocha";
import { Usage } from "../../core/accounts/index.js";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  records,
  sendBatch,
} from "../support/batches.js";
import { useService } from "../support/service.js";
import { publish, anyDatabase } from "../support/store.js";

anyDatabase((_open, database) => {
  describe("a completed batch", () => {
    const service = useService({ config: { database } });

    it("has every document once, with its files, usage and events, and the batch's own event last", async () => {
      const caller = await newBatchCaller(service);
      const { organizationId } = caller;
      const templateId = await publish(service.store, caller);
      const items = records(6);
      const body = { templateId, formats: ["html", "pdf"], items };
      const { batchId } = await sendBatch(caller, body);
      const batch = await batchWhen(caller, batchId);
      expect(batch.counts).to.include({ succeeded: 6, queued: 0 });
      expect(batch.progress).to.equal(1);
      for (const [index, document] of batch.documents.entries()) {
        expect(document.metadata).to.include({ number: index, batchId });
        const labels = document.outputs.map(({ label }) => label);
        expect(labels).to.deep.equal(["html", "pdf"]);
        for (const { url, checksum } of document.outputs) {
          const file = await fetch(url);
          const bytes = Buffer.from(await file.arrayBuffer());
          const digest = createHash("sha256").update(bytes).digest("hex");
          expect(checksum).to.equal(`sha256:${digest}`);
          if (url.includes("/html/"))
            expect(bytes.toString()).to.contain(`Hello No. ${index}`);
        }
      }
      const month = new Date().toISOString().slice(0, 7);
      const used = await new Usage(service.store).getMonth(
        organizationId,
        month,
      );
      expect(used.documents).to.equal(6);
      const events = await findEvents(service, batchId);
      expect(events.map(({ type }) => type)).to.deep.equal([
        ...items.map(() => "document.succeeded"),
        "documents.completed",
      ]);
      expect(events.at(-1)?.data).to.deep.include({
        batchId,
        organizationId,
        totalDocuments: 6,
        succeededCount: 6,
        failedCount: 0,
        expiredCount: 0,
      });
      const ids = batch.documents.map(({ id }) => id);
      const reported = events.slice(0, -1).map(({ data }) => data.documentId);
      expect(reported).to.have.members(ids);
    });
  });
});
