import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import {
  fetchBatch,
  batchWhen,
  newBatchCaller,
  records,
  sendBatch,
} from "../support/batches.js";
import { eventually } from "../support/eventually.js";
import { Gate, printingBy } from "../support/renderer.js";
import { type TestService, useService } from "../support/service.js";
import { publish } from "../support/store.js";

async function sendFrom(service: TestService, format: string, count: number) {
  const caller = await newBatchCaller(service);
  const templateId = await publish(service.store, caller);
  const items = records(count);
  const body = { templateId, formats: [format], items };
  return { caller, ...(await sendBatch(caller, body)) };
}

describe("a worker for several organizations", () => {
  const narrow = parseConfig({ PLATEN_WORKER_CONCURRENCY: "1" });
  const taking = useService({ config: { batch: narrow.batch } });

  it("takes turns, so that a large batch of one does not delay another's", async () => {
    const large = await sendFrom(taking, "html", 300);
    const small = await sendFrom(taking, "html", 2);
    await batchWhen(small.caller, small.batchId);
    const { counts } = await fetchBatch(large.caller, large.batchId);
    expect(counts.queued).to.be.greaterThan(0);
  });

  const limited = parseConfig({
    PLATEN_WORKER_CONCURRENCY: "4",
    PLATEN_ORGANIZATION_CONCURRENCY: "1",
  });
  const gate = new Gate();
  const limiting = useService({
    config: { batch: limited.batch },
    replace: printingBy(async (job, real) => {
      await gate.pass();
      return real(job);
    }),
  });

  it("renders no more documents of one organization at once than its limit", async () => {
    const first = await sendFrom(limiting, "pdf", 4);
    const second = await sendFrom(limiting, "pdf", 4);
    await eventually(() => gate.waiting === 2);
    for (const { caller, batchId } of [first, second]) {
      const { counts } = await fetchBatch(caller, batchId);
      expect(counts).to.include({ rendering: 1, queued: 3 });
    }
    gate.open();
    for (const { caller, batchId } of [first, second])
      await batchWhen(caller, batchId);
  });
});
