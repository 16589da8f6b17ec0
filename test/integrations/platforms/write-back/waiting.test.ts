import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { parseConfig } from "../../../../config/index.js";
import { PlatformError } from "../../../../core/plugin-api/index.js";
import { batchWhen } from "../../../support/batches.js";
import { anyDatabase } from "../../../support/store.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../../../support/records.js";

const { platforms } = parseConfig({ PLATEN_WRITE_BACK_DELAYS: "1h" });
const toField = { attachmentField: "Invoice" };

anyDatabase((_open, database) => {
  describe("a write-back that waits", () => {
    const platform = ordersPlatform();
    const service = useRecordService(platform, {
      config: { database, platforms },
    });
    afterEach(() => {
      platform.beforeCall = () => undefined;
    });

    for (const { name, error, attempts } of [
      {
        name: "after a failure",
        error: new PlatformError("conflict", "The record is locked."),
        attempts: 1,
      },
      {
        name: "for a rate limit",
        error: new PlatformError("rate_limited", "Too many requests.", {
          retryAfterMs: 3_600_000,
        }),
        attempts: 0,
      },
    ])
      it(`says ${name} on the document, in the list and in the batch what it waits for, how often it failed and when it is tried again`, async () => {
        const caller = await newRecordCaller(service);
        const recordId = `R${attempts}`;
        addOrder(platform, recordId);
        platform.beforeCall = (what) => {
          if (what === "writeBack") throw error;
        };
        const startedAt = Date.now();
        const { batchId } = await sendRecords(caller, [recordId], toField);
        const { writeBack, documents } = await batchWhen(
          caller,
          batchId,
          (batch) => batch.writeBack?.waiting !== undefined,
        );
        const waiting = writeBack?.waiting;
        expect(writeBack).to.include({ pending: 1, succeeded: 0, failed: 0 });
        expect(waiting).to.include({ count: 1, attempts });
        expect(waiting?.waitingFor).to.contain(error.message);
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

    it("no longer waits once the write-back has failed, and shows that it is pending when it is retried", async () => {
      const caller = await newRecordCaller(service);
      addOrder(platform, "F");
      platform.beforeCall = (what) => {
        if (what === "writeBack")
          throw new PlatformError("forbidden", "The token may not write.");
      };
      const { batchId } = await sendRecords(caller, ["F"], toField);
      const failed = await waitForWriteBacks(caller, batchId);
      expect(failed.writeBack).to.deep.equal({
        pending: 0,
        succeeded: 0,
        failed: 1,
      });
      platform.beforeCall = (what) => {
        if (what === "writeBack")
          throw new PlatformError("conflict", "The record is locked.");
      };
      await caller.post(`/api/batches/${batchId}/write-back`, {});
      const { writeBack, documents } = await batchWhen(
        caller,
        batchId,
        (batch) => batch.writeBack?.waiting !== undefined,
      );
      expect(writeBack?.waiting?.waitingFor).to.contain("locked");
      expect(documents[0])
        .to.have.nested.property("metadata.platen.writeBack")
        .that.includes({ status: "pending" });
    });
  });
});
