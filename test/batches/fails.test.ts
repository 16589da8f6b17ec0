import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import {
  batchWhen,
  eventsOf,
  newBatchCaller,
  sendBatch,
} from "../support/batches.js";
import { temporaryFailure, printingBy } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";

const { batch } = parseConfig({ PLATEN_BATCH_RETRY_DELAYS: "10ms,10ms,10ms" });

describe("a document whose render fails", () => {
  const tries = new Map<string, number>();
  const service = useService({
    config: { batch },
    replace: printingBy(async (job, real) => {
      const name = /Hello (\w+)/.exec(job.html)?.[1] ?? "";
      const count = (tries.get(name) ?? 0) + 1;
      tries.set(name, count);
      if (name === "Never" || count < 3) throw temporaryFailure();
      return real(job);
    }),
  });

  it("is retried up to three times and then fails with its error", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const items = [{ data: { name: "Third" } }, { data: { name: "Never" } }];
    const body = { templateId, formats: ["pdf"], items };
    const { batchId } = await sendBatch(caller, body);
    const { documents } = await batchWhen(caller, batchId);
    expect(documents.map(({ status }) => status)).to.deep.equal([
      "succeeded",
      "failed",
    ]);
    expect(documents[1]?.error).to.contain("The printer failed.");
    expect(Object.fromEntries(tries)).to.deep.equal({ Third: 3, Never: 4 });
    const events = await eventsOf(service, batchId);
    const failed = events.find(({ type }) => type === "document.failed");
    expect(failed?.data).to.deep.include({
      documentId: documents[1]?.id,
      status: "failed",
      error: "The printer failed.",
      metadata: { batchId, batchIndex: 1, totalCount: 2 },
    });
    expect(events.at(-1)?.data).to.include({
      succeededCount: 1,
      failedCount: 1,
    });
  });

  it("is not retried after an error that a retry cannot fix", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const items = [{ data: { name: "Bad", constructor: 1 } }];
    const body = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, body);
    const { documents } = await batchWhen(caller, batchId);
    expect(documents[0]).to.include({ status: "failed" });
    expect(documents[0]?.error).to.contain("constructor");
  });
});
