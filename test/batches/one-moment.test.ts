import { expect } from "chai";
import { before, describe, it } from "mocha";
import {
  Batch,
  Document,
  type Store,
} from "../../core/storage/database/index.js";
import {
  fetchBatch,
  newBatchCaller,
  records,
  sendBatch,
} from "../support/batches.js";
import { useService } from "../support/service.js";
import { interrupted, eachDatabase, publish } from "../support/store.js";

eachDatabase((open, database) => {
  describe("a batch that changes while it is read", () => {
    const service = useService({ config: { database }, role: "serve" });
    let elsewhere: Store;
    before(async () => {
      elsewhere = await open();
    });

    /** As a worker that ends the batch's one document. */
    function end(batchId: string): Promise<void> {
      const completedAt = new Date();
      return elsewhere.unitOfWork.run(async (tx) => {
        const failed = { status: "failed", error: "No.", completedAt } as const;
        await tx.update(Document, { batchId }, failed);
        const completed = { status: "completed", remaining: 0 } as const;
        await tx.update(Batch, { id: batchId }, { ...completed, completedAt });
      });
    }

    it("is returned as one consistent snapshot", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller, {});
      const body = { templateId, formats: ["html"], items: records(1) };
      for (const tables of [["batch", "document"], ["document"]]) {
        const { batchId } = await sendBatch(caller, body);
        const { status, counts, documents } = await interrupted(
          service.store,
          tables,
          () => end(batchId),
          () => fetchBatch(caller, batchId),
        );
        expect(status).to.equal("queued");
        expect(counts).to.include({ queued: 1, failed: 0 });
        expect(documents[0]?.status).to.equal("queued");
      }
    });
  });
});
