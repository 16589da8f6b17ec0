import { expect } from "chai";
import { describe, it } from "mocha";
import { DocumentRecord } from "../../core/storage/database/index.js";
import {
  batchOf,
  batchWhen,
  newBatchCaller,
  retryBatch,
  sendBatch,
} from "../support/batches.js";
import { errorOf } from "../support/caller.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

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
    expect((await batchOf(caller, batchId)).counts.failed).to.equal(1);
    const again = await caller.post(`/api/batches/${batchId}/retry`, {});
    expect(again.status).to.equal(409);
    expect(await errorOf(again)).to.contain(next.batchId);
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
    expect(await errorOf(response)).to.contain("records are deleted");
  });

  it("is rejected with 409 when no document failed", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const body = { templateId, formats: ["html"], items: [{}] };
    const { batchId } = await sendBatch(caller, body);
    await batchWhen(caller, batchId);
    const response = await caller.post(`/api/batches/${batchId}/retry`, {});
    expect(response.status).to.equal(409);
    expect(await errorOf(response)).to.contain("no failed document");
  });
});
