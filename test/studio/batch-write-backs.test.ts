import { expect } from "chai";
import { describe, it } from "mocha";
import { PlatformError } from "../../core/plugin-api/index.js";
import {
  addOrder,
  newRecordCaller,
  ordersPlatform,
  sendRecords,
  useRecordService,
  waitForWriteBacks,
} from "../support/records.js";
import { counted, pressButton, said, useStudio } from "../support/studio.js";

describe("a batch whose files could not be saved to the table", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  const enter = useStudio(service);

  it("is not shown as done until they are saved", async () => {
    const caller = await newRecordCaller(service);
    for (const id of ["A", "B"]) addOrder(platform, id);
    platform.beforeCall = (what) => {
      if (what === "writeBack")
        throw new PlatformError("forbidden", "The token may not write.");
    };
    const toField = { attachmentField: "Invoice" };
    const { batchId } = await sendRecords(caller, ["A", "B"], toField);
    await waitForWriteBacks(caller, batchId);
    const { page, wrong } = await enter(
      "editor",
      undefined,
      caller.organizationId,
    );
    await pressButton(page, "Batches");
    await said(page, "2 files not saved");
    expect(await page.$$(".badge.good")).to.have.length(0);
    await page.goto(`${service.url}/studio/batches/${batchId}`);
    await said(page, "2 files not saved");
    await counted(page, ".document", 2);
    await said(page, "Not saved");
    await said(page, "The token may not write.");
    expect(await page.$$(".badge.good")).to.have.length(0);
    platform.beforeCall = () => undefined;
    await pressButton(page, "Retry failed files");
    await counted(page, ".badge.good", 3);
    expect(await page.$$(".badge.warn")).to.have.length(0);
    expect(wrong).to.deep.equal([]);
  });
});
