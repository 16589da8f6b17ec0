import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { batchSweeps } from "../../core/batches/index.js";
import { acceptedBatchSchema } from "../../core/api/routes/batches.js";
import { Document } from "../../core/storage/database/index.js";
import { EVENTS, QUEUE } from "../../core/app/tokens.js";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  sendBatch,
} from "../support/batches.js";
import { type Requests, reader } from "../support/caller.js";
import { eventually } from "../support/eventually.js";
import { useService } from "../support/service.js";
import { printingBy } from "../support/renderer.js";
import { publish } from "../support/store.js";

const readAccepted = reader(acceptedBatchSchema);

/** Sends documents that expire in so many milliseconds; in twice as many where it was too late by then. */
async function sendWithShortExpiry(
  caller: Requests,
  body: object,
  ms = 2000,
): ReturnType<typeof sendBatch> {
  const expiresAt = new Date(Date.now() + ms).toISOString();
  const response = await caller.post("/api/export/batch", {
    ...body,
    expiresAt,
  });
  return response.status === 202
    ? readAccepted(response, 202)
    : sendWithShortExpiry(caller, body, ms * 2);
}

describe("a document that is not ready before its expiry", () => {
  const { batch } = parseConfig({ PLATEN_WORKER_CONCURRENCY: "1" });
  const endless = printingBy(
    ({ deadline }) =>
      new Promise((_resolve, reject) => {
        deadline.signal.addEventListener("abort", () =>
          reject(deadline.error("it printed for ever")),
        );
      }),
  );
  const working = useService({ config: { batch }, replace: endless });
  const idle = useService({ role: "serve" });

  it("expires while it is rendered, and so do the documents queued behind it", async () => {
    const caller = await newBatchCaller(working);
    const templateId = await publish(working.store, caller);
    const body = { templateId, formats: ["pdf"], items: [{}, {}] };
    const { batchId } = await sendWithShortExpiry(caller, body);
    const { documents, counts } = await batchWhen(caller, batchId);
    expect(counts.expired).to.equal(2);
    expect(documents[0]?.error).to.contain("not ready before its expiry");
    const events = await findEvents(working, batchId);
    expect(events.map(({ type }) => type)).to.deep.equal([
      "document.expired",
      "document.expired",
      "documents.completed",
    ]);
    expect(events[0]?.data).to.include({ status: "expired" });
    expect(events[0]?.data).to.have.property("error");
  });

  it("expires by a sweep when no worker runs", async () => {
    const caller = await newBatchCaller(idle);
    const templateId = await publish(idle.store, caller);
    const body = { templateId, formats: ["html"], items: [{}, {}] };
    const { batchId } = await sendBatch(caller, body);
    const { store } = idle;
    await store.unitOfWork.run((tx) =>
      tx.update(
        Document,
        { batchId, batchIndex: 0 },
        { expiresAt: new Date(0) },
      ),
    );
    const sweeps = batchSweeps({
      store,
      queue: idle.container.resolve(QUEUE),
      events: idle.container.resolve(EVENTS).dispatch,
    });
    const batchNow = await eventually(async () => {
      for (const { run } of sweeps) await run();
      const one = await batchWhen(caller, batchId, () => true);
      return one.counts.expired > 0 && one;
    });
    expect(batchNow.counts).to.include({ expired: 1, queued: 1 });
    expect(batchNow.status).to.equal("queued");
  });
});
