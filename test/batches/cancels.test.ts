import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import {
  batchWhen,
  findEvents,
  newBatchCaller,
  readBatch,
  records,
  sendBatch,
} from "../support/batches.js";
import { eventually } from "../support/eventually.js";
import { Gate, printingBy } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

describe("a batch that is canceled", () => {
  const { batch } = parseConfig({ PLATEN_WORKER_CONCURRENCY: "1" });
  const gate = new Gate();
  const service = useService({
    config: { batch },
    replace: printingBy(async (job, real) => {
      await gate.pass();
      return real(job);
    }),
  });

  it("finishes the documents that are rendering and fails the rest as canceled", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const body = { templateId, formats: ["pdf"], items: records(5) };
    const { batchId } = await sendBatch(caller, body);
    await eventually(() => gate.waiting === 1);
    const path = `/api/batches/${batchId}/cancel`;
    const cancelled = await readBatch(await caller.post(path, {}));
    expect(cancelled.counts).to.include({ rendering: 1, failed: 4 });
    expect(cancelled.status).to.equal("running");
    expect((await caller.post(path, {})).status).to.equal(200);
    gate.open();
    const { counts, documents } = await batchWhen(caller, batchId);
    expect(counts).to.include({ succeeded: 1, failed: 4 });
    expect(documents.at(-1)?.error).to.equal("cancelled");
    const types = (await findEvents(service, batchId)).map(({ type }) => type);
    expect(types.filter((type) => type === "document.failed")).to.have.length(
      4,
    );
    expect(types.indexOf("documents.completed")).to.equal(types.length - 1);
    expect((await caller.post(path, {})).status).to.equal(409);
  });

  it("is treated as missing for another organization", async () => {
    const caller = await newBatchCaller(service);
    const stranger = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const body = { templateId, formats: ["html"], items: [{}] };
    const { batchId } = await sendBatch(caller, body);
    const base = `/api/batches/${batchId}`;
    const answers = [
      await stranger.get(base),
      await stranger.get(`${base}/archive`),
      await stranger.post(`${base}/cancel`, {}),
      await stranger.post(`${base}/retry`, {}),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal(
      answers.map(() => 404),
    );
  });
});
