import { createHash } from "node:crypto";
import { expect } from "chai";
import { endDocuments } from "../../core/batches/index.js";
import { Document } from "../../core/storage/database/index.js";
import {
  fetchBatch,
  findEvents,
  readBatch,
  records,
  startBatch,
  sweepBatches,
} from "../support/batches.js";
import { json, refusal } from "../support/caller.js";
import { useService } from "../support/service.js";
import { useFixedTime } from "../support/clock.js";
import { anyDatabase } from "../support/store.js";

/** How many documents are in each state. */
const none = { queued: 0, rendering: 0, succeeded: 0, failed: 0, expired: 0 };

anyDatabase((_open, database) => {
  describe("a batch", () => {
    // No month may end under way: usage is read.
    useFixedTime();
    const service = useService({ config: { database } });

    it("completes with every document once, with its files, usage and events, and the batch's own event last", async () => {
      const items = records(6);
      const { batchId, caller, templateId, when } = await startBatch(service, {
        formats: ["html", "pdf"],
        items,
      });
      const { documents, pagination, ...batch } = await when();
      const list = await json<{ data: object[] }>(caller.get("/api/batches"));
      const { counts, writeBack, deliveries, merged, ...rest } = batch;
      const { emptyLists, ...summary } = rest;
      expect(list.data).to.deep.equal([summary]);
      expect(counts).to.deep.equal({ ...none, succeeded: 6 });
      expect([writeBack, deliveries, merged]).to.deep.equal([null, null, null]);
      expect(emptyLists).to.deep.equal([]);
      const { createdAt, updatedAt, completedAt, ...others } = summary;
      for (const time of [createdAt, updatedAt, completedAt])
        expect(new Date(time ?? "").toISOString()).to.equal(time);
      expect(others).to.deep.equal({
        batchId,
        organizationId: caller.organizationId,
        templateId,
        templateVersion: 1,
        status: "completed",
        totalCount: 6,
        progress: 1,
        formats: ["html", "pdf"],
        imageType: "png",
        platform: null,
        retryOf: null,
        createdById: caller.userId,
        cancelledAt: null,
      });
      expect(pagination).to.deep.equal({ page: 1, pageSize: 100, total: 6 });
      for (const [index, document] of documents.entries()) {
        expect(document.metadata).to.include({ number: index, batchId });
        const labels = document.outputs.map(({ label }) => label);
        expect(labels).to.deep.equal(["html", "pdf"]);
        expect(document.warningCount).to.equal(0);
        for (const { url, checksum } of document.outputs) {
          const file = await fetch(url);
          const bytes = Buffer.from(await file.arrayBuffer());
          const digest = createHash("sha256").update(bytes).digest("hex");
          expect(checksum).to.equal(`sha256:${digest}`);
          if (url.includes("/html/"))
            expect(bytes.toString()).to.contain(`Hello No. ${index}`);
        }
      }
      const usage = await caller.get("/api/usage");
      expect(await usage.json()).to.have.property("documents", 6);
      const events = await findEvents(service, batchId);
      expect(events.map(({ type }) => type)).to.deep.equal([
        ...items.map(() => "document.succeeded"),
        "documents.completed",
      ]);
      expect(events.at(-1)?.data).to.deep.include({
        batchId,
        organizationId: caller.organizationId,
        totalDocuments: 6,
        succeededCount: 6,
        failedCount: 0,
        expiredCount: 0,
      });
      const reported = events.slice(0, -1).map(({ data }) => data.documentId);
      expect(reported).to.have.members(documents.map(({ id }) => id));
    });
  });
});

describe("a batch that no worker renders", () => {
  const idle = useService({ role: "serve" });

  it("finishes the documents that are rendering when it is canceled, and fails the rest", async () => {
    const { batchId, caller } = await startBatch(idle, { items: records(300) });
    const { unitOfWork, read } = idle.store;
    const rendering = { status: "rendering" } as const;
    await unitOfWork.run((tx) =>
      tx.update(Document, { batchId, batchIndex: 0 }, rendering),
    );
    const cancel = () => caller.post(`/api/batches/${batchId}/cancel`, {});
    const canceled = await readBatch(await cancel());
    expect(canceled.counts).to.deep.equal({
      ...none,
      rendering: 1,
      failed: 299,
    });
    expect(canceled).to.include({ status: "queued", progress: 0.9966 });
    expect(canceled.documents[1]?.error).to.equal("cancelled");
    const again = await readBatch(await cancel());
    expect(again.cancelledAt).to.equal(canceled.cancelledAt);
    await unitOfWork.run((tx) =>
      endDocuments(tx, { batchId }, { status: "failed", error: "No." }),
    );
    expect(await read.countBy(Document, { batchId, error: "No." })).to.equal(1);
    const events = await findEvents(idle, batchId);
    expect(events.map(({ type }) => type)).to.deep.equal([
      ...Array(300).fill("document.failed"),
      "documents.completed",
    ]);
    expect(await refusal(cancel())).to.equal(
      "409 This batch is already completed, so it cannot be cancelled.",
    );
  });

  it("has documents that expire by a sweep, each in its own batch", async () => {
    const batches = [
      await startBatch(idle, { items: [{}, {}] }),
      await startBatch(idle, { items: [{}, {}, {}] }),
    ];
    await idle.store.unitOfWork.run((tx) =>
      tx.update(
        Document,
        { batchIndex: 0 },
        { expiresAt: new Date(0), status: "rendering" },
      ),
    );
    await sweepBatches(idle, "batch-expired");
    for (const [at, { caller, batchId }] of batches.entries()) {
      const batch = await fetchBatch(caller, batchId);
      expect(batch.counts).to.deep.equal({
        ...none,
        expired: 1,
        queued: at + 1,
      });
      const progress = [0.5, 0.3333][at];
      expect(batch).to.include({ status: "queued", progress });
    }
  });
});
