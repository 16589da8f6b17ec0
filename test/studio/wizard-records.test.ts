import { expect } from "chai";
import { describe, it } from "mocha";
import {
  getFormToken,
  submitForm,
  waitForFinishedPage,
} from "../support/links.js";
import { useService } from "../support/service.js";
import { publish } from "../support/store.js";
import { pressButton, useStudio, waitForText } from "../support/studio.js";
import { allowBatches, shopOutbound, useShop } from "../support/wizard-shop.js";

const definition = {
  schema: [
    {
      id: "root",
      fields: [{ name: "number", source: "Order No.", type: "String" }],
    },
  ],
  components: [{ type: "text", text: "Order {{ root.number }}" }],
  fileName: "Order {{ root.number }}",
};

describe("the records of a button in the wizard", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useStudio(service);
  const shop = useShop();

  it("are one record, all records without a file, or those of a view", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await allowBatches(service, owner);
    const connection = await shop.connect(service, owner);
    const template = await publish(service.store, owner, { definition });
    shop.orders.addView("Due", "");
    const path = shop.wizardPath("button", { connection, template });
    await page.goto(`${service.url}/studio/${path}`);
    const select = await page.waitForSelector("#button-records");
    const options = await select?.$$eval("option", (all) =>
      all.map((one) => one.textContent),
    );
    expect(options).to.deep.equal([
      "The record whose button is clicked",
      "All records without a file in “Invoice PDF”",
      "All records in the view “Due”",
      "All records that match a filter",
    ]);
    await page.select("#button-records", "empty");
    await pressButton(page, "Create button");
    await waitForText(page, "Open this page from “Orders”");
    const url = await page.$eval(
      ".formula-shown code",
      (one) => one.textContent ?? "",
    );
    expect(url).to.match(/\/run\/[\w.-]+$/);
    const question = await (await fetch(url)).text();
    expect(question).to.contain("Create 2 documents?");
    const answer = await submitForm(url, getFormToken(question));
    const run = new URL(answer.headers.get("location") ?? "", url).href;
    await waitForFinishedPage(run);
    expect(shop.listFiles()).to.contain("Order 2026-117.pdf");
    await pressButton(page, "Buttons");
    await waitForText(page, "for all records without a file");
    expect(pageErrors).to.deep.equal([]);
  });

  it("are all that match a filter, which is entered in the words of the table", async () => {
    const { page, pageErrors, ...owner } = await signIn();
    await allowBatches(service, owner);
    const connection = await shop.connect(service, owner);
    const template = await publish(service.store, owner, { definition });
    const path = shop.wizardPath("button", { connection, template });
    await page.goto(`${service.url}/studio/${path}`);
    await page.waitForSelector("#button-records");
    await page.select("#button-records", "filter");
    await page.waitForSelector('select[aria-label="Field"]');
    const field = shop.orders.field("Total").id;
    await page.select('select[aria-label="Field"]', field);
    await page.waitForSelector('option[value="isAtLeast"]');
    await page.select('select[aria-label="Condition"]', "isAtLeast");
    await page.locator('input[aria-label="Value"]').fill("500");
    await pressButton(page, "Create button");
    await waitForText(page, "Open this page from “Orders”");
    const url = await page.$eval(
      ".formula-shown code",
      (one) => one.textContent ?? "",
    );
    const question = await (await fetch(url)).text();
    expect(question).to.contain("Create this document?");
    expect(question).to.contain("2026-117").and.not.contain("2026-118");
    expect(pageErrors).to.deep.equal([]);
  });
});
