import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { In } from "typeorm";
import {
  getTemplateToRender,
  RENDER_QUEUED,
} from "../../core/documents/index.js";
import { batchSweeps } from "../../core/batches/index.js";
import type { NewJob, Queue } from "../../core/queue/index.js";
import { Deadline } from "../../core/plugin-api/index.js";
import {
  Batch,
  Document,
  DocumentRecord,
  getDatabaseTime,
} from "../../core/storage/database/index.js";
import {
  fetchBatch,
  records,
  startBatch,
  sweepBatches,
} from "../support/batches.js";
import { refusal } from "../support/caller.js";
import { TestService, useService } from "../support/service.js";
import { suiteFolder } from "../support/store-folder.js";
import { eachDatabase, interrupted } from "../support/store.js";

const longAgo = new Date(Date.now() - 2 * 60 * 60_000);

eachDatabase((open, database) => {
  describe("after a crash, a sweep", () => {
    const accepting = useService({ config: { database }, role: "serve" });
    const working = useService({ config: { database } });
    const start = () => startBatch(accepting, { items: records(3) });
    const write = (
      work: Parameters<typeof accepting.store.unitOfWork.run>[0],
    ) => accepting.store.unitOfWork.run(work);

    it("deletes a batch whose acceptance was interrupted, which stays hidden", async () => {
      await working.stop();
      const { caller, batchId } = await start();
      const accepted = { status: "accepting", createdAt: longAgo } as const;
      await write((tx) => tx.update(Batch, { id: batchId }, accepted));
      const { status } = await caller.get(`/api/batches/${batchId}`);
      expect(status).to.equal(404);
      const list = await caller.get("/api/documents");
      expect(await list.json()).to.have.nested.property("pagination.total", 0);
      const batches = await caller.get("/api/batches");
      expect(await batches.json()).to.have.deep.property("data", []);
      const fresh = { createdAt: new Date(Date.now() - 50 * 60_000) };
      await write((tx) => tx.update(Batch, { id: batchId }, fresh));
      await sweepBatches(accepting, "batch-abandoned");
      expect(
        await accepting.store.read.countBy(DocumentRecord, { batchId }),
      ).to.equal(3);
      await write((tx) => tx.update(Batch, { id: batchId }, accepted));
      await sweepBatches(accepting, "batch-abandoned");
      const { read } = accepting.store;
      expect(await read.countBy(Document, { batchId })).to.equal(0);
      expect(await read.countBy(DocumentRecord, { batchId })).to.equal(0);
    });

    it("completes an interrupted cancellation", async () => {
      const { caller, batchId } = await start();
      const canceled = { cancelledAt: new Date() };
      await write((tx) => tx.update(Batch, { id: batchId }, canceled));
      await sweepBatches(accepting, "batch-cancelled");
      const { status, counts } = await fetchBatch(caller, batchId);
      expect(status).to.equal("completed");
      expect(counts.failed).to.equal(3);
    });

    it("deletes records when the files have expired", async () => {
      await working.start();
      const { caller, batchId, when } = await start();
      await when();
      const count = () =>
        accepting.store.read.countBy(DocumentRecord, { batchId });
      await sweepBatches(accepting, "batch-records");
      expect(await count()).to.equal(3);
      const expired = { recordsPurgeAt: longAgo };
      await write((tx) => tx.update(Batch, { id: batchId }, expired));
      await sweepBatches(accepting, "batch-records");
      expect(await count()).to.equal(0);
      const { read } = accepting.store;
      const row = await read.findOneByOrFail(Batch, { id: batchId });
      expect(row.recordsPurgeAt).to.equal(null);
      const retry = caller.post(`/api/batches/${batchId}/retry`, {});
      expect(await refusal(retry)).to.equal(
        "409 This batch was completed so long ago that its records are deleted.",
      );
    });

    it("is not needed for the text of a document that a stalled worker renders again after another has recorded it", async () => {
      const { store, container } = working;
      const { batchId, caller, templateId, when } = await start();
      await when();
      const row = await store.read.findOneByOrFail(Document, { batchId });
      const { organizationId } = caller;
      const isRecorded = await container.resolve(RENDER_QUEUED)(
        {
          row,
          data: {},
          platform: null,
          strict: false,
          unknownFields: "allow",
          renderOptions: undefined,
          template: await getTemplateToRender(store.read, {
            organizationId,
            templateId,
          }),
          signing: null,
        },
        { deadline: Deadline.after(60_000), record: async () => false },
      );
      expect(isRecorded).to.equal(false);
      const file = await fetch(row.outputs[0]?.url ?? "");
      expect(file.status).to.equal(200);
    });
  });

  describe("a batch that changes while it is read", () => {
    const service = useService({ config: { database }, role: "serve" });

    it("is returned as one consistent snapshot", async () => {
      const elsewhere = await open();
      /** As a worker that ends the batch's one document. */
      const end = (batchId: string): Promise<void> => {
        const completedAt = new Date();
        return elsewhere.unitOfWork.run(async (tx) => {
          const failed = { status: "failed", error: "No." } as const;
          await tx.update(Document, { batchId }, { ...failed, completedAt });
          const completed = { status: "completed", remaining: 0 } as const;
          const change = { ...completed, completedAt };
          await tx.update(Batch, { id: batchId }, change);
        });
      };
      for (const tables of [["batch", "document"], ["document"]]) {
        const { batchId, caller } = await startBatch(service);
        const { status, counts, documents } = await interrupted(
          service.store,
          tables,
          () => end(batchId),
          () => fetchBatch(caller, batchId),
        );
        expect(status).to.equal("queued");
        expect(counts).to.include({ queued: 1, failed: 0 });
        expect(documents[0]?.status).to.equal("queued");
      }
    });
  });
});

