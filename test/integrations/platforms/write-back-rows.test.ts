import { expect } from "chai";
import { RecordBatches } from "../../../core/integrations/platforms/index.js";
import { getCellKey } from "../../../core/integrations/platforms/jobs.js";
import { findRecordsInProgress } from "../../../core/integrations/platforms/record-source.js";
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

  it("records are in progress whose cell gets a file, or has got one since a time", async () => {
    const { store } = service;
    const since = new Date(Date.UTC(2026, 0));
    const before = new Date(since.getTime() - 1);
    const place = {
      organizationId: "",
      connectionId: "con",
      baseId: null,
      tableId: "tbl",
      fieldId: "fld",
    };
    const ended = await writeBack(5, (at) =>
      at === 0 ? "pending" : at === 1 ? "failed" : "succeeded",
    );
    const elsewhere = await writeBack(1, () => "pending");
    const open = await startBatch(service, { items: records(502) });
    await store.unitOfWork.run(async (tx) => {
      place.organizationId = ended.organizationId;
      const own = { organizationId: ended.organizationId };
      const completed = { ...own, status: "completed" } as const;
      for (const { batchId } of [ended, elsewhere])
        await tx.update(Batch, { id: batchId }, completed);
      await tx.update(Batch, { id: open.batchId }, own);
      const { batchId } = elsewhere;
      await tx.update(RecordBatch, { batchId }, { ...own, tableId: "other" });
      const source = await tx.findOneByOrFail(RecordBatch, {
        batchId: ended.batchId,
      });
      await tx.insert(RecordBatch, {
        batchId: open.batchId,
        ...place,
        mode: "append",
        plan: {},
        createdAt: source.createdAt,
      });
      for (const [at, { id }] of ended.documents.entries())
        await tx.update(
          WriteBack,
          { documentId: id },
          {
            cell: getCellKey(place, `rec${at}`),
            completedAt: [null, since, before, since, since][at] ?? null,
          },
        );
      await tx.update(
        WriteBack,
        { batchId },
        { recordId: "rec4", cell: getCellKey(place, "rec4") },
      );
      await tx.delete(WriteBack, { documentId: ended.documents[4]?.id ?? "" });
      for (const [at, { id }] of open.documents.entries())
        if (at > 498)
          await tx.update(
            Document,
            { id },
            {
              metadata: { recordId: `open${at}` },
              status: at === 500 ? "succeeded" : "rendering",
            },
          );
    });
    const wanted = [
      ...[0, 1, 2, 3, 4].map((at) => `rec${at}`),
      ...[499, 500, 501].map((at) => `open${at}`),
    ];
    const find = (changes: object, ids = wanted) =>
      findRecordsInProgress(store.read, { ...place, ...changes }, ids, since);
    expect([...(await find({}))].toSorted()).to.deep.equal([
      "open499",
      "open501",
      "rec0",
      "rec3",
    ]);
    expect([...(await find({ connectionId: "con2" }))]).to.deep.equal([]);
    expect([...(await find({}, ["rec1", "open500", "x"]))]).to.deep.equal([]);
  });
});
