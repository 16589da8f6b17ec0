import { expect } from "chai";
import { describe, it } from "mocha";
import { anyDatabase } from "../../support/store.js";
import {
  addOrder,
  waitForWriteBacks,
  downloadHtml,
  newRecordCaller,
  orderDefinition,
  ordersPlatform,
  sendRecords,
  useRecordService,
} from "../../support/records.js";

anyDatabase((_open, database) => {
  describe("a batch of a platform's records", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, { config: { database } });

    it("renders the records with their linked rows and writes the files back", async () => {
      const caller = await newRecordCaller(service);
      for (const id of ["A", "B"]) addOrder(platform, id, 3);
      const { batchId, documents } = await sendRecords(caller, ["A", "B"], {
        attachmentField: "Invoice",
      });
      expect(documents[0]?.metadata).to.include({ batchId, recordId: "A" });
      const batch = await waitForWriteBacks(caller, batchId);
      expect(batch).to.include({ status: "completed", platform: "memory" });
      expect(batch.writeBack).to.deep.equal({
        pending: 0,
        succeeded: 2,
        failed: 0,
      });
      const [first = ""] = await downloadHtml(batch);
      expect(first).to.contain("Order A for Customer of A");
      expect(first).to.contain("Product 2: 3").and.to.contain("Total 6");
      expect(platform.listFiles("A")).to.deep.equal(["Order A.html"]);
      expect(platform.listFiles("B")).to.deep.equal(["Order B.html"]);
      expect(batch.documents[0]?.metadata).to.have.nested.property(
        "platen.writeBack.status",
        "succeeded",
      );
    });

    it("fails a record with problems at once with strict, and writes the files of the others back", async () => {
      const rules = [{ field: "root.number", operator: "=", value: "F" }];
      const condition = { combinator: "and", rules };
      const stamp = { type: "text", condition, text: "{{ root.stamp }}" };
      const components = [...orderDefinition.components, stamp];
      const definition = { ...orderDefinition, components };
      const caller = await newRecordCaller(service, definition);
      addOrder(platform, "E");
      addOrder(platform, "F");
      for (const strict of [true, false]) {
        const { batchId } = await sendRecords(caller, ["E", "F"], {
          attachmentField: "Invoice",
          strict,
          unknownFields: "error",
        });
        const { documents, writeBack } = await waitForWriteBacks(
          caller,
          batchId,
        );
        const [good, bad] = documents;
        expect(good).to.include({ status: "succeeded", warningCount: 0 });
        expect(bad?.status).to.equal(strict ? "failed" : "succeeded");
        if (strict) expect(bad?.error).to.contain("root.stamp");
        expect(writeBack?.succeeded).to.equal(strict ? 1 : 2);
      }
    });

    it("writes nothing back without an attachment field", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "C");
      const { batchId } = await sendRecords(caller, ["C"]);
      const batch = await waitForWriteBacks(caller, batchId);
      expect(batch.counts.succeeded).to.equal(1);
      expect(batch.writeBack).to.equal(null);
      expect(platform.listFiles("C")).to.deep.equal([]);
    });
  });
});
