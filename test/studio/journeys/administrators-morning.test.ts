import { expect } from "chai";
import { describe, it } from "mocha";
import type { TestCaller } from "../../support/caller.js";
import { batchWhen, newBatchCaller, sendBatch } from "../../support/batches.js";
import { useJourneys } from "../../support/journeys.js";
import { useService } from "../../support/service.js";
import { publish } from "../../support/store.js";
import { answers, useReceiver } from "../../support/webhooks.js";
import { shopOutbound } from "../../support/wizard-shop.js";

describe("an administrator in the morning", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useJourneys(service);
  const receiver = useReceiver();

  /** A batch at night, half of which fails. @returns its id. */
  async function night(caller: TestCaller): Promise<string> {
    const templateId = await publish(service.store, caller, { name: "Quote" });
    const items = [
      { data: { name: "Ada" } },
      { data: { name: "Eve", prototype: 1 } },
    ];
    const order = { templateId, formats: ["html"], items };
    const { batchId } = await sendBatch(caller, order);
    await batchWhen(caller, batchId);
    return batchId;
  }

  it("sees what failed overnight and why, retries it, and downloads the files", async () => {
    const caller = await newBatchCaller(service);
    const batchId = await night(caller);
    const { page } = await signIn("owner", caller.organizationId);
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
    await page.getByRole("button", { name: "Retry failed documents" }).click();
    await page
      .getByText("Retry of the failed documents in another batch")
      .waitFor();
    await page.getByText("1 of 1").first().waitFor();
    expect(page.url()).to.not.include(batchId);
  });

  it("resends missed webhooks, and the audit log records who did it", async () => {
    const caller = await newBatchCaller(service);
    const endpoint = { url: receiver.url, description: "The shop" };
    await caller.post("/api/webhooks", endpoint);
    receiver.answer(answers(410));
    await night(caller);
    await receiver.waitFor(1);
    const { page, person } = await signIn("owner", caller.organizationId);
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("link", { name: "The shop" }).click();
    await page.getByText("Endpoint disabled").waitFor();
    receiver.answer(answers(204));
    await page.getByRole("button", { name: "Enable" }).click();
    const rejected = page.getByRole("listitem").filter({ hasText: "Failed" });
    const failed = rejected.filter({ hasText: "answered 410" }).first();
    await failed.getByRole("button", { name: /^Show/ }).click();
    const dialog = page.getByRole("dialog");
    const log = dialog.getByRole("region", { name: "Attempts" });
    const attempts = log.getByRole("listitem");
    await attempts.getByText("the receiver is in a private network").waitFor();
    await dialog.getByRole("button", { name: "Resend" }).click();
    await attempts.getByText("Delivered").waitFor();
    expect(await attempts.count()).to.equal(2);
    // The program knows by its id that it is the same message.
    const ids = receiver.received.map(({ id }) => id);
    expect(ids.length - new Set(ids).size).to.equal(1);
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByRole("link", { name: "Audit log" }).click();
    const act = (words: string) =>
      page.getByRole("listitem").filter({ hasText: words });
    await act("Webhook changed").getByText("Ada, in the studio").waitFor();
    await act("Webhook disabled").getByText("System, automatically").waitFor();
    const audit = `${service.url}/studio/api/audit?action=webhook.changed`;
    const noted = await (await page.request.get(audit)).text();
    expect(noted.match(new RegExp(`"id":"${person.userId}"`, "g")))
      .to.be.an("array")
      .with.length(1);
  });
});
