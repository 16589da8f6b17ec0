import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  waitForLastAction,
} from "../../support/studio-editor.js";

/** The line where the keys of the outline are, as it is heard. */
async function isAt(page: Page, words: string): Promise<void> {
  const line =
    "document.getElementById(document.querySelector('[role=tree]').getAttribute('aria-activedescendant'))";
  await page.waitForFunction(
    `${line}?.getAttribute("aria-label") === ${JSON.stringify(words)}`,
  );
}

describe("the outline", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is navigated, collapsed, edited and searched with the keyboard", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, {
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
    await page.locator("::-p-aria([name='Outline'][role='tab'])").click();
    await page.waitForSelector("[role=tree]");
    await page.focus("[role=tree]");
    await pressKeys(page, "ArrowDown", "ArrowDown");
    await isAt(page, "Box, frame, each line");
    await pressKeys(page, "ArrowRight");
    await isAt(page, "Text, Unit price each");
    await pressKeys(page, "ArrowLeft", "ArrowLeft");
    await page.waitForSelector("[role=treeitem][aria-expanded=false]");
    await pressKeys(page, "l");
    await isAt(page, "Line");
    await pressKeys(page, "Alt+ArrowUp");
    await waitForLastAction(page, "Line moved to position 2 of 3");
    await isAt(page, "Line");
    await pressKeys(page, "Delete");
    await waitForLastAction(page, "Line deleted");
    await page.locator("::-p-aria([name='Footer'][role='button'])").click();
    await waitForLastAction(page, "Footer added");
    const saved = await eventually(async () => {
      const { components, page: paper } = await draft();
      return paper?.footer && components.length === 2 && paper;
    });
    const [first] = Array.isArray(saved.footer) ? saved.footer : [];
    expect(first?.type).to.equal("page-number");
    await page.focus("[role=tree]");
    await pressKeys(page, "End", "ArrowLeft");
    await isAt(page, "Footer");
    await pressKeys(page, "Delete");
    await waitForLastAction(page, "Footer deleted");
    expect(editor.pageErrors).to.deep.equal([]);
  });

  it("shows the selected component among thousands", async () => {
    const user = await signIn("editor");
    const texts = Array.from({ length: 2000 }, (_, index) => ({
      type: "text" as const,
      text: `Paragraph ${index + 1}`,
    }));
    const { page } = await openEditor(service, user, texts);
    await page.locator("::-p-aria([name='Outline'][role='tab'])").click();
    await page.waitForSelector("[role=tree]");
    await page.focus("[role=tree]");
    await pressKeys(page, "End");
    await isAt(page, "Text, Paragraph 2000");
    const drawn = await page.$$eval("[role=treeitem]", (all) => all.length);
    expect(drawn).to.be.below(100);
  });
});
