import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { parseConfig } from "../../../../config/index.js";
import { PlatformError } from "../../../../core/plugin-api/index.js";
import { anyDatabase } from "../../../support/store.js";
import { readError } from "../../../support/caller.js";
import {
  addOrder,
  waitForWriteBacks,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  sendRecords,
  useRecordService,
} from "../../../support/records.js";

const { platforms } = parseConfig({ PLATEN_WRITE_BACK_DELAYS: "20ms,20ms" });
const toField = { attachmentField: "Invoice" };

function again(caller: RecordCaller, batchId: string) {
  return caller.post(`/api/batches/${batchId}/write-back`, {});
}

anyDatabase((_open, database) => {
  describe("the write-back of a file", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, platforms },
    });
    afterEach(() => {
      platform.beforeCall = () => undefined;
      platform.beforeReply = () => undefined;
    });

    it("writes the file once even if the platform's answer is lost", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "A");
      platform.put("A", "Order A.html");
      let lost = 0;
      platform.beforeReply = () => {
        lost += 1;
        if (lost === 1) throw new PlatformError("unavailable", "No answer.");
      };
      const { batchId } = await sendRecords(caller, ["A"], toField);
      const { writeBack } = await waitForWriteBacks(caller, batchId);
      expect(writeBack).to.include({ succeeded: 1 });
      expect(platform.listFiles("A")).to.deep.equal([
        "Order A.html",
        "Order A.html",
      ]);
      expect((await again(caller, batchId)).status).to.equal(409);
    });

    it("writes the file of another batch even if the cell contains one like it", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "B");
      for (let round = 0; round < 2; round += 1) {
        let lost = 0;
        platform.beforeReply = () => {
          lost += 1;
          if (lost === 1) throw new PlatformError("unavailable", "No answer.");
        };
        const { batchId } = await sendRecords(caller, ["B"], toField);
        await waitForWriteBacks(caller, batchId);
      }
      expect(platform.listFiles("B")).to.have.length(2);
    });

    it("replaces the files of the cell with overwriteExisting", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "C");
      platform.put("C", "old.pdf");
      const more = { ...toField, overwriteExisting: true };
      const { batchId } = await sendRecords(caller, ["C"], more);
      await waitForWriteBacks(caller, batchId);
      expect(platform.listFiles("C")).to.deep.equal(["Order C.html"]);
    });

    it("keeps a file that the platform refuses and writes it on a retry", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "D");
      platform.beforeCall = (what) => {
        if (what === "writeBack")
          throw new PlatformError("forbidden", "The token may not write.");
      };
      const { batchId } = await sendRecords(caller, ["D"], toField);
      const failed = await waitForWriteBacks(caller, batchId);
      expect(failed.counts.succeeded).to.equal(1);
      expect(failed.writeBack).to.include({ failed: 1 });
      const [document] = failed.documents;
      expect(document?.metadata)
        .to.have.nested.property("platen.writeBack.error")
        .that.contains("may not write");
      expect((await fetch(document?.outputs[0]?.url ?? "")).status).to.equal(
        200,
      );
      platform.beforeCall = () => undefined;
      expect((await again(caller, batchId)).status).to.equal(202);
      const { writeBack } = await waitForWriteBacks(caller, batchId);
      expect(writeBack).to.deep.equal({ pending: 0, succeeded: 1, failed: 0 });
      expect(platform.listFiles("D")).to.deep.equal(["Order D.html"]);
      const done = await again(caller, batchId);
      expect(done.status).to.equal(409);
      expect(await readError(done)).to.contain("nothing to retry");
    });

    it("fails after its last retry", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "E");
      platform.beforeCall = (what) => {
        if (what === "writeBack")
          throw new PlatformError("conflict", "The record is locked.");
      };
      const { batchId } = await sendRecords(caller, ["E"], toField);
      const { writeBack } = await waitForWriteBacks(caller, batchId);
      expect(writeBack).to.include({ failed: 1 });
    });
  });
});
