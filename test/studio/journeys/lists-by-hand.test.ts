import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import {
  addPart,
  choose,
  newTemplate,
  paper,
  printed,
  publishDraft,
  writeOver,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";

const line = (title: string, amount: number) => ({ title, amount });
const sample = {
  customers: [
    {
      name: "Zoe",
      orders: [
        {
          number: "Z-1",
          placedOn: "2026-02-01",
          paid: true,
          lines: [line("lamp", 2), line("bulb", 0)],
        },
      ],
    },
    {
      name: "Ada",
      orders: [
        {
          number: "A-1",
          placedOn: "2026-01-10",
          paid: false,
          lines: [line("desk", 1), line("mat", 0), line("chair", 4)],
        },
        {
          number: "A-2",
          placedOn: "2026-03-05",
          paid: true,
          lines: [line("shelf", 3)],
        },
      ],
    },
  ],
};

const lines = [
  ["Customer Ada"],
  ["Order A-2", "3 x shelf.", "Paid, thank you."],
  ["Order A-1", "1 x desk.", "4 x chair.", "A-1 is to be paid."],
  ["Customer Zoe"],
  ["Order Z-1", "2 x lamp.", "Paid, thank you."],
  // The watermark of what is made to try a template.
  ["TEST"],
].flat();

const bare = (text: string) => text.replaceAll(/\s/g, "");

const field = (page: Page, name: string) =>
  page.getByRole("combobox", { name, exact: true });

/** Takes the sample over as it is, and reads the fields from it. */
async function enterSample(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Data" }).click();
  await page.getByRole("button", { name: "Sample data" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("As JSON", { exact: true }).click();
  await dialog
    .getByLabel("Record", { exact: true })
    .fill(JSON.stringify(sample));
  await dialog.getByText("9 fields were added.").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
}

/** Adds a part that repeats. */
async function addFor(page: Page, part: string, list: RegExp): Promise<void> {
  await addPart(page, part);
  await page.getByRole("tab", { name: "Rules" }).click();
  await choose(field(page, "For each"), list);
}

async function order(page: Page, by: RegExp, way: RegExp): Promise<void> {
  await page.getByRole("button", { name: "Sort", exact: true }).click();
  await choose(field(page, "Order by"), by);
  await choose(field(page, "Direction"), way);
}

async function addText(page: Page, ...all: string[]): Promise<void> {
  await addPart(page, "Text");
  await writeOver(page, ...all);
}

describe("a user whose data has nested lists", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("builds them by hand, sorted and without empty values, and prints them", async () => {
    const { page } = await signIn("editor");
    await newTemplate(page, "Blank document", "What was ordered");
    await enterSample(page);
    await addFor(page, "Box", /^Customers/);
    await order(page, /^Name/, /^A to Z/);
    await addText(page, "Customer ", "/name");
    await addFor(page, "Box", /^Orders/);
    await order(page, /^Placed on/, /^Newest first/);
    await addText(page, "Order ", "/number");
    await addFor(page, "Text", /^Lines/);
    const which = page.getByRole("region", { name: "Filter" });
    await which.getByRole("button", { name: "Add a rule" }).click();
    await choose(field(page, "Field"), /^Amount/);
    await choose(field(page, "Comparison"), /^is more than/);
    await page.getByLabel("Value", { exact: true }).fill("0");
    await paper(page).getByText("Text", { exact: true }).first().dblclick();
    await writeOver(page, "/amount", " x ", "/title", ".");
    // One of two texts, by what the order says.
    await addText(page, "Paid, thank you.");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await choose(field(page, "Field"), /^Paid/);
    await choose(field(page, "Comparison"), /^is yes/);
    await page.getByRole("switch", { name: "Otherwise" }).check();
    await paper(page)
      .getByRole("button", { name: /^Otherwise/ })
      .click();
    await paper(page).getByText("Otherwise: this text.").first().dblclick();
    await writeOver(page, "/number", " is to be paid.");
    await publishDraft(page);
    const { pages } = await printed(page);
    expect(bare(pages.join(""))).to.equal(bare(lines.join("")));
  });
});
