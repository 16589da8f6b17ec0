import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../../../config/index.js";
import { PlatformError } from "../../../../core/plugin-api/index.js";
import {
  addOrder,
  waitForWriteBacks,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
} from "../../../support/records.js";

const { platforms } = parseConfig({ PLATEN_WRITE_BACK_DELAYS: "none" });

describe("a write-back that hits the platform's rate limit", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform, { config: { platforms } });

  it("is tried again later without counting a failure", async () => {
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
    const { batchId } = await sendRecords(caller, ["A"], more);
    const { writeBack } = await waitForWriteBacks(caller, batchId);
    expect(writeBack).to.deep.equal({ pending: 0, succeeded: 1, failed: 0 });
    expect(platform.listFiles("A")).to.deep.equal(["Order A.html"]);
    expect(rejections).to.equal(2);
  });
});
