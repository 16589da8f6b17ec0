import { expect } from "chai";
import { it } from "mocha";
import { RecordBatches } from "../../../core/integrations/platforms/index.js";
import {
  Batch,
  Document,
  insertRows,
  Job,
  RecordBatch,
  WriteBack,
  type WriteBackStatus,
} from "../../../core/storage/database/index.js";
import { records, startBatch } from "../../support/batches.js";
import { useService } from "../../support/service.js";
import { anyDatabase, getRejection } from "../../support/store.js";

const isFailed = (at: number) => at % 7 !== 0;
const past = new Date(Date.UTC(2020, 0));

anyDatabase((_open, database) => {
  const service = useService({ config: { database }, role: "serve" });

  /** A batch with a write-back in each state, two to a cell; of every tenth document the files have expired. */
  async function writeBack(
    count: number,
    getStatus: (at: number) => WriteBackStatus,
  ) {
    const accepted = await startBatch(service, { items: records(count) });
    const { batchId, documents, caller } = accepted;
    const { organizationId } = caller;
    await service.store.unitOfWork.run(async (tx) => {
      await tx.update(Batch, { id: batchId }, { platform: "memory" });
      await tx.insert(RecordBatch, {
        batchId,
        organizationId,
        connectionId: "con",
        baseId: null,
        tableId: "tbl",
        fieldId: "fld",
        fieldName: "Invoice",
        mode: "append",
        plan: {},
        isUrgent: true,
        createdAt: past,
      });
      const rows = documents.map(({ id }, at) => ({
        documentId: id,
        batchId,
        organizationId,
        recordId: `rec${at}`,
        cell: `${batchId} ${at >> 1}`,
        status: getStatus(at),
        attempts: 3,
        files: [
          {
            label: at === 20 ? "signed" : "html",
            state: "waiting" as const,
            remoteId: null,
          },
        ],
        error: "It failed.",
        nextAttemptAt: null,
        createdAt: past,
        updatedAt: past,
        completedAt: past,
      }));
      for (let at = 0; at < count; at += 200)
        await insertRows(tx, WriteBack, rows.slice(at, at + 200));
      for (const [at, { id }] of documents.entries())
        if (at % 10 === 0)
          await tx.update(Document, { id }, { expiresAt: past });
    });
    const retry = () =>
      service.container
        .resolve(RecordBatches)
        .retryWriteBacks(organizationId, batchId);
    const { read } = service.store;
    const readRows = () => read.findBy(WriteBack, { batchId });
    return { ...accepted, organizationId, retry, readRows };
  }

  it("all failed write-backs of a batch whose files there are are tried again, with one job for each cell", async () => {
    const { documents, retry, readRows, batchId } = await writeBack(
      1210,
      (at) => (isFailed(at) ? "failed" : "succeeded"),
    );
    const expected = documents
      .map(({ id }, at) => ({ id, at }))
      .filter(({ at }) => isFailed(at) && (at % 10 !== 0 || at === 20));
    expect(await retry()).to.equal(expected.length);
    const ids = expected.map(({ id }) => id);
    const rows = await readRows();
    const pending = rows.filter(({ status }) => status === "pending");
    expect(pending.map(({ documentId }) => documentId)).to.have.members(ids);
    for (const one of pending) {
      const { attempts, error, completedAt, nextAttemptAt } = one;
      expect({ attempts, error, completedAt }).to.deep.equal({
        attempts: 0,
        error: null,
        completedAt: null,
      });
      expect(Number(nextAttemptAt)).to.be.greaterThan(Number(past));
    }
    const others = rows.filter(({ status }) => status !== "pending");
    expect(others.every(({ error }) => error === "It failed.")).to.equal(true);
    const cells = new Set(expected.map(({ at }) => `${batchId} ${at >> 1}`));
    const jobs = await service.store.read.findBy(Job, { kind: "write-back" });
    expect(jobs.map(({ rowId }) => rowId)).to.have.members([...cells]);
    // Someone waits for them.
    expect(jobs.every(({ share }) => share.endsWith("!"))).to.equal(true);
  });

  for (const [what, status, code, message] of [
    [
      "failed",
      "succeeded",
      "conflict",
      "No write-back of this batch has failed, so there is nothing to retry.",
    ],
    [
      "a file left",
      "failed",
      "gone",
      "The files of this batch have expired. Render its records again.",
    ],
  ] as const)
    it(`the write-backs of a batch of which none has ${what} are not tried again`, async () => {
      const { retry, readRows } = await writeBack(1, () => status);
      const before = await readRows();
      expect(await getRejection(retry())).to.include({ code, message });
      expect(await readRows()).to.deep.equal(before);
    });
});
