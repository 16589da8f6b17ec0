import { webhookWithSecretSchema } from "../../../core/webhooks/index.js";
import { expect } from "chai";
import { IsNull } from "typeorm";
import { parseConfig } from "../../../config/index.js";
import { PlatformError } from "../../../core/plugin-api/index.js";
import { QUEUE } from "../../../core/queue/index.js";
import { Job, WriteBack } from "../../../core/storage/database/index.js";
import {
  type BatchReply,
  batchWhen,
  findEvents,
} from "../../support/batches.js";
import { refusal, reader, type TestCaller } from "../../support/caller.js";
import { eventually, until } from "../../support/eventually.js";
import { createLink, openAndSubmit } from "../../support/links.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  type RecordCaller,
  runRecords,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../../support/records.js";
import { anyDatabase, eachDatabase } from "../../support/store.js";
import { answers, useReceiver } from "../../support/webhooks.js";

const toField = { attachmentField: "Invoice" };
const created = reader(webhookWithSecretSchema);
const configWith = (delays: string) => {
  const { platforms, outbound } = parseConfig({
    PLATEN_WRITE_BACK_DELAYS: delays,
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
  });
  return { platforms, outbound };
};

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

const mayNotWrite = new PlatformError("forbidden", "The token may not write.");
const isLocked = new PlatformError("conflict", "The record is locked.");
const isWaiting = (batch: BatchReply) => batch.writeBack?.waiting !== undefined;

function again(caller: RecordCaller, batchId: string) {
  return caller.post(`/api/batches/${batchId}/write-back`, {});
}

