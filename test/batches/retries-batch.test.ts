import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { EVENTS, QUEUE } from "../../core/app/tokens.js";
import { batchSweeps } from "../../core/batches/index.js";
import { DocumentRecord } from "../../core/storage/database/index.js";
import {
  fetchBatch,
  batchWhen,
  newBatchCaller,
  retryBatch,
  sendBatch,
} from "../support/batches.js";
import { readError, replies } from "../support/caller.js";
import { printingBy } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { anyDatabase, publish } from "../support/store.js";

describe("a batch that is retried", () => {
  const service = useService();

  it("creates a new batch of the failed documents from the same records", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const items = [
      { data: { name: "Good" } },
      { data: { name: "Bad", prototype: 1 }, metadata: { order: 7 } },
    ];
    const body = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, body);
    await batchWhen(caller, batchId);
    const next = await retryBatch(caller, batchId);
    expect(next.documents).to.have.length(1);
    expect(next.documents[0]?.metadata).to.deep.equal({
      order: 7,
      batchId: next.batchId,
      batchIndex: 0,
      totalCount: 1,
    });
    const retried = await batchWhen(caller, next.batchId);
    expect(retried.retryOf).to.equal(batchId);
    expect(retried.documents[0]?.error).to.contain("prototype");
    expect((await fetchBatch(caller, batchId)).counts.failed).to.equal(1);
    const again = await caller.post(`/api/batches/${batchId}/retry`, {});
    expect(again.status).to.equal(409);
    expect(await readError(again)).to.contain(next.batchId);
  });

  it("is rejected with 409 when a sweep has started to delete its records", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const items = [{ data: { name: "Bad", prototype: 1 } }];
    const body = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, body);
    await batchWhen(caller, batchId);
    await service.store.unitOfWork.run((tx) =>
      tx.delete(DocumentRecord, { batchId }),
    );
    const response = await caller.post(`/api/batches/${batchId}/retry`, {});
    expect(response.status).to.equal(409);
    expect(await readError(response)).to.contain("records are deleted");
  });

  it("is rejected with 409 when no document failed", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const body = { templateId, formats: ["html"], items: [{}] };
    const { batchId } = await sendBatch(caller, body);
    await batchWhen(caller, batchId);
    const response = await caller.post(`/api/batches/${batchId}/retry`, {});
    expect(response.status).to.equal(409);
    expect(await readError(response)).to.contain("no failed document");
  });
});

anyDatabase((_open, database) => {
  describe("a document that is retried", () => {
    let isStuck = false;
    const service = useService({
      config: { database },
      replace: printingBy((job, real) =>
        isStuck
          ? new Promise((_resolve, reject) => {
              job.deadline.signal.addEventListener("abort", () =>
                reject(job.deadline.error("it printed for ever")),
              );
            })
          : real(job),
      ),
    });

    const runSweeps = async () => {
      const { store, container } = service;
      const sweeps = batchSweeps({
        store,
        queue: container.resolve(QUEUE),
        events: container.resolve(EVENTS).dispatch,
      });
      for (const { run } of sweeps) await run();
    };

    it("names the document that it retries, and that one the one before", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller);
      const bad = { data: { name: "Bad", prototype: 1 } };
      const items = [{}, bad, {}, bad].map((item) => ({
        ...item,
        metadata: { order: 7 },
      }));
      const body = { templateId, formats: ["html"], items };
      let { batchId, documents } = await sendBatch(caller, body);
      await batchWhen(caller, batchId);
      let failed = [documents[1]?.id, documents[3]?.id];
      for (let time = 0; time < 2; time += 1) {
        ({ batchId, documents } = await retryBatch(caller, batchId));
        const retried = await batchWhen(caller, batchId);
        expect(retried.documents.map(getRetryOf)).to.deep.equal(failed);
        for (const { metadata } of retried.documents)
          expect(metadata).to.include({ order: 7, totalCount: 2 });
        failed = documents.map(({ id }) => id);
      }
    });

    it("is also one that expired, whose record is kept for the retry although its files would have expired", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller);
      isStuck = true;
      const items = [{ data: { name: "Ada" } }, { data: { name: "Bob" } }];
      const { batchId, documents } = await sendBatch(caller, {
        templateId,
        formats: ["pdf"],
        expiresAt: new Date(Date.now() + 5000).toISOString(),
        items,
      });
      const { counts } = await batchWhen(caller, batchId);
      expect(counts.expired).to.equal(2);
      await runSweeps();
      isStuck = false;
      const next = await retryBatch(caller, batchId);
      const retried = await batchWhen(caller, next.batchId);
      expect(retried.counts.succeeded).to.equal(2);
      const ids = documents.map(({ id }) => id);
      expect(retried.documents.map(getRetryOf)).to.deep.equal(ids);
      const own = await replies.document(
        await caller.get(`/api/documents/${retried.documents[0]?.id}`),
      );
      expect(own.metadata).to.have.nested.property("platen.report");
      expect(getRetryOf(own)).to.equal(ids[0]);
    });
  });
});

function getRetryOf({
  metadata,
}: {
  metadata: Record<string, unknown> | null;
}): unknown {
  return metadataSchema.parse(metadata).platen.retryOf;
}

const metadataSchema = z.object({
  platen: z.looseObject({ retryOf: z.string().optional() }),
});
