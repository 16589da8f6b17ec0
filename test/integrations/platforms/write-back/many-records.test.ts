import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { parseConfig } from "../../../../config/index.js";
import { PlatformError } from "../../../../core/plugin-api/index.js";
import { batchWhen } from "../../../support/batches.js";
import { anyDatabase } from "../../../support/store.js";
import { createLink, openAndSubmit } from "../../../support/links.js";
import { eventually } from "../../../support/eventually.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../../../support/records.js";

const { platforms } = parseConfig({ PLATEN_WRITE_BACK_DELAYS: "20ms,20ms" });
const toField = { attachmentField: "Invoice" };

/** A promise that resolves when it is opened. */
function createLatch() {
  const opening = new EventTarget();
  const opened = new Promise<void>((resolve) =>
    opening.addEventListener("open", () => resolve()),
  );
  return { opened, open: () => void opening.dispatchEvent(new Event("open")) };
}

const listExpected = (ids: readonly string[]) =>
  ids.map((id) => [`Order ${id}.html`]);
const listIds = (prefix: string) =>
  Array.from({ length: 8 }, (_, at) => `${prefix}${at}`);

anyDatabase((_open, database) => {
  describe("a platform that can write many records in one request", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, platforms },
      capabilities: { writeMany: { maxRecords: 20 } },
    });
    afterEach(() => {
      platform.beforeCall = () => undefined;
      platform.beforeReply = () => undefined;
      platform.writeDelay = Promise.resolve();
      platform.leftOut.clear();
      platform.manyWrites.length = 0;
    });

    /** Has the first write end when all documents are due. @param beforeMany runs before the next one. */
    async function writeTogether(
      caller: RecordCaller,
      ids: readonly string[],
      beforeMany: () => void = () => undefined,
      more: object = toField,
    ) {
      for (const id of ids) addOrder(platform, id);
      const held = createLatch();
      platform.writeDelay = held.opened;
      const { batchId } = await sendRecords(caller, ids, more);
      await batchWhen(caller, batchId);
      beforeMany();
      held.open();
      platform.writeDelay = Promise.resolve();
      return waitForWriteBacks(caller, batchId);
    }

    const listFiles = (ids: readonly string[]) =>
      ids.map((id) => platform.listFiles(id));

    it("gets all that are due in one request", async () => {
      const caller = await newRecordCaller(service);
      const ids = listIds("a");
      let writes = 0;
      platform.beforeCall = (what) => {
        if (what.startsWith("writeBack")) writes += 1;
      };
      const { writeBack } = await writeTogether(caller, ids);
      expect(writeBack).to.include({ succeeded: 8, failed: 0 });
      expect(listFiles(ids)).to.deep.equal(listExpected(ids));
      // Those that were due first, and all others.
      expect(writes).to.be.at.most(2);
    });

    it("gets them one by one if it refuses them together, and the one that fails is reported alone", async () => {
      const caller = await newRecordCaller(service);
      const ids = listIds("b");
      let writes = 0;
      platform.beforeCall = (what) => {
        if (what === "writeBack") writes += 1;
        if (what === "writeBackMany" || (what === "writeBack" && writes === 3))
          throw new PlatformError("not_found", "There is no such record.");
      };
      const { writeBack, documents } = await writeTogether(caller, ids);
      expect(writeBack).to.include({ succeeded: 7, failed: 1 });
      const failed = documents.filter(({ metadata }) =>
        JSON.stringify(metadata).includes("There is no such record"),
      );
      expect(failed).to.have.length(1);
      expect(listFiles(ids).flat()).to.have.length(7);
    });

    it("gets each file once if its answer is lost", async () => {
      const caller = await newRecordCaller(service);
      const ids = listIds("c");
      const { writeBack } = await writeTogether(caller, ids, () => {
        platform.beforeReply = () => {
          if (platform.manyWrites.length === 0) return;
          platform.beforeReply = () => undefined;
          throw new PlatformError("unavailable", "No answer.");
        };
      });
      expect(writeBack).to.include({ succeeded: 8, failed: 0 });
      expect(platform.manyWrites).to.not.deep.equal([]);
      expect(listFiles(ids)).to.deep.equal(listExpected(ids));
    });

    it("is asked for those that it does not return, before they are written again", async () => {
      const caller = await newRecordCaller(service);
      const ids = listIds("d");
      for (const id of ids.slice(2, 6)) platform.leftOut.add(id);
      const { writeBack } = await writeTogether(caller, ids);
      expect(writeBack).to.include({ succeeded: 8, failed: 0 });
      expect(listFiles(ids)).to.deep.equal(listExpected(ids));
    });

    it("gets all of them later if it accepts no more requests, which counts for none as a failure", async () => {
      const caller = await newRecordCaller(service);
      const ids = listIds("e");
      const { writeBack } = await writeTogether(caller, ids, () => {
        let rejections = 0;
        platform.beforeCall = (what) => {
          if (what !== "writeBackMany") return;
          rejections += 1;
          if (rejections > 3) return;
          throw new PlatformError("rate_limited", "Too many requests.", {
            retryAfterMs: 20,
          });
        };
      });
      expect(writeBack).to.include({ succeeded: 8, failed: 0 });
      expect(listFiles(ids)).to.deep.equal(listExpected(ids));
    });

    it("replaces the files of each cell", async () => {
      const caller = await newRecordCaller(service);
      const ids = listIds("f");
      for (const id of ids) platform.put(id, "old.pdf");
      const more = { ...toField, overwriteExisting: true };
      await writeTogether(caller, ids, undefined, more);
      expect(listFiles(ids)).to.deep.equal(listExpected(ids));
    });

    it("gets the file of a pressed button while a write of a batch hangs", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "pressed");
      const link = await createLink(caller);
      const ids = listIds("g");
      for (const id of ids) addOrder(platform, id);
      const held = createLatch();
      let writes = 0;
      platform.beforeCall = (what) => {
        if (what.startsWith("writeBack")) writes += 1;
      };
      platform.writeDelay = held.opened;
      const { batchId } = await sendRecords(caller, ids, toField);
      await eventually(() => writes > 0);
      platform.writeDelay = Promise.resolve();
      await openAndSubmit(link.url, "pressed");
      await eventually(() => platform.listFiles("pressed").length === 1);
      expect(listFiles(ids).flat()).to.deep.equal([]);
      held.open();
      await waitForWriteBacks(caller, batchId);
      expect(listFiles(ids)).to.deep.equal(listExpected(ids));
    });
  });
});
