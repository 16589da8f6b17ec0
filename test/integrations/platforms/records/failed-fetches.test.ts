import { expect } from "chai";
import { afterEach, describe, it } from "mocha";
import { PlatformError } from "../../../../core/plugin-api/index.js";
import { batchWhen, retryBatch } from "../../../support/batches.js";
import {
  addOrder,
  waitForWriteBacks,
  downloadHtml,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
} from "../../../support/records.js";

describe("records that cannot be fetched after their batch was accepted", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  afterEach(() => {
    platform.beforeCall = () => undefined;
  });

  /** The first read looks for the records, the second fetches them. */
  function atSecondRead(work: () => void): void {
    let reads = 0;
    platform.beforeCall = (what) => {
      if (what !== "fetchRows") return;
      reads += 1;
      if (reads === 2) work();
    };
  }

  it("fail with their ids while the others become documents", async () => {
    const caller = await newRecordCaller(service);
    for (const id of ["A", "B"]) addOrder(platform, id);
    atSecondRead(() => platform.remove("tblOrders", "A"));
    const { batchId } = await sendRecords(caller, ["A", "B"]);
    const { documents, counts } = await waitForWriteBacks(caller, batchId);
    expect(counts).to.include({ succeeded: 1, failed: 1 });
    expect(documents[0]?.error).to.contain(
      '"Orders" no longer has a record "A"',
    );
  });

  it("are fetched again when their batch is retried", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "C");
    atSecondRead(() => platform.remove("tblOrders", "C"));
    const { batchId } = await sendRecords(caller, ["C"]);
    await batchWhen(caller, batchId);
    addOrder(platform, "C");
    const next = await retryBatch(caller, batchId);
    const batch = await waitForWriteBacks(caller, next.batchId);
    expect(batch.platform).to.equal("memory");
    expect((await downloadHtml(batch))[0]).to.contain(
      "Order C for Customer of C",
    );
  });

  it("fail with the platform's message if the credentials were revoked", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "D");
    atSecondRead(() => {
      throw new PlatformError("auth", "The token was revoked. Save a new one.");
    });
    const { batchId } = await sendRecords(caller, ["D"]);
    const { documents } = await waitForWriteBacks(caller, batchId);
    expect(documents[0]?.error).to.contain("The token was revoked");
  });

  it("are fetched again after a temporary failure of the platform", async () => {
    const caller = await newRecordCaller(service);
    addOrder(platform, "E");
    atSecondRead(() => {
      throw new PlatformError("unavailable", "It is down for a moment.");
    });
    const { batchId } = await sendRecords(caller, ["E"]);
    const { counts } = await waitForWriteBacks(caller, batchId);
    expect(counts.succeeded).to.equal(1);
  });
});
