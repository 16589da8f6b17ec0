import { expect } from "chai";
import { describe, it } from "mocha";
import { z } from "zod";
import { RECORD_SOURCE, Batches } from "../../core/batches/index.js";
import {
  Batch,
  Document,
  DocumentRecord,
} from "../../core/storage/database/index.js";
import {
  batchWhen,
  containerWith,
  fetchBatch,
  readAccepted,
  retryBatch,
  startBatch,
} from "../support/batches.js";
import { refusal, replies } from "../support/caller.js";
import { useService } from "../support/service.js";
import { anyDatabase, getRejection } from "../support/store.js";

const bad = {
  data: { name: "Bad", prototype: 1 },
  metadata: { order: 7 },
};

anyDatabase((_open, database) => {
  describe("a batch that is retried", () => {
    const service = useService({ config: { database } });

    it("makes a new batch of the failed documents from the same records, once", async () => {
      const own = { ...bad, locale: "fr", formats: ["mjml"] };
      const items = [{ data: { name: "Good" } }, own];
      const { batchId, caller, when } = await startBatch(service, { items });
      await when();
      const path = `/api/batches/${batchId}/retry`;
      const both = await Promise.all([
        caller.post(path, {}),
        caller.post(path, {}),
      ]);
      const [accepted, refused] = both.toSorted(
        (one, other) => one.status - other.status,
      );
      expect(refused?.status).to.equal(409);
      const next = await readAccepted(accepted ?? expect.fail(), 202);
      const { read } = service.store;
      expect(
        await read.findBy(Document, { batchId: next.batchId }),
      ).to.have.length(1);
      const row = await read.findOneByOrFail(Document, {
        batchId: next.batchId,
      });
      expect(row).to.deep.include({ locale: "fr", formats: ["mjml"] });
      expect(next.documents.map(({ metadata }) => metadata)).to.deep.equal([
        { order: 7, batchId: next.batchId, batchIndex: 0, totalCount: 1 },
      ]);
      const retried = await batchWhen(caller, next.batchId);
      expect(retried.retryOf).to.equal(batchId);
      expect(retried.documents[0]?.error).to.contain("prototype");
      expect((await fetchBatch(caller, batchId)).counts.failed).to.equal(1);
      expect(await refusal(caller.post(path, {}))).to.equal(
        `409 This batch was already retried as ${next.batchId}. Retry that one.`,
      );
    });

    it("tells the platform that has the records, in the transaction of the new batch", async () => {
      const { batchId, caller, when } = await startBatch(service, {
        items: [bad],
      });
      await when();
      const { unitOfWork } = service.store;
      await unitOfWork.run((tx) =>
        tx.update(Batch, { id: batchId }, { platform: "airtable" }),
      );
      const calls: unknown[] = [];
      const records = {
        retried: async (_tx: unknown, from: Batch, to: Batch) => {
          calls.push([from.id, to.retryOf, to.platform]);
          if (calls.length === 1) throw new Error("rolled back");
        },
        nudge: () => calls.push("nudge"),
      };
      const batches = containerWith(service, [
        [RECORD_SOURCE, records],
      ]).resolve(Batches);
      const owner = { ...caller, plan: "premium" } as const;
      const error = await getRejection(batches.retry(owner, batchId));
      expect(error).to.have.property("message", "rolled back");
      const next = await batches.retry(owner, batchId, async () => {
        calls.push("alongside");
      });
      const call = [batchId, batchId, "airtable"];
      expect(calls).to.deep.equal([call, call, "alongside", "nudge"]);
      expect(
        await service.store.read.countBy(Batch, { retryOf: batchId }),
      ).to.equal(1);
      expect(next.retryOf).to.equal(batchId);
    });

    for (const [reason, items, message] of [
      [
        "a sweep has started to delete its records",
        [bad],
        "This batch was completed so long ago that its records are deleted.",
      ],
      [
        "no document failed",
        [{}],
        "This batch has no failed documents and no expired ones.",
      ],
    ] as const)
      it(`is rejected with 409 when ${reason}`, async () => {
        const { batchId, caller, when } = await startBatch(service, { items });
        await when();
        if (items[0] === bad)
          await service.store.unitOfWork.run((tx) =>
            tx.delete(DocumentRecord, { batchId }),
          );
        const response = caller.post(`/api/batches/${batchId}/retry`, {});
        expect(await refusal(response)).to.equal(`409 ${message}`);
      });

    it("names in each document the one that it retries, and in that one the one before", async () => {
      const items = [{}, bad, {}, bad];
      const first = await startBatch(service, { items });
      const { caller } = first;
      let { batchId } = first;
      await first.when();
      let failed = [first.documents[1]?.id, first.documents[3]?.id];
      for (let time = 0; time < 2; time += 1) {
        ({ batchId } = await retryBatch(caller, batchId));
        const { documents } = await batchWhen(caller, batchId);
        expect(documents.map(getRetryOf)).to.deep.equal(failed);
        for (const { metadata } of documents)
          expect(metadata).to.include({ order: 7, totalCount: 2 });
        failed = documents.map(({ id }) => id);
      }
    });

    it("renders documents that expired too", async () => {
      const items = [{ data: { name: "Ada" } }, { data: { name: "Bob" } }];
      const { batchId, caller, documents, when } = await startBatch(service, {
        items,
      });
      await when();
      // A retry lives as long as what it retries: an hour.
      const lived = {
        createdAt: new Date(Date.UTC(2020, 0, 1, 10)),
        expiresAt: new Date(Date.UTC(2020, 0, 1, 11)),
      };
      await service.store.unitOfWork.run((tx) =>
        tx.update(Document, { batchId }, { status: "expired", ...lived }),
      );
      const before = Date.now();
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
      const left = Date.parse(own.expiresAt ?? "") - before;
      expect(left / 60_000).to.be.within(60, 70);
    });
  });
});

const metadataSchema = z.object({
  platen: z.looseObject({ retryOf: z.string().optional() }),
});

function getRetryOf({ metadata }: { metadata: object | null }): unknown {
  return metadataSchema.parse(metadata).platen.retryOf;
}
