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
import {
  waitForCount,
  pressButton,
  waitForText,
  useStudio,
} from "../support/studio.js";

describe("a batch whose files could not be saved to the table", () => {
  const platform = ordersPlatform();
  const service = useRecordService(platform);
  const signIn = useStudio(service);

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
    const { page, pageErrors } = await signIn(
      "editor",
      undefined,
      caller.organizationId,
    );
    await pressButton(page, "Batches");
    await waitForText(page, "2 files not saved");
    expect(await page.$$(".badge.good")).to.have.length(0);
    await page.goto(`${service.url}/studio/batches/${batchId}`);
    await waitForText(page, "2 files not saved");
    await waitForCount(page, ".document", 2);
    await waitForText(page, "Not saved");
    await waitForText(page, "The token may not write.");
    expect(await page.$$(".badge.good")).to.have.length(0);
    platform.beforeCall = () => undefined;
    await pressButton(page, "Retry failed files");
    await waitForCount(page, ".badge.good", 3);
    expect(await page.$$(".badge.warn")).to.have.length(0);
    expect(pageErrors).to.deep.equal([]);
  });
});
