import { expect } from "chai";
import { describe, it } from "mocha";
import { batchSweeps } from "../../core/batches/index.js";
import {
  Batch,
  Document,
  DocumentRecord,
  Job,
} from "../../core/storage/database/index.js";
import { EVENTS, QUEUE } from "../../core/app/tokens.js";
import {
  fetchBatch,
  batchWhen,
  newBatchCaller,
  records,
  sendBatch,
} from "../support/batches.js";
import { useService } from "../support/service.js";
import { publish, eachDatabase } from "../support/store.js";

const hourMs = 60 * 60_000;

eachDatabase((_open, database) => {
  describe("after a crash, a sweep", () => {
    const accepting = useService({ config: { database }, role: "serve" });
    const working = useService({ config: { database } });
    const sweep = async (name: string) => {
      const { store, container } = accepting;
      const queue = container.resolve(QUEUE);
      const { dispatch: events } = container.resolve(EVENTS);
      for (const one of batchSweeps({ store, queue, events }))
        if (one.name === name) await one.run();
    };
    const createBatch = async () => {
      const caller = await newBatchCaller(accepting);
      const templateId = await publish(accepting.store, caller);
      const body = { templateId, formats: ["html"], items: records(3) };
      return { caller, ...(await sendBatch(caller, body)) };
    };
    const longAgo = new Date(Date.now() - 2 * hourMs);

    it("finds documents without a job and has them rendered", async () => {
      await working.stop();
      const { caller, batchId } = await createBatch();
      await accepting.store.unitOfWork.run(async (tx) => {
        await tx.deleteAll(Job);
        await tx.update(Document, { batchId }, { updatedAt: longAgo });
      });
      await sweep("batch-forgotten");
      await working.start();
      expect((await batchWhen(caller, batchId)).counts.succeeded).to.equal(3);
    });

    it("deletes a batch whose acceptance was interrupted, which stays hidden", async () => {
      await working.stop();
      const { caller, batchId } = await createBatch();
      const { store } = accepting;
      await store.unitOfWork.run((tx) =>
        tx.update(
          Batch,
          { id: batchId },
          { status: "accepting", createdAt: longAgo },
        ),
      );
      const { status } = await caller.get(`/api/batches/${batchId}`);
      expect(status).to.equal(404);
      const list = await caller.get("/api/documents");
      expect(await list.json()).to.have.nested.property("pagination.total", 0);
      await sweep("batch-abandoned");
      expect(await store.read.countBy(Document, { batchId })).to.equal(0);
      expect(await store.read.countBy(DocumentRecord, { batchId })).to.equal(0);
    });

    it("completes an interrupted cancellation", async () => {
      const { caller, batchId } = await createBatch();
      await accepting.store.unitOfWork.run((tx) =>
        tx.update(Batch, { id: batchId }, { cancelledAt: new Date() }),
      );
      await sweep("batch-cancelled");
      const { status, counts } = await fetchBatch(caller, batchId);
      expect(status).to.equal("completed");
      expect(counts.failed).to.equal(3);
    });

    it("deletes records when the files have expired", async () => {
      await working.start();
      const { caller, batchId } = await createBatch();
      await batchWhen(caller, batchId);
      const { store } = accepting;
      await sweep("batch-records");
      expect(await store.read.countBy(DocumentRecord, { batchId })).to.equal(3);
      await store.unitOfWork.run((tx) =>
        tx.update(Batch, { id: batchId }, { recordsPurgeAt: longAgo }),
      );
      await sweep("batch-records");
      expect(await store.read.countBy(DocumentRecord, { batchId })).to.equal(0);
      const retry = await caller.post(`/api/batches/${batchId}/retry`, {});
      expect(retry.status).to.equal(409);
    });
  });
});
