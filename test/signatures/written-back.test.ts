import { expect } from "chai";
import { deleteExpiredOutputs } from "../../core/storage/files/index.js";
import { Document } from "../../core/storage/database/index.js";
import { FILE_STORE } from "../../core/lib/process-values.js";
import { batchWhen } from "../support/batches.js";
import { useEsign } from "../support/esign.js";
import { eventually } from "../support/eventually.js";
import {
  memoryPlugin,
  addOrder,
  waitForWriteBacks,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  sendRecords,
} from "../support/records.js";
import { anyDatabase } from "../support/store.js";

const signedFiles = (id: string) => [
  `Order ${id}.html`,
  `Order ${id}-signed.pdf`,
  `Order ${id}-audit.pdf`,
];

anyDatabase((_open, database) => {
  describe("the signed file of a record's document", () => {
    const platform = ordersPlatform();
    const harness = useEsign({
      config: { database, platforms: { writeBackDelaysMs: [5, 5] } },
      platforms: [memoryPlugin(platform)],
    });
    const { memory, service } = harness;
    let caller: RecordCaller;
    before(async () => {
      caller = await newRecordCaller(service);
      await harness.connect(caller);
      harness.caller = caller;
    });

    /** A record's document, written into its field, and then on its way to being signed. */
    async function sent(recordId: string, more: object = {}) {
      addOrder(platform, recordId);
      const { batchId } = await sendRecords(caller, [recordId], {
        attachmentField: "Invoice",
        ...more,
      });
      const { documents } = await waitForWriteBacks(caller, batchId);
      const [document] = documents;
      if (!document) throw new Error("no document");
      const id = await harness.record(await harness.settle(), document);
      await harness.waitForStatus(id, "pending");
      return { id, batchId };
    }

    it("is written into the same field as the document", async () => {
      const { id, batchId } = await sent("A");
      memory.end(id, "completed");
      await harness.waitForStatus(id, "completed");
      await waitForWriteBacks(caller, batchId);
      expect(platform.listFiles("A")).to.deep.equal(signedFiles("A"));
    });

    it("replaces no other file, even where the document did", async () => {
      platform.put("B", "old.pdf");
      const { id } = await sent("B", { overwriteExisting: true });
      platform.put("B", "note.pdf");
      memory.end(id, "completed");
      await eventually(() => platform.listFiles("B").length >= 4);
      const [document, ...signed] = signedFiles("B");
      expect(platform.listFiles("B")).to.deep.equal([
        document,
        "note.pdf",
        ...signed,
      ]);
    });

    it("is written once although the write had no response", async () => {
      const { id, batchId } = await sent("C");
      platform.loseReply();
      memory.end(id, "completed");
      await harness.waitForStatus(id, "completed");
      await waitForWriteBacks(caller, batchId);
      expect(platform.listFiles("C")).to.deep.equal(signedFiles("C"));
    });

    it("is written when the document's own files are gone", async () => {
      const { id, batchId } = await sent("D");
      const past = { expiresAt: new Date(1), purgeAt: new Date(1) };
      await service.store.unitOfWork.run((tx) =>
        tx.update(Document, { batchId }, past),
      );
      const files = service.container.resolve(FILE_STORE);
      await deleteExpiredOutputs(service.store, files, new Date());
      memory.end(id, "completed");
      await eventually(() => platform.listFiles("D").length === 3);
      const { writeBack } = await batchWhen(
        caller,
        batchId,
        (batch) => batch.writeBack?.pending === 0,
      );
      expect(writeBack).to.include({ succeeded: 1, failed: 0 });
    });
  });
});
