import { expect } from "chai";
import { describe, it } from "mocha";
import type { Locator, Page } from "playwright-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import {
  fetchDraft,
  openTemplate,
  paper,
  printed,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";
import { signInAs } from "../../support/studio.js";

const line = (category: string, title: string, amount: number) => ({
  category,
  title,
  amount,
});

/** The data is there, and nothing else. */
const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "seller", type: "String" },
        { name: "customer", type: "String" },
        { name: "total", type: "Number" },
        { name: "note", type: "String" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "category", type: "String" },
        { name: "title", type: "String" },
        { name: "amount", type: "Number" },
      ],
    },
  ],
  components: [],
  sample: {
    seller: "Atelier Lindvey, Berlin",
    customer: "Meridian Coffee",
    total: 4000,
    note: "Please pay at once.",
    lines: [
      line("Design", "Logo", 1500),
      line("Print", "Cards", 1000),
      line("Design", "Menu", 1500),
    ],
  },
};

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><rect width="90" height="30" fill="#3d4bd1"/></svg>';

/** Counts the clicks that reach the pages, and the keys. */
async function countHands(
  page: Page,
): Promise<{ clicks: number; keys: number }> {
  const hands = { clicks: 0, keys: 0 };
  await page.exposeFunction("noteHand", (kind: "clicks" | "keys") => {
    hands[kind] += 1;
  });
  await page.evaluate(`
    addEventListener("pointerdown", () => noteHand("clicks"), true);
    addEventListener("keydown", () => noteHand("keys"), true);
  `);
  return hands;
}

describe("a user with only a mouse", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("designs a letterhead with a logo, a grouped table with totals, a condition and a footer, and publishes it, with 28 clicks and no key", async () => {
    const session = await signIn("editor");
    const { page } = session;
    const editor = await signInAs(service, session.person);
    const base64Data = Buffer.from(logo).toString("base64");
    await editor.send("POST", "/api/assets", { name: "logo.svg", base64Data });
    await openTemplate(session, definition);
    const hands = await countHands(page);
    const left = page.getByRole("complementary", {
      name: "Components and data",
    });
    const right = page.getByRole("complementary", { name: "Properties" });
    const tab = (name: string) => left.getByRole("tab", { name }).click();
    const add = (name: string) =>
      left.getByRole("button", { name, exact: true }).click();
    const insert = (field: string) =>
      left
        .getByRole("button", { name: new RegExp(`^Insert ${field}(?::|$)`) })
        .click();
    /** The list opens with a click and closes with another, which the browser draws itself. */
    const choose = async (list: Locator, words: RegExp) => {
      const option = list.getByRole("option", { name: words }).first();
      await list.selectOption({ label: (await option.textContent()) ?? "" });
      hands.clicks += 2;
    };
    const list = (name: string) =>
      right.getByRole("combobox", { name, exact: true });
    const selectPage = () =>
      page
        .getByRole("navigation", { name: "Selection path" })
        .getByRole("button", { name: "Page", exact: true })
        .click();

    // The logo in the header.
    await paper(page).getByRole("button", { name: "Add a header" }).click();
    await add("Image");
    await right.getByRole("button", { name: "Choose", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /logo/ })
      .click();
    // The footer, which starts with the number of the page.
    await paper(page).getByRole("button", { name: "Add a footer" }).click();
    // The letterhead.
    await selectPage();
    await tab("Data");
    await insert("Seller");
    await insert("Customer");
    // The table, grouped, with subtotals and the total in bold.
    await insert("Lines");
    await insert("Total");
    await page
      .getByRole("toolbar", { name: "Text style" })
      .getByRole("button", { name: /^Bold/ })
      .click();
    await paper(page).getByText("Logo", { exact: true }).click();
    await page
      .getByRole("navigation", { name: "Selection path" })
      .getByRole("button", { name: "Row", exact: true })
      .click();
    await right.getByRole("tab", { name: "Rules" }).click();
    await choose(list("Group by"), /^Category/);
    await page.getByText("2 groups in the sample").waitFor();
    // The note, if there is one.
    await selectPage();
    await insert("Note");
    await paper(page).getByText("Please pay at once.").click();
    await right.getByRole("tab", { name: "Rules" }).click();
    await right.getByRole("button", { name: "Add a rule" }).last().click();
    await choose(list("Field"), /^Note/);
    await choose(list("Comparison"), /^is not empty/);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: "Publish" })
      .click();
    await page.getByText(/Published as version/).waitFor();
    expect(hands).to.eql({ clicks: 28, keys: 0 });
    const { page: frame, components } = await fetchDraft(page);
    const total = components.find(
      (one) => "text" in one && one.text === "{{ root.total }}",
    );
    expect(total?.style).to.have.property("font-weight", "600");
    expect(JSON.stringify(frame?.header)).to.include("asset:");
    const { pages } = await printed(page);
    expect(pages[0]?.replaceAll(/\s/g, "")).to.include(
      "AtelierLindvey,BerlinMeridianCoffeeCategoryTitleAmount" +
        "DesignDesignLogo1500DesignMenu1500Subtotal3000" +
        "PrintPrintCards1000Subtotal10004000Pleasepayatonce.",
    );
    expect(pages[0]).to.include("Page 1 of 1");
  });
});
