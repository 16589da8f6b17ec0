import { expect } from "chai";
import { describe, it } from "mocha";
import { eachDatabase } from "../../../support/store.js";
import {
  addOrder,
  waitForWriteBacks,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
} from "../../../support/records.js";

const records = ["A", "B", "C"];
const batches = 12;

eachDatabase((_open, database) => {
  describe("write-backs of many batches to the same records", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, { config: { database } });

    it("never write to a cell at the same time, so that no file is lost", async () => {
      const caller = await newRecordCaller(service);
      for (const id of records) addOrder(platform, id);
      const sent = Array.from({ length: batches }, () =>
        sendRecords(caller, records, { attachmentField: "fldFile" }),
      );
      const accepted = await Promise.all(sent);
      const ended = await Promise.all(
        accepted.map(({ batchId }) => waitForWriteBacks(caller, batchId)),
      );
      for (const { writeBack } of ended)
        expect(writeBack).to.include({ succeeded: records.length });
      for (const id of records)
        expect(platform.listFiles(id)).to.have.length(batches);
    });
  });
});
