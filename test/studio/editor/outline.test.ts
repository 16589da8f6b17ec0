import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { useService } from "../../support/service.js";
import { useEditor } from "../../support/studio-editor.js";

const openEmail = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "items", type: "OneToManyLink" as const, target: "items" },
      ],
    },
    { id: "items", fields: [{ name: "title", type: "String" as const }] },
  ],
  sample: { items: [{ title: "Lamp" }] },
  email: { subject: "Hello" },
  components: [],
};

/** Waits until the keys of the outline are at the row that is heard like this. */
async function waitForRow(page: Page, words: string): Promise<void> {
  const row =
    "document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant'))";
  await page.waitForFunction(
    `${row}?.getAttribute("aria-label") === ${JSON.stringify(words)}`,
  );
}

function getOffered(page: Page): Promise<string[]> {
  return page.$$eval(".palette-item", (all) =>
    all.map((one) => one.textContent ?? ""),
  );
}

describe("beside the page", () => {
  const open = useEditor(useService());

  it("the outline is walked through, closed, edited and searched with the keyboard", async () => {
    const editor = await open({
      schema: [{ id: "root", fields: [] }],
      styles: { frame: { color: "#111111" } },
      components: [
        { type: "heading", text: "Title" },
        {
          type: "container",
          class: "frame",
          collection: { collectionId: "line", path: "root.lines" },
          components: [{ type: "text", text: "{{ line.unitPrice }} each" }],
        },
        { type: "divider" },
      ],
    });
    const { page, press, keys, waitForLastAction } = editor;
    await press("Outline");
    await page.waitForSelector("[role=tree]");
    await page.focus("[role=tree]");
    await keys("ArrowDown", "ArrowDown");
    await waitForRow(page, "Box, frame, each line");
    await keys("ArrowRight");
    await waitForRow(page, "Text, Unit price each");
    await keys("ArrowLeft", "ArrowLeft");
    await editor.waitFor("[role=treeitem][aria-expanded=false]");
    await keys("l");
    await waitForRow(page, "Line");
    await keys("Alt+ArrowUp");
    await waitForLastAction("Line moved to position 2 of 3");
    await waitForRow(page, "Line");
    await keys("Delete");
    await waitForLastAction("Line deleted");
    await press("Footer");
    await waitForLastAction("Footer added");
    await editor.waitForJson('"type":"page-number"');
    await page.focus("[role=tree]");
    await keys("End", "ArrowLeft");
    await waitForRow(page, "Footer");
    await keys("Delete");
    await waitForLastAction("Footer deleted");
  });

  it("the outline shows the selected component among thousands, and draws few of them", async () => {
    const texts = Array.from({ length: 2000 }, (_, index) => ({
      type: "text" as const,
      text: `Paragraph ${index + 1}`,
    }));
    const { page, press, keys } = await open(texts);
    await press("Outline");
    await page.waitForSelector("[role=tree]");
    await page.focus("[role=tree]");
    await keys("End");
    await waitForRow(page, "Text, Paragraph 2000");
    const drawn = await page.$$eval("[role=treeitem]", (all) => all.length);
    expect(drawn).to.be.below(100);
  });

  it("the palette adds a component next to the selection, offers what only its place allows, and moves nothing for that", async () => {
    const editor = await open([
      {
        type: "list",
        components: [{ type: "list-item", id: "point", text: "1" }],
      },
      { type: "divider" },
    ]);
    const { page, click, press, waitForLastAction } = editor;
    const search = page.locator(".palette input");
    const getPlace = () =>
      page.$eval("[data-new=image]", (one) => one.getBoundingClientRect().top);
    expect(await getOffered(page)).not.to.include("List item");
    const before = await getPlace();
    await click("point");
    await press("List item");
    await waitForLastAction("List item added into List, position 2 of 2");
    await editor.keys("Escape");
    expect(await getPlace()).to.equal(before);
    await click("point");
    await search.fill("logo");
    await page.waitForFunction(
      "document.querySelectorAll('.palette-item').length === 1",
    );
    await press("Image");
    await waitForLastAction("Image added into List item, position 1 of 1");
    await editor.waitForBody("list(list-item(image) _) divider");
    await search.fill("zeppelin");
    await editor.waitForText("No matches. Try a shorter word.");
  });

  it("an empty page has a button that adds to it, whatever is selected in the header", async () => {
    const { page, click, waitForLastAction } = await open({
      schema: [{ id: "root", fields: [] }],
      components: [],
      page: { header: [{ type: "text", id: "top", text: "Letterhead" }] },
    });
    await click("top");
    await page.locator(".empty-page button").click();
    await page.locator("dialog input").fill("heading");
    await page.keyboard.press("Enter");
    await waitForLastAction("Heading added into Page, position 1 of 1");
  });

  it("the palette of an email offers its components and ready-made sections, which print the data", async () => {
    const editor = await open(openEmail, "email");
    const { page } = editor;
    const offered = await getOffered(page);
    expect(offered).to.include("Hero").and.not.include("Page break");
    for (const key of ["header", "products"]) {
      const button = `[data-new-section=${key}]`;
      // Away from the part of the palette that stays at its bottom.
      await page.$eval(button, (one) =>
        one.scrollIntoView({ block: "center" }),
      );
      await page.locator(button).click();
    }
    await page.waitForFunction(
      "document.querySelectorAll('.mail-body > .mail-section').length === 2",
    );
    await editor.waitForText("Lamp");
    await editor.waitForJson("{{ product.title }}");
  });
});
