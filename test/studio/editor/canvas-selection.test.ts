import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Component } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { openEditor } from "../../support/studio-editor.js";
import { pressButton, useStudio } from "../../support/studio.js";

const definition: Component[] = [
  {
    type: "container",
    id: "box",
    components: [
      { type: "heading", id: "head", text: "Offer" },
      { type: "text", id: "body", text: "For you" },
    ],
  },
  { type: "text", id: "last", text: "Yours" },
];

/** Waits until the breadcrumb below the page says this. */
async function selection(page: Page, words: string): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll(".canvas-crumbs button")]
      .map((one) => one.textContent).join(" › ") === ${JSON.stringify(words)}`,
  );
}

/** Waits until the page has as many texts as that. */
async function texts(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    `document.querySelectorAll(".sheet p").length === ${count}`,
  );
}

describe("selecting in the page", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("selects the innermost component, then its ancestors, and shows its path", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, definition);
    const head = '.sheet [data-id="head"]';
    await page.click(head);
    await selection(page, "Page › Box › Heading");
    await page.click(head);
    await selection(page, "Page › Box");
    await page.click(head);
    await selection(page, "Page › Box › Heading");
    await page.click('.sheet [data-id="body"]');
    await selection(page, "Page › Box › Text");
    await page.click(".canvas-crumbs button:nth-child(2)");
    await selection(page, "Page › Box");
    expect(pageErrors).to.deep.equal([]);
  });

  it("shows buttons that move, copy and delete it", async () => {
    const editor = await signIn("editor");
    const opened = await openEditor(service, editor, definition);
    const { page, draft, pageErrors } = opened;
    await page.click('.sheet [data-id="body"]');
    await pressButton(page, "Move up");
    await page.waitForSelector(".sheet p + h1");
    await pressButton(page, "Duplicate");
    await texts(page, 3);
    await pressButton(page, "Delete");
    await texts(page, 2);
    await eventually(async () => {
      const [box] = (await draft()).components;
      const inner = box?.type === "container" ? box.components : [];
      return inner.map(({ type }) => type).join() === "text,heading";
    });
    expect(pageErrors).to.deep.equal([]);
  });
});
