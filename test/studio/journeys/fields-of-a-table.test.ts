import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { eventually } from "../../support/eventually.js";
import {
  addPart,
  fetchDraft,
  newTemplate,
  printed,
  publishDraft,
  writeOver,
  useJourneys,
} from "../../support/journeys.js";
import { pdfFacts } from "../../support/read-pdf.js";
import { useService } from "../../support/service.js";
import { shopOutbound, useShop } from "../../support/wizard-shop.js";

const words = "Order 2026-117 of Lindvey & Sons, Nov 21, 2026.";

async function importFields(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Data" }).click();
  await page
    .getByRole("button", { name: "Import fields from a table" })
    .click();
  const dialog = page.getByRole("dialog");
  const field = (name: string) => dialog.getByRole("combobox", { name });
  await field("Connection").selectOption({ label: "Our shop" });
  await field("Table").selectOption({ label: "Orders" });
  const found = dialog.getByRole("list", { name: "Its fields" });
  await found.getByText("Customer").waitFor();
  await dialog.getByRole("button", { name: "Import" }).click();
  await page.getByText("Fields imported.").waitFor();
}

/** The text of the first page that the preview shows. */
async function previewed(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Preview" }).click();
  const preview = page.getByRole("complementary", { name: "Preview" });
  const arriving = page.waitForEvent("download");
  await preview.getByRole("link", { name: "Download the file" }).click();
  const file = await readFile(await (await arriving).path());
  return (await pdfFacts(file)).pages[0] ?? "";
}

describe("a user whose records are in a table", () => {
  const service = useService({ config: { outbound: shopOutbound } });
  const signIn = useJourneys(service);
  const shop = useShop();

  it("imports its fields, uses them in a text, and sees the first record", async () => {
    const { page, person } = await signIn("editor");
    await shop.connect(service, person);
    await newTemplate(page, "Blank document", "Our orders");
    await importFields(page);
    await addPart(page, "Text");
    const fields = [" of ", "/customer", ", ", "/issued", "."];
    await writeOver(page, "Order ", "/order no", ...fields);
    await page.getByRole("tab", { name: "Data" }).click();
    await page.getByRole("button", { name: "Insert Items" }).click();
    const definition = await eventually(async () => {
      const draft = await fetchDraft(page);
      return draft.components.length === 2 && draft;
    });
    const [text] = definition.components;
    const named = (name: string) =>
      definition.schema[0]?.fields.find(
        ({ source }) => source === shop.orders.field(name).id,
      )?.name;
    expect(text).to.include({
      text: `Order {{ root.${named("Order No.")} }} of {{ root.${named("Customer")} }}, {{ root.${named("Issued on")} | date("medium") }}.`,
    });
    expect(JSON.stringify(definition.sample)).to.include("Lindvey & Sons");
    const shown = await previewed(page);
    expect(shown).to.include(words).and.include("Oak table");
    await publishDraft(page);
    const { pages } = await printed(page);
    expect(pages[0]).to.include(words).and.include("Two chairs");
  });
});
