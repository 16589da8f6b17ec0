import { expect } from "chai";
import { before, beforeEach, describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { EVENT_TYPES } from "../../core/webhooks/index.js";
import { batchWhen, sendBatch } from "../support/batches.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  newVisitor,
  pressButton,
  readSecret,
  setSession,
  type TestVisitor,
  usePage,
  waitForCount,
  waitForText,
} from "../support/studio.js";
import { answers, useReceiver, verified } from "../support/webhooks.js";
import { allowBatches, shopOutbound } from "../support/wizard-shop.js";

describe("webhooks in the studio", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const receiver = useReceiver();
  const user = usePage(service, "owner");
  let page: Page;
  let owner: TestVisitor;
  before(() => {
    ({ page } = user());
  });
  beforeEach(async () => {
    owner = await newVisitor(service);
    await setSession(service, page, owner);
    receiver.forget();
    await user().open("webhooks");
  });

  it("are added, tested, viewed, resent and disabled, and get another secret that signs from then on", async () => {
    await waitForText(page, "No endpoints yet");
    await pressButton(page, "New endpoint");
    await page.waitForSelector("#webhook-url");
    const offered = await page.$$eval("input[type=checkbox]", (boxes) =>
      boxes.map(({ value }) => value),
    );
    expect(offered).to.have.members([...EVENT_TYPES]);
    await page.locator("#webhook-url").fill(receiver.url);
    await page.locator("#webhook-description").fill("The shop");
    await pressButton(page, "Create endpoint");
    const secret = await readSecret(page);
    await pressButton(page, "I've saved it");
    await pressButton(page, "The shop");
    receiver.answer(answers(500, {}, "Out of paper"));
    await pressButton(page, "Send test message");
    await waitForText(page, "the receiver is in a private network");
    expect(await page.content()).to.not.contain("Out of paper");
    await page.waitForSelector("dialog ::-p-text(Failed)");
    receiver.answer(answers(204));
    await pressButton(page, "Resend");
    await page.waitForSelector("dialog ::-p-text(Delivered)");
    const [first, again] = await receiver.waitFor(2);
    expect(again?.id).to.equal(first?.id);
    for (const arrived of receiver.received) verified(secret, arrived);
    await pressButton(page, "Close");

    await pressButton(page, "Rotate secret");
    await page.locator("::-p-text(Immediately)").click();
    await pressButton(page, "Rotate secret", "dialog");
    const next = await readSecret(page);
    expect(next).to.not.equal(secret);
    await pressButton(page, "I've saved it");
    receiver.forget();
    await pressButton(page, "Send test message");
    const [arrived] = await receiver.waitFor(1);
    if (arrived) verified(next, arrived);
    expect(await page.content()).to.not.include(next);
    await page.waitForSelector("dialog ::-p-text(Delivered)");
    await pressButton(page, "Close");
    await pressButton(page, "Disable");
    await waitForText(page, "Endpoint disabled");
  });

  it("that were missed overnight are resent, one by one or those of a time range, as the audit log shows", async () => {
    await allowBatches(service, owner);
    const endpoint = { url: receiver.url, description: "The shop" };
    await owner.post("/api/webhooks", endpoint);
    receiver.answer(answers(410));
    const templateId = await publish(service.store, owner);
    const items = [{ data: { name: "Ada" } }];
    const batch = { templateId, items, formats: ["html"] };
    await batchWhen(owner, (await sendBatch(owner, batch)).batchId);
    const [missed] = await receiver.waitFor(1);
    await page.reload();
    await pressButton(page, "The shop");
    await waitForText(page, "Endpoint disabled");
    receiver.answer(answers(204));
    await pressButton(page, "Enable");
    await page
      .locator("::-p-xpath(//li[contains(., 'answered 410')]//button)")
      .click();
    await waitForText(page, "the receiver is in a private network");
    await pressButton(page, "Resend");
    await waitForCount(page, "dialog section[aria-label=Attempts] li", 2);
    await page.waitForSelector("dialog ::-p-text(Delivered)");
    const ids = receiver.received.map(({ id }) => id);
    expect(ids.filter((id) => id === missed?.id)).to.have.length(2);
    await pressButton(page, "Close");

    await pressButton(page, "Resend…");
    await page.locator("dialog ::-p-text(Both)").click();
    await pressButton(page, "Resend");
    await waitForText(page, "Resending 2 messages");
    await user().open("audit");
    for (const [act, who] of [
      ["Webhook changed", "Ada, in the studio"],
      ["Webhook disabled", "System, automatically"],
    ])
      await page.waitForFunction(
        `[...document.querySelectorAll(".act")].some(({ innerText }) =>
          innerText.includes("${act}") && innerText.includes("${who}"))`,
      );
  });
});
