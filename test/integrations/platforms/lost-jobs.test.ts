import { expect } from "chai";
import { DOCUMENT_JOB } from "../../../core/batches/index.js";
import { Document, Job } from "../../../core/storage/database/index.js";
import { QUEUE } from "../../../core/queue/index.js";
import { eventually } from "../../support/eventually.js";
import {
  addOrder,
  waitForWriteBacks,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
} from "../../support/records.js";
import { anyDatabase } from "../../support/store.js";

anyDatabase((_open, database) => {
  describe("a document whose record was not fetched because the job was lost", () => {
    const platform = ordersPlatform();
    // Both open what the other has locked.
    const config = { database, secret: "a".repeat(64) };
    const accepting = useRecordService(platform, { config, role: "serve" });
    const working = useRecordService(platform, { config });

    it("has its record fetched when its own job runs, without counting a failure", async () => {
      await working.stop();
      const caller = await newRecordCaller(accepting);
      addOrder(platform, "A");
      const { batchId, documents } = await sendRecords(caller, ["A"]);
      const rowId = documents[0]?.id ?? "";
      const { store, container } = accepting;
      const queue = container.resolve(QUEUE);
      await store.unitOfWork.run(async (tx) => {
        await tx.delete(Job, { kind: "fetch" });
        await queue.enqueue(tx, [{ kind: DOCUMENT_JOB, rowId }]);
      });
      await working.start();
      await eventually(() => store.read.existsBy(Job, { kind: "fetch" }));
      const row = await store.read.findOneByOrFail(Document, { id: rowId });
      expect(row).to.include({ attempts: 0, error: null });
      await store.unitOfWork.run((tx) =>
        tx.update(Job, { kind: "fetch" }, { readyAt: new Date(0) }),
      );
      const { counts } = await waitForWriteBacks(caller, batchId);
      expect(counts.succeeded).to.equal(1);
    });
  });
});
