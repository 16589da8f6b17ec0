import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { Document } from "../../core/storage/database/index.js";
import { newBatchCaller, records, sendBatch } from "../support/batches.js";
import { eventually } from "../support/eventually.js";
import { Gate, printingBy } from "../support/renderer.js";
import { useService } from "../support/service.js";
import { publish, anyDatabase } from "../support/store.js";

const { batch } = parseConfig({ PLATEN_WORKER_CONCURRENCY: "1" });

anyDatabase((open, database) => {
  describe("a service that is stopped during a batch", () => {
    const gate = new Gate();
    const service = useService({
      config: { database, batch },
      replace: printingBy(async (job, real) => {
        await gate.pass();
        return real(job);
      }),
    });

    it("finishes the documents it is rendering and leaves the rest queued for other processes", async () => {
      const caller = await newBatchCaller(service);
      const templateId = await publish(service.store, caller);
      const body = { templateId, formats: ["pdf"], items: records(4) };
      const { batchId } = await sendBatch(caller, body);
      await eventually(() => gate.waiting === 1);
      const stopped = service.stop();
      gate.open();
      await stopped;
      const store = await open();
      const rows = await store.read.findBy(Document, { batchId });
      const statuses = rows.map(({ status }) => status);
      expect(statuses.toSorted()).to.deep.equal([
        "queued",
        "queued",
        "queued",
        "succeeded",
      ]);
      expect(rows.some(({ lockToken }) => lockToken !== null)).to.equal(false);
    });
  });
});
