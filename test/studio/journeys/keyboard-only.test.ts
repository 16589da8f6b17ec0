import { expect } from "chai";
import { describe, it } from "mocha";
import type { Locator, Page } from "playwright-core";
import type { ProjectData } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import {
  fetchDraft,
  openTemplate,
  paper,
  useJourneys,
} from "../../support/journeys.js";
import { useService } from "../../support/service.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [{ name: "lines", type: "OneToManyLink", target: "lines" }],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "amount", type: "Number" },
      ],
    },
  ],
  components: [{ type: "heading", id: "title", text: "Delivery" }],
  sample: {
    lines: [
      { title: "Oak table", amount: 420 },
      { title: "Two chairs", amount: 180 },
    ],
  },
};

/** Presses Tab, or Shift+Tab, until what has the focus has this role and name. */
async function tabTo(page: Page, key: "Tab" | "Shift+Tab", wanted: Locator) {
  const isThere = () => wanted.evaluate((one) => one.matches(":focus"));
  while (!(await isThere())) await page.keyboard.press(key);
}

async function getTypes(page: Page): Promise<string> {
  const { components } = await fetchDraft(page);
  return components.map(({ type }) => type).join();
}

/** The cells of all tables, and what their rows repeat for. */
async function getLines(page: Page): Promise<unknown[]> {
  const { components } = await fetchDraft(page);
  return components
    .flatMap((table) => (table.type === "table" ? table.components : []))
    .flatMap((row) => [
      ...(row.collection ? [row.collection.collectionId] : []),
      ...(row.type === "table-row" ? row.components : []).map((cell) =>
        "text" in cell ? cell.text : cell.type,
      ),
    ]);
}

describe("a user without a mouse", () => {
  const service = useService();
  const signIn = useJourneys(service);

  it("builds a table with a row for each line", async () => {
    const session = await signIn("editor");
    const { page } = session;
    await openTemplate(session, definition);
    const press = async (...all: string[]) => {
      for (const one of all) await page.keyboard.press(one);
    };
    const write = async (words: string) => {
      await press("Enter", "Control+A");
      await page.keyboard.type(words);
    };
    await press("/");
    await page.keyboard.type("table");
    await press("Enter", "ArrowRight", "ArrowRight");
    await write("What");
    await press("Escape", "ArrowRight");
    await write("Price");
    await press("Escape", "ArrowLeft", "ArrowLeft", "ArrowDown");
    await tabTo(page, "Tab", page.getByRole("tab", { name: "Content" }));
    await press("ArrowRight", "ArrowRight");
    await tabTo(page, "Tab", page.getByLabel("For each"));
    await page.keyboard.type("Lines");
    await page.getByText("2 lines in the sample").waitFor();
    await tabTo(page, "Shift+Tab", paper(page));
    await press("ArrowRight");
    for (const field of ["/title", "/amount"]) {
      await write(field);
      const menu = page.getByRole("listbox", { name: "Your data" });
      await menu.getByRole("option", { selected: true }).waitFor();
      await press("Enter", "Escape", "ArrowRight");
    }
    await press("ArrowLeft", "ArrowLeft", "ArrowLeft");
    // Copied, pasted under another name, taken back, and put in front.
    await press("Control+C", "Control+V");
    await eventually(async () => (await getLines(page)).includes("line2"));
    await press("Control+Z", "Alt+ArrowUp");
    await eventually(async () => (await getTypes(page)) === "table,heading");
    expect(await getLines(page)).to.deep.equal([
      "What",
      "Price",
      "line",
      "{{ line.title }}",
      "{{ line.amount }}",
    ]);
  });
});