describe("the sweep for documents without a job", () => {
  const service = useService({ role: "serve" });

  it("reads only documents of accepted batches that are older than two minutes, and none where there are as many jobs", async () => {
    const { documents, caller } = await startBatch(service, {
      items: records(3),
    });
    const { organizationId: partitionKey } = caller;
    const hidden = await startBatch(service);
    const [first, ...others] = documents.map(({ id }) => id);
    const { store } = service;
    const now = await getDatabaseTime(store.read);
    const before = (ms: number) => new Date(now.getTime() - ms);
    await store.unitOfWork.run(async (tx) => {
      const rendering = { status: "rendering", updatedAt: longAgo } as const;
      const { batchId } = hidden;
      await tx.update(Batch, { id: batchId }, { status: "accepting" });
      await tx.update(Document, { batchId }, { updatedAt: longAgo });
      await tx.update(Document, { id: In(others) }, rendering);
      const updatedAt = before(100_000);
      await tx.update(Document, { id: first ?? "" }, { updatedAt });
    });
    const job = { kind: "document", ready: 1, delayed: 1, running: 1 };
    const other = { ...job, kind: "other", ready: 9 };
    for (const [stats, expected] of [
      [[], others],
      [[other], others],
      [[other, job], others],
      [[{ ...job, ready: 2 }], []],
      [[{ ...job, delayed: 2 }], []],
      [[{ ...job, running: 2 }], []],
    ] as const) {
      const enqueued: NewJob[] = [];
      let nudges = 0;
      const queue: Pick<Queue, "stats" | "enqueue"> = {
        stats: async () =>
          stats.map((one) => ({ ...one, oldestReadySeconds: 0 })),
        enqueue: async (_tx, jobs) => void enqueued.push(...jobs),
      };
      const sweeps = batchSweeps({
        store,
        queue,
        events: { nudge: () => (nudges += 1) },
      });
      await sweeps.find(({ name }) => name === "batch-forgotten")?.run();
      expect(enqueued).to.have.deep.members(
        expected.map((rowId) => ({ kind: "document", rowId, partitionKey })),
      );
      expect(nudges).to.equal(1);
    }
  });
});

describe("the temporary files of a killed process", () => {
  const folder = suiteFolder();

  it("are deleted at the next start, unless they are new", async () => {
    const names = [".draft", "merge", "notes"].flatMap((name) =>
      ["old", "new"].map((age) => `${name}-${age}`),
    );
    for (const name of names) {
      const path = join(folder, name);
      await writeFile(path, "");
      if (name.endsWith("old")) await utimes(path, new Date(0), new Date(0));
    }
    const service = new TestService(folder, {});
    await service.start();
    await service.stop();
    const left = await readdir(folder);
    expect(names.filter((name) => !left.includes(name))).to.deep.equal([
      ".draft-old",
      "merge-old",
    ]);
  });
});
