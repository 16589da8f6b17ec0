import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { Document } from "../../core/storage/database/index.js";
import {
  batchWhen,
  findEvents,
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
    const events = await findEvents(service, batchId);
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

  it("is retried beside a document with wrong data, which fails at once", async () => {
    const caller = await newBatchCaller(service);
    const templateId = await publish(service.store, caller);
    const { batchId } = await sendBatch(caller, {
      templateId,
      formats: ["pdf"],
      strict: true,
      items: [{ data: { name: "Never" } }, { data: {}, formats: ["html"] }],
    });
    const { documents } = await batchWhen(caller, batchId);
    const rows = await service.store.read.find(Document, {
      where: { batchId },
      order: { batchIndex: "ASC" },
    });
    expect(rows.map(({ attempts }) => attempts)).to.deep.equal([4, 1]);
    expect(documents[0]?.error).to.contain("The printer failed.");
    expect(documents[1]?.error).to.contain("The data has no root.name");
    const events = await findEvents(service, batchId);
    const failed = events.filter(({ type }) => type === "document.failed");
    expect(
      failed.map(({ data }) => [data.documentId, data.warningCount]),
    ).to.deep.equal([
      [documents[1]?.id, 1],
      [documents[0]?.id, 0],
    ]);
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
