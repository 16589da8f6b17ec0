import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { describe, it } from "mocha";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import {
  waitForCount,
  waitForHeading,
  pressButton,
  waitForText,
  useStudio,
} from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

async function fillToken(page: Page, token: string): Promise<void> {
  const field = "::-p-aria([name='Personal access token'])";
  await page.locator(field).fill(token);
}

describe("the wizard from a spreadsheet to a button", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useStudio(service);
  const shop = useShop();

  async function connect(page: Page, token: string): Promise<void> {
    await pressButton(page, "Connect a spreadsheet");
    await page.locator(".target::-p-text(Airtable)").click();
    await fillToken(page, token);
    await pressButton(page, "More settings");
    for (const label of ["API address", "Upload address"])
      await page
        .locator(`::-p-aria([name="${label}"])`)
        .fill(shop.airtable.url);
    await pressButton(page, "Connect");
  }

  it("leads from the start to a file in the record's cell", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await allowBatches(service, owner);
    await page.reload();
    await connect(page, shop.token);
    await page.locator(".pick::-p-text(Orders)").click();
    await pressButton(page, "Create a template from the table");
    await waitForText(page, "Lindvey & Sons");
    await pressButton(page, "Save and continue");
    await waitForText(page, "File format");
    await pressButton(page, "Continue");
    await pressButton(page, "Create button");
    await page.waitForSelector(".formula-shown");
    const formula = await page.$eval(
      ".formula-shown code",
      (one) => one.textContent,
    );
    expect(formula).to.match(/^"http.*\/run\/.*\?recordId=" & RECORD_ID\(\)$/);
    expect(page.url()).to.not.contain("/run/");
    await pressButton(page, "Try it");
    await page.locator("input[type=search]").fill("117");
    await waitForCount(page, ".pick", 1);
    await pressButton(page, "2026-117");
    await pressButton(page, "Create the document for “2026-117”");
    await waitForText(page, "It works");
    expect(shop.listFiles()).to.contain("Orders 2026-117.pdf");
    expect(pageErrors).to.deep.equal([]);
  });

  it("reports refused credentials and retries with the same connection", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await allowBatches(service, owner);
    await connect(page, "pat-mistyped");
    await waitForText(page, "The token is not valid");
    expect(await page.content()).to.not.contain("pat-mistyped");
    await fillToken(page, shop.token);
    await pressButton(page, "Connect");
    await waitForHeading(page, "Choose the table");
    await pressButton(page, "Back");
    await waitForHeading(page, "Connect your spreadsheet");
    await page.waitForSelector(".pick");
    expect(await page.$$(".pick")).to.have.length(1);
    expect(pageErrors).to.deep.equal([]);
  });

  it("keeps the choices when going back and forth", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    const connection = await shop.connect(service, owner);
    const template = await publish(service.store, owner);
    const path = shop.wizardPath("file", { connection, template });
    await page.goto(`${service.url}/studio/${path}`);
    await pressButton(page, "Web page (HTML)");
    await pressButton(page, "Back");
    await waitForHeading(page, "Fill the template");
    await pressButton(page, "File");
    await waitForHeading(page, "Choose where the file goes");
    await page.waitForSelector(".checks");
    const ticked = await page.$$eval(".checks :checked", (all) =>
      all.map((one) => one.closest("label")?.textContent),
    );
    expect(ticked).to.deep.equal(["PDF", "Web page (HTML)"]);
    await page.goBack();
    await waitForHeading(page, "Fill the template");
    expect(pageErrors).to.deep.equal([]);
  });
});
