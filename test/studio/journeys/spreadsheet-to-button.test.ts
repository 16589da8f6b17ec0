import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { z } from "zod";
import { choose, useJourneys } from "../../support/journeys.js";
import { pdfFacts } from "../../support/read-pdf.js";
import { useService } from "../../support/service.js";
import {
  allowBatches,
  shopOutbound,
  useShop,
  type WizardShop,
} from "../../support/wizard-shop.js";

const files = z.array(z.object({ filename: z.string(), url: z.string() }));

/** What lies in the cell for files of an order. */
function readFiles({ orders }: WizardShop, order: string) {
  const { id } = orders.field("Order No.");
  const record = [...orders.records.values()].find(
    ({ cells }) => cells.get(id) === order,
  );
  const cell = record?.cells.get(orders.field("Invoice PDF").id);
  return files.parse(cell ?? []);
}

/** What fills each field of the example, if anything. */
const sources = {
  Signatories: /^Leave it empty/,
  Number: /^Order No\./,
  Recipient: /^Customer/,
  Programme: /^Leave it empty/,
  Level: /^Leave it empty/,
  Hours: /^Total/,
  Place: /^Leave it empty/,
  "Issued on": /^Issued on/,
  Academy: /^Leave it empty/,
};

async function at(page: Page, title: string): Promise<void> {
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
}

describe("a user with a spreadsheet", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useJourneys(service);
  const shop = useShop();

  async function connect(page: Page): Promise<void> {
    await page.getByRole("button", { name: "Airtable" }).click();
    const token = page.getByLabel("Personal access token");
    await token.fill("pat-mistyped");
    await page.getByText("More settings").click();
    for (const label of ["API address", "Upload address"])
      await page.getByLabel(label).fill(shop.airtable.url);
    const button = page.getByRole("button", { name: "Connect", exact: true });
    await button.click();
    await page.getByText("The token is not valid").waitFor();
    await token.fill(shop.token);
    await button.click();
  }

  it("connects on the second try, chooses an example, then another, and finds the file in its cell", async () => {
    const { page, person } = await signIn("owner");
    await allowBatches(service, person);
    await page.reload();
    const button = (name: string | RegExp) =>
      page.getByRole("button", { name, exact: true });
    const steps = page.getByRole("navigation", { name: "Steps" });
    await page
      .getByRole("link", { name: "Connect a spreadsheet" })
      .first()
      .click();
    await connect(page);
    await at(page, "Choose the table");
    await page.getByRole("searchbox").fill("invoice pdf");
    await button(/^Orders/).click();
    await page.getByText("Start from an example").click();
    await button(/^Certificate/).click();
    await at(page, "Fill the template");
    await button("Save and continue").click();
    await page.getByText("Some template fields aren't mapped yet").waitFor();
    for (const [name, source] of Object.entries(sources)) {
      const select = page.getByRole("combobox", {
        name: new RegExp(`^${name}`),
      });
      await choose(select, source);
    }
    // Back to the table, and forth: nothing is lost.
    await steps.getByRole("link", { name: "Table" }).click();
    await at(page, "Choose the table");
    await steps.getByRole("link", { name: "Fields" }).click();
    const recipient = page.getByRole("combobox", { name: /^Recipient/ });
    expect(await recipient.inputValue()).to.equal(
      shop.orders.field("Customer").id,
    );
    await button("Save and continue").click();
    await at(page, "Choose where the file goes");
    await page.getByRole("checkbox", { name: "Web page (HTML)" }).check();
    await button("Continue").click();
    // Another thought before the button is made.
    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("checkbox", { name: "Web page (HTML)" }).uncheck();
    await button("Continue").click();
    await page.getByLabel("Button name").fill("Diploma");
    await button("Create button").click();
    await page.getByRole("heading", { name: "Paste this into" }).waitFor();
    await page.getByRole("link", { name: "Try it" }).last().click();
    const search = page.getByRole("searchbox", { name: "Search by Order No." });
    await search.fill("2031");
    await page.getByText("No matches.").waitFor();
    await search.fill("118");
    await button("2026-118").click();
    await button("Create the document for “2026-118”").click();
    await page.getByText("It works").waitFor();
    const [file, ...others] = readFiles(shop, "2026-118");
    expect(others).to.deep.equal([]);
    const kept = await fetch(file?.url ?? "");
    const { pages } = await pdfFacts(new Uint8Array(await kept.arrayBuffer()));
    expect(pages[0]).to.include("This is to certify that");
    expect(pages[0]).to.include("Ada Byron").and.include("2026-118");
    expect(readFiles(shop, "2026-117")).to.deep.equal([]);
    const has = async (what: string) => {
      const response = await page.request.get(`${service.url}/api/${what}`);
      return response.text();
    };
    expect(await has("links")).to.include('"name":"Diploma"');
    const connections = await has("connections");
    expect(connections.match(/"platform":"airtable"/g)).to.have.length(1);
  });
});
