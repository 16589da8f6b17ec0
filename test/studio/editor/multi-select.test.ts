import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Component } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { pressButton, useStudio, waitForCount } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  waitForLastAction,
  type OpenEditor,
} from "../../support/studio-editor.js";

const definition: Component[] = [
  { type: "heading", id: "head", text: "Offer" },
  {
    type: "container",
    id: "box",
    components: [
      { type: "text", id: "one", text: "One" },
      { type: "text", id: "two", text: "Two" },
    ],
  },
  { type: "text", id: "last", text: "Yours" },
];

/** Waits until exactly these components are marked as selected on the page. */
async function waitForSelection(page: Page, ...ids: string[]): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll(".sheet [data-selected]")]
      .map((one) => one.dataset.id).join() === "${ids.join()}"`,
  );
}

async function clickComponent(page: Page, id: string): Promise<void> {
  await page.click(`.sheet [data-id="${id}"]`);
}

/** Clicks with the Shift key held. */
async function addToSelection(page: Page, id: string): Promise<void> {
  await page.keyboard.down("Shift");
  await clickComponent(page, id);
  await page.keyboard.up("Shift");
}

/** Waits until the saved draft's body consists of these words. */
async function waitForBody(
  { draft }: OpenEditor,
  ...words: string[]
): Promise<void> {
  const read = (all: readonly Component[]): string[] =>
    all.flatMap((one) => {
      if ("components" in one)
        return [`[${read(one.components ?? []).join(" ")}]`];
      return "text" in one && typeof one.text === "string" ? [one.text] : [];
    });
  await eventually(
    async () => read((await draft()).components).join() === words.join(),
  );
}

describe("selecting several components", () => {
  const service = useService();
  const signIn = useStudio(service);
  const open = async (components = definition) =>
    openEditor(service, await signIn("editor"), components);

  it("adds and removes components with Shift and a click", async () => {
    const opened = await open();
    const { page, pageErrors } = opened;
    await clickComponent(page, "head");
    await addToSelection(page, "last");
    await waitForSelection(page, "head", "last");
    // A click inside of a box adds the box, which is next to the heading.
    await addToSelection(page, "one");
    await waitForSelection(page, "head", "box", "last");
    await addToSelection(page, "last");
    await waitForSelection(page, "head", "box");
    await waitForCount(page, ".selection-box", 2);
    expect(
      await page.evaluate("String(getSelection())"),
      "no text of the page is marked",
    ).to.equal("");
    await clickComponent(page, "two");
    await waitForSelection(page, "two");
    expect(pageErrors).to.deep.equal([]);
  });

  it("adds the next and the previous component with Shift and an arrow", async () => {
    const opened = await open();
    const { page } = opened;
    await clickComponent(page, "head");
    await pressKeys(page, "Shift+ArrowDown");
    await waitForSelection(page, "head", "box");
    await pressKeys(page, "Shift+ArrowDown");
    await waitForSelection(page, "head", "box", "last");
    await pressKeys(page, "Alt+ArrowUp");
    await waitForLastAction(page, "3 components weren't moved");
    await pressKeys(page, "ArrowUp");
    await waitForSelection(page, "box");
  });

  it("selects all components of the level with Ctrl+A, then those of the level above", async () => {
    const opened = await open();
    const { page } = opened;
    await pressKeys(page, "Control+A");
    await waitForSelection(page, "head", "box", "last");
    await clickComponent(page, "two");
    await pressKeys(page, "Control+A");
    await waitForSelection(page, "one", "two");
    await pressKeys(page, "Control+A");
    await waitForSelection(page, "head", "box", "last");
    expect(await page.evaluate("String(getSelection())")).to.equal("");
  });

  it("selects no text of the studio with Ctrl+A while a button has the focus", async () => {
    const opened = await open();
    const { page } = opened;
    await pressButton(page, "Outline");
    await pressKeys(page, "Control+A");
    await waitForSelection(page, "head", "box", "last");
    expect(await page.evaluate("String(getSelection())")).to.equal("");
  });

  it("deletes, duplicates, copies and moves all of them as one step", async () => {
    const opened = await open();
    const { page, pageErrors } = opened;
    await clickComponent(page, "box");
    await clickComponent(page, "head");
    await addToSelection(page, "one");
    await pressKeys(page, "Alt+ArrowDown");
    await waitForLastAction(page, "2 components moved");
    await waitForBody(opened, "Yours", "Offer", "[One Two]");
    await pressKeys(page, "Control+D");
    await waitForLastAction(page, "2 components duplicated");
    await waitForBody(
      opened,
      "Yours",
      "Offer",
      "[One Two]",
      "Offer",
      "[One Two]",
    );
    await pressKeys(page, "Delete");
    await waitForLastAction(page, "2 components deleted");
    await waitForBody(opened, "Yours", "Offer", "[One Two]");
    await pressKeys(page, "Control+Z");
    await waitForBody(
      opened,
      "Yours",
      "Offer",
      "[One Two]",
      "Offer",
      "[One Two]",
    );
    await pressKeys(page, "Control+X");
    await waitForLastAction(page, "2 components deleted");
    await clickComponent(page, "last");
    await pressKeys(page, "Control+V");
    await waitForBody(
      opened,
      "Yours",
      "Offer",
      "[One Two]",
      "Offer",
      "[One Two]",
    );
    expect(pageErrors).to.deep.equal([]);
  });

  it("drags all of them together", async () => {
    const opened = await open();
    const { page } = opened;
    await clickComponent(page, "last");
    await addToSelection(page, "head");
    const from = await page.$eval('.sheet [data-id="last"]', (one) => {
      const { x, y } = one.getBoundingClientRect();
      return { x: x + 20, y: y + 5 };
    });
    const to = await page.$eval('.sheet [data-id="two"]', (one) => {
      const { x, y } = one.getBoundingClientRect();
      return { x: x + 20, y: y + 3 };
    });
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y - 40, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.waitForSelector(".drop-mark");
    await page.mouse.up();
    await waitForBody(opened, "[One Offer Yours Two]");
    await waitForSelection(page, "head", "last");
  });

  it("shows the style that all of them have, and changes it for all", async () => {
    const opened = await open([
      {
        type: "heading",
        id: "head",
        text: "Offer",
        style: { "text-align": "center", color: "#112233" },
      },
      {
        type: "text",
        id: "last",
        text: "Yours",
        style: { "text-align": "center", "font-size": "9pt" },
      },
    ]);
    const { page, draft, pageErrors } = opened;
    await pressKeys(page, "Control+A");
    await page.waitForFunction(
      `document.querySelector(".inspector h2")?.textContent === "2 components"`,
    );
    const pressed = '.inspector [aria-pressed="true"]';
    await page.waitForSelector(pressed);
    expect(
      await page.$eval(pressed, (one) => one.getAttribute("aria-label")),
    ).to.equal("Center");
    await page.locator('.inspector [aria-label="Right"]').click();
    await eventually(async () => {
      const styles = (await draft()).components.map(({ style }) => style);
      return (
        JSON.stringify(styles) ===
        JSON.stringify([
          { "text-align": "right", color: "#112233" },
          { "text-align": "right", "font-size": "9pt" },
        ])
      );
    });
    await pressKeys(page, "Control+Z");
    await eventually(async () =>
      (await draft()).components.every(
        ({ style }) => style?.["text-align"] === "center",
      ),
    );
    expect(pageErrors).to.deep.equal([]);
  });
});
