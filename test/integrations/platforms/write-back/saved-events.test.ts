import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { parseConfig } from "../../../../config/index.js";
import { webhookWithSecretSchema } from "../../../../core/api/routes/webhooks.js";
import { PlatformError } from "../../../../core/plugin-api/index.js";
import { findEvents } from "../../../support/batches.js";
import { reader, type TestCaller } from "../../../support/caller.js";
import { until } from "../../../support/eventually.js";
import { anyDatabase } from "../../../support/store.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../../../support/records.js";
import { answers, useReceiver } from "../../../support/webhooks.js";

const { platforms, outbound } = parseConfig({
  PLATEN_WRITE_BACK_DELAYS: "none",
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
});
const toField = { attachmentField: "Invoice" };
const created = reader(webhookWithSecretSchema);

anyDatabase((_open, database) => {
  describe("the events of write-backs", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, platforms, outbound },
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

    it("are sent for each document and once for the batch, only to endpoints that name them", async () => {
      const caller = await newRecordCaller(service);
      await subscribe(caller);
      const ids = ["A", "B", "C", "D", "E", "F"];
      for (const id of ids) addOrder(platform, id);
      let writes = 0;
      platform.beforeCall = (what) => {
        if (what !== "writeBack") return;
        writes += 1;
        if (writes === 3)
          throw new PlatformError("forbidden", "The token may not write.");
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
      expect(failed?.error).to.contain("may not write");
      const [succeeded] = saved.filter(({ status }) => status === "succeeded");
      expect(succeeded).to.include({ field: "Invoice", batchId });
      expect(succeeded).to.not.have.property("error");
      await general.waitFor(7);
      expect(general.received.map(({ type }) => type)).to.not.include.members([
        "document.saved",
        "documents.saved",
      ]);
    });

    it("end with the batch's own if no document could be rendered", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "G");
      platform.beforeCall = (what) => {
        if (what === "fetchRows" && platform.reads.at(-1)?.ids[0] === "G")
          throw new PlatformError("forbidden", "The token may not read.");
      };
      const { batchId } = await sendRecords(caller, ["G"], toField);
      await waitForWriteBacks(caller, batchId);
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
      platform.beforeCall = (what) => {
        if (what === "writeBack")
          throw new PlatformError("forbidden", "The token may not write.");
      };
      const { batchId } = await sendRecords(caller, ["H"], toField);
      await waitForWriteBacks(caller, batchId);
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
      const { batchId } = await sendRecords(caller, ["I"]);
      await waitForWriteBacks(caller, batchId);
      const events = await findEvents(service, batchId);
      expect(events.map(({ type }) => type)).to.deep.equal([
        "document.succeeded",
        "documents.completed",
      ]);
    });
  });
});
