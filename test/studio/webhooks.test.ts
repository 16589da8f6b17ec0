import { expect } from "chai";
import { describe, it } from "mocha";
import { parseConfig } from "../../config/index.js";
import { EVENT_TYPES } from "../../core/webhooks/index.js";
import { Organization } from "../../core/storage/database/index.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForCount,
  pressButton,
  waitForText,
  useStudio,
  signInAs,
} from "../support/studio.js";
import { answers, useReceiver, verified } from "../support/webhooks.js";

const { outbound } = parseConfig({
  PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
});

describe("webhooks in the studio", () => {
  const service = useService({ config: { outbound } });
  const signIn = useStudio(service);
  const receiver = useReceiver();

  it("are added, tested, viewed, resent and disabled", async () => {
    const { page, pageErrors } = await signIn();
    await pressButton(page, "Webhooks");
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
    const shown = await page.waitForSelector(".secret");
    const secret = (await shown?.evaluate((one) => one.textContent)) ?? "";
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
    await pressButton(page, "Disable");
    await waitForText(page, "Endpoint disabled");
    expect(pageErrors).to.deep.equal([]);
  });

  it("resend the messages of a time range", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    const visitor = await signInAs(service, owner);
    await visitor.send("POST", "/api/webhooks", { url: receiver.url });
    receiver.forget();
    receiver.answer(answers(204));
    const organization = { id: owner.organizationId };
    await service.store.unitOfWork.run((tx) =>
      tx.update(Organization, organization, { plan: "premium" }),
    );
    const templateId = await publish(service.store, owner);
    const items = [{ data: { name: "Ada" } }];
    const batch = { templateId, items, formats: ["html"] };
    const accepted = await visitor.send("POST", "/api/export/batch", batch);
    expect(accepted.status, await accepted.text()).to.equal(202);
    const first = (await receiver.waitFor(2)).map(({ id }) => id);
    await pressButton(page, "Webhooks");
    await pressButton(page, receiver.url);
    await page.waitForSelector("::-p-aria(Deliveries)");
    await waitForCount(page, ".document .badge.good", 2);
    await pressButton(page, "Resend…");
    await page.locator("dialog ::-p-text(Both)").click();
    await pressButton(page, "Resend");
    await waitForText(page, "Resending 2 messages");
    const again = (await receiver.waitFor(4)).slice(2);
    expect(again.map(({ id }) => id)).to.have.members(first);
    expect(pageErrors).to.deep.equal([]);
  });

  it("get another secret, shown once, which signs from then on", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    const visitor = await signInAs(service, owner);
    await visitor.send("POST", "/api/webhooks", { url: receiver.url });
    await pressButton(page, "Webhooks");
    await pressButton(page, receiver.url);
    await pressButton(page, "Rotate secret");
    await page.locator("::-p-text(Immediately)").click();
    await pressButton(page, "Rotate secret");
    const shown = await page.waitForSelector(".secret");
    const secret = (await shown?.evaluate((one) => one.textContent)) ?? "";
    await pressButton(page, "I've saved it");
    receiver.forget();
    await pressButton(page, "Send test message");
    const [arrived] = await receiver.waitFor(1);
    if (arrived) verified(secret, arrived);
    expect(await page.content()).to.not.include(secret);
    expect(pageErrors).to.deep.equal([]);
  });

  it("are read-only for everyone except owners", async () => {
    const { page, ...editor } = await signIn("editor");
    await pressButton(page, "Webhooks");
    await waitForText(page, "An owner of your organization can add one");
    expect(await page.$$("main button")).to.have.length(0);
    const visitor = await signInAs(service, editor);
    const order = { url: receiver.url };
    const rejected = await visitor.send("POST", "/api/webhooks", order);
    expect(await rejected.text()).to.include("webhooks:write");
  });
});
