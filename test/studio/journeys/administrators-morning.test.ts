import { expect } from "chai";
import { describe, it } from "mocha";
import { batchWhen, sendBatch } from "../../support/batches.js";
import { newCaller } from "../../support/caller.js";
import { useJourneys } from "../../support/playwright.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store-templates.js";
import { allowBatches } from "../../support/wizard-shop.js";

describe("an administrator in the morning", () => {
  const service = useService();
  const setOut = useJourneys(service);

  it("sees what failed at night and why, tries it again, and takes the files along", async () => {
    const caller = await newCaller(service);
    await allowBatches(service, { ...caller, email: "" });
    const templateId = await publish(service.store, caller, { name: "Quote" });
    const items = [
      { data: { name: "Ada" } },
      { data: { name: "Eve", prototype: 1 } },
    ];
    const order = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, order);
    await batchWhen(caller, batchId);
    const { page } = await setOut("owner", caller.organizationId);
    await page.getByRole("link", { name: "Batches" }).first().click();
    await page.getByText("1 failed").waitFor();
    await page.getByRole("link", { name: /Quote/ }).click();
    await page.getByText("Failed 1").click();
    await page
      .getByText(/prototype/)
      .first()
      .waitFor();
    const archive = page.getByRole("link", { name: "Download all" });
    const at = new URL((await archive.getAttribute("href")) ?? "", page.url());
    const files = await page.request.get(at.href);
    expect(files.headers()["content-type"]).to.equal("application/zip");
    await page.getByRole("button", { name: "Retry what failed" }).click();
    await page.getByText("The failed documents of another batch").waitFor();
    await page.getByText("1 of 1").first().waitFor();
    expect(page.url()).to.not.include(batchId);
  });
});