anyDatabase((_open, database) => {
  describe("the write-back of a file", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, ...configWith("20ms,20ms") },
    });
    afterEach(() => {
      platform.beforeCall = () => undefined;
      platform.beforeReply = () => undefined;
    });

    it("writes the file once even if the platform's answer is lost", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "A");
      platform.put("A", "Order A.html");
      platform.loseReply();
      const { batchId, writeBack } = await runRecords(caller, ["A"], toField);
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
        platform.loseReply();
        await runRecords(caller, ["B"], toField);
      }
      expect(platform.listFiles("B")).to.have.length(2);
    });

    it("replaces the files of the cell with overwriteExisting", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "C");
      platform.put("C", "old.pdf");
      const more = { ...toField, overwriteExisting: true };
      await runRecords(caller, ["C"], more);
      expect(platform.listFiles("C")).to.deep.equal(["Order C.html"]);
    });

    it("keeps a file that the platform refuses and writes it on a retry", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "D");
      platform.refuseWrites(mayNotWrite);
      const { batchId } = await sendRecords(caller, ["D"], toField);
      const failed = await waitForWriteBacks(caller, batchId);
      expect(failed.counts.succeeded).to.equal(1);
      expect(failed.writeBack).to.include({ failed: 1 });
      const [document] = failed.documents;
      expect(document?.metadata)
        .to.have.nested.property("platen.writeBack.error")
        .that.equals("Memory: The token may not write.");
      expect((await fetch(document?.outputs[0]?.url ?? "")).status).to.equal(
        200,
      );
      platform.beforeCall = () => undefined;
      expect((await again(caller, batchId)).status).to.equal(202);
      const { writeBack } = await waitForWriteBacks(caller, batchId);
      expect(writeBack).to.deep.equal({ pending: 0, succeeded: 1, failed: 0 });
      expect(platform.listFiles("D")).to.deep.equal(["Order D.html"]);
      expect(await refusal(again(caller, batchId))).to.equal(
        "409 No write-back of this batch has failed, so there is nothing to retry.",
      );
    });

    it("fails after its last retry", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "E");
      platform.refuseWrites(isLocked);
      const run = await runRecords(caller, ["E"], toField);
      expect(run.writeBack).to.deep.equal({
        pending: 0,
        succeeded: 0,
        failed: 1,
      });
      expect(run.documents[0]?.metadata)
        .to.have.nested.property("platen.writeBack.error")
        .that.equals("Memory: The record is locked.");
    });
  });

  describe("a write-back that waits", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, ...configWith("1h") },
    });
    afterEach(() => {
      platform.beforeCall = () => undefined;
    });

    const inAnHour = { retryAfterMs: 3_600_000 };
    const later = new PlatformError("rate_limited", "Later.", inAnHour);
    for (const [name, error, attempts] of [
      ["after a failure", isLocked, 1],
      ["for a rate limit", later, 0],
    ] as const)
      it(`says ${name} on the document, in the list and in the batch what it waits for, how often it failed and when it is tried again`, async () => {
        const caller = await newRecordCaller(service);
        const recordId = `R${attempts}`;
        addOrder(platform, recordId);
        platform.refuseWrites(error);
        const startedAt = Date.now();
        const { batchId } = await sendRecords(caller, [recordId], toField);
        const { writeBack, documents } = await batchWhen(
          caller,
          batchId,
          isWaiting,
        );
        const waiting = writeBack?.waiting;
        expect(writeBack).to.include({ pending: 1, succeeded: 0, failed: 0 });
        expect(waiting).to.include({ count: 1, attempts });
        expect(waiting?.waitingFor).to.equal(`Memory: ${error.message}`);
        expect(Date.parse(waiting?.nextAttemptAt ?? "")).to.be.greaterThan(
          startedAt,
        );
        const [document] = documents;
        const response = await caller.get(`/api/documents/${document?.id}`);
        const read: unknown = await response.json();
        const list: unknown = await (await caller.get("/api/documents")).json();
        expect(list).to.have.property("data").with.lengthOf(1);
        const shown = {
          status: "pending",
          field: "Invoice",
          attempts,
          waitingFor: waiting?.waitingFor,
          nextAttemptAt: waiting?.nextAttemptAt,
        };
        for (const one of [document, read, list])
          expect(one)
            .to.have.nested.property(
              one === list
                ? "data[0].metadata.platen.writeBack"
                : "metadata.platen.writeBack",
            )
            .that.deep.equals(shown);
      });

    it("fails when every process that wrote it has ended, and waits again when it is retried", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "K");
      platform.refuseWrites(isLocked);
      const { batchId } = await sendRecords(caller, ["K"], toField);
      await batchWhen(caller, batchId, isWaiting);
      await until("the job is at rest", () =>
        service.store.unitOfWork.run(async (tx) => {
          const { cell } = await tx.findOneByOrFail(WriteBack, { batchId });
          const rest = { rowId: cell, lockToken: IsNull() };
          const ready = { readyAt: new Date(0), attempts: 1000 };
          return (await tx.update(Job, rest, ready)).affected === 1;
        }),
      );
      service.container.resolve(QUEUE).nudge("write-back");
      const { writeBack, documents } = await waitForWriteBacks(caller, batchId);
      expect(writeBack).to.include({ pending: 0, succeeded: 0, failed: 1 });
      expect(documents[0]?.metadata)
        .to.have.nested.property("platen.writeBack.error")
        .that.matches(
          /^The process that wrote this file ended \d+ times\. Retry the write-back\.$/,
        );
      expect((await again(caller, batchId)).status).to.equal(202);
      await batchWhen(caller, batchId, isWaiting);
    });

    it("no longer waits once the write-back has failed, and shows that it is pending when it is retried", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "F");
      platform.refuseWrites(mayNotWrite);
      const { batchId } = await sendRecords(caller, ["F"], toField);
      const failed = await waitForWriteBacks(caller, batchId);
      expect(failed.writeBack).to.deep.equal({
        pending: 0,
        succeeded: 0,
        failed: 1,
      });
      platform.refuseWrites(isLocked);
      await caller.post(`/api/batches/${batchId}/write-back`, {});
      const { writeBack, documents } = await batchWhen(
        caller,
        batchId,
        isWaiting,
      );
      expect(writeBack?.waiting?.waitingFor).to.equal(
        "Memory: The record is locked.",
      );
      expect(documents[0])
        .to.have.nested.property("metadata.platen.writeBack")
        .that.includes({ status: "pending" });
    });
  });

  describe("without retries", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, ...configWith("none") },
    });
    const named = useReceiver();
    const general = useReceiver();
    afterEach(() => {
      platform.beforeCall = () => undefined;
      named.forget();
      general.forget();
    });

    async function subscribe(caller: TestCaller): Promise<void> {
      named.answer(answers(204));
      general.answer(answers(204));
      const events = ["document.saved", "documents.saved"];
      for (const body of [{ url: named.url, events }, { url: general.url }]) {
        const response = await caller.post("/api/webhooks", body);
        const webhook = await created(response, 201);
        expect(webhook.events).to.have.length(body.events ? 2 : 7);
      }
    }

    it("a write-back is tried again after a rate limit, without counting a failure", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "A");
      let rejections = 0;
      platform.beforeCall = (what) => {
        if (what !== "writeBack") return;
        rejections += 1;
        if (rejections === 1)
          throw new PlatformError("rate_limited", "Too many requests.", {
            retryAfterMs: 20,
          });
      };
      const more = { attachmentField: "Invoice" };
      const { writeBack } = await runRecords(caller, ["A"], more);
      expect(writeBack).to.deep.equal({ pending: 0, succeeded: 1, failed: 0 });
      expect(platform.listFiles("A")).to.deep.equal(["Order A.html"]);
      expect(rejections).to.equal(2);
    });

    describe("the events of write-backs", () => {
      it("are sent for each document and once for the batch, only to endpoints that name them", async () => {
        const caller = await newRecordCaller(service);
        await subscribe(caller);
        const ids = ["A", "B", "C", "D", "E", "F"];
        for (const id of ids) addOrder(platform, id);
        let writes = 0;
        platform.beforeCall = (what) => {
          if (what !== "writeBack") return;
          writes += 1;
          if (writes === 3) throw mayNotWrite;
        };
        const { batchId } = await sendRecords(caller, ids, toField);
        const arrived = await named.waitFor(7);
        const ofType = (type: string) =>
          arrived.filter((one) => one.type === type).map(({ data }) => data);
        expect(ofType("documents.saved")).to.have.length(1);
        expect(ofType("documents.saved")[0]).to.deep.include({
          batchId,
          totalDocuments: 6,
          savedCount: 5,
          failedCount: 1,
        });
        const saved = ofType("document.saved");
        expect(saved.map(({ recordId }) => recordId)).to.have.members(ids);
        const [failed] = saved.filter(({ status }) => status === "failed");
        expect(failed?.error).to.equal("Memory: The token may not write.");
        const [succeeded] = saved.filter(
          ({ status }) => status === "succeeded",
        );
        expect(succeeded).to.include({ field: "Invoice", batchId });
        expect(succeeded).to.not.have.property("error");
        await general.waitFor(7);
        expect(general.received.map(({ type }) => type)).to.not.include.members(
          ["document.saved", "documents.saved"],
        );
      });

      it("end with the batch's own if no document could be rendered", async () => {
        const caller = await newRecordCaller(service);
        addOrder(platform, "G");
        platform.beforeCall = (what) => {
          if (what === "fetchRows" && platform.reads.at(-1)?.ids[0] === "G")
            throw new PlatformError("forbidden", "The token may not read.");
        };
        const { batchId } = await runRecords(caller, ["G"], toField);
        const events = await findEvents(service, batchId);
        expect(events.map(({ type }) => type)).to.deep.equal([
          "document.failed",
          "documents.completed",
          "documents.saved",
        ]);
        expect(events.at(-1)?.data).to.deep.include({
          totalDocuments: 1,
          savedCount: 0,
          failedCount: 0,
        });
      });

      it("are recorded again when failed write-backs were retried", async () => {
        const caller = await newRecordCaller(service);
        addOrder(platform, "H");
        platform.refuseWrites(mayNotWrite);
        const { batchId } = await runRecords(caller, ["H"], toField);
        platform.beforeCall = () => undefined;
        await caller.post(`/api/batches/${batchId}/write-back`, {});
        const events = await until("the second event is recorded", async () => {
          const all = await findEvents(service, batchId);
          const some = all.filter(({ type }) => type === "documents.saved");
          return some.length === 2 ? some : null;
        });
        expect(events.map(({ data }) => data["savedCount"])).to.deep.equal([
          0, 1,
        ]);
      });

      it("do not exist for batches that write nothing back", async () => {
        const caller = await newRecordCaller(service);
        addOrder(platform, "I");
        const { batchId } = await runRecords(caller, ["I"]);
        const events = await findEvents(service, batchId);
        expect(events.map(({ type }) => type)).to.deep.equal([
          "document.succeeded",
          "documents.completed",
        ]);
      });
    });
  });

  describe("a file that exceeds the platform's maximum size", () => {
    const platform = ordersPlatform();
    const capabilities = { maxFileBytes: 10 };
    const config = { database };
    const service = useRecordService(platform, { capabilities, config });

    it("is not sent and can still be downloaded", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "A");
      const more = { attachmentField: "Invoice" };
      const { writeBack, documents } = await runRecords(caller, ["A"], more);
      expect(writeBack).to.include({ failed: 1 });
      expect(documents[0]?.metadata)
        .to.have.nested.property("platen.writeBack.error")
        .that.matches(
          /^Memory: "Order A\.html" has \d+ bytes; the maximum is 10\. Use smaller images or fewer pages\.$/,
        );
      expect(platform.writes).to.deep.equal([]);
      const file = await fetch(documents[0]?.outputs[0]?.url ?? "");
      expect(file.status).to.equal(200);
    });
  });

  describe("a platform that can write many records in one request", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, ...configWith("20ms,20ms") },
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
      const calls: string[] = [];
      const { writeBack } = await writeTogether(caller, ids, () => {
        let rejections = 0;
        platform.beforeCall = (what) => {
          calls.push(what);
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
      // Nothing was accepted, so no cell has to be looked at by itself.
      const alone = calls.filter((what) => what === "writeBack");
      expect(alone).to.have.length.below(3);
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

eachDatabase((_open, database) => {
  describe("a platform that writes many records with files from public addresses alone", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, ...configWith("20ms,20ms") },
      capabilities: { writeMany: { maxRecords: 20, needsPublicUrl: true } },
    });

    it("gets them one by one from a service without such an address", async () => {
      const caller = await newRecordCaller(service);
      const ids = listIds("p");
      for (const id of ids) addOrder(platform, id);
      await runRecords(caller, ids, toField);
      expect(ids.map((id) => platform.listFiles(id))).to.deep.equal(
        listExpected(ids),
      );
      expect(platform.manyWrites).to.deep.equal([]);
    });
  });

  describe("write-backs of many batches to the same records", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, { config: { database } });

    const records = ["A", "B", "C"];
    const batches = 12;

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
