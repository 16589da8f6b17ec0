import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Component } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  type OpenEditor,
  openEditor,
  pressKeys,
  waitForLastAction,
} from "../../support/studio-editor.js";
import { pressButton, useStudio, waitForText } from "../../support/studio.js";

/** Waits until the draft has components whose JSON without ids is this. */
async function waitForComponents(
  { draft }: OpenEditor,
  expected: readonly Component[],
): Promise<void> {
  await eventually(async () => {
    const { components } = await draft();
    const bare = JSON.stringify(components, (key, value: unknown) =>
      key === "id" ? undefined : value,
    );
    return bare === JSON.stringify(expected);
  });
}

/** Waits until the caret is in an empty text that shows this placeholder. */
async function waitForEmptyText(page: Page): Promise<void> {
  await page.waitForSelector(
    '.canvas .ProseMirror-focused[data-empty="true"][data-placeholder]',
  );
}

describe("a new text", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is empty with the caret in it, from the palette, the slash dialog and a drop", async () => {
    const editor = await openEditor(service, await signIn(), []);
    const { page, pageErrors } = editor;
    await pressButton(page, "Heading");
    await waitForEmptyText(page);
    await page.keyboard.type("Invoice");
    await pressKeys(page, "Escape", "/");
    await page.locator("dialog input").fill("text");
    await page.keyboard.press("Enter");
    await waitForEmptyText(page);
    await page.keyboard.type("Dear all");
    await page.locator('[data-new="list"]').hover();
    await page.mouse.down();
    const sheet = await page.waitForSelector('[data-list="body"]');
    const box = await sheet?.boundingBox();
    await page.mouse.move(box?.x ?? 0, 700, { steps: 4 });
    await page.mouse.up();
    await waitForLastAction(page, "List added into Page, position 3 of 3");
    await waitForEmptyText(page);
    await page.keyboard.type("First");
    await waitForComponents(editor, [
      { type: "heading", text: "Invoice", level: 2 },
      { type: "text", text: "Dear all" },
      { type: "list", components: [{ type: "list-item", text: "First" }] },
    ]);
    expect(pageErrors).to.eql([]);
  });

  it("shows a placeholder that is neither saved nor a problem, and goes away with one undo", async () => {
    const editor = await openEditor(service, await signIn(), []);
    const { page, pageErrors } = editor;
    await page.locator(`[data-new="text"]`).click();
    await waitForEmptyText(page);
    await pressKeys(page, "Escape");
    await page.waitForFunction(
      `document.querySelector(".canvas .no-text")?.textContent === "Text"`,
    );
    await waitForComponents(editor, [{ type: "text", text: "" }]);
    await pressButton(page, "Publish");
    await page.waitForSelector("dialog input[maxlength]");
    await pressKeys(page, "Enter");
    await waitForText(page, "Published as version 2");
    await page.locator(".canvas .no-text").click({ count: 2 });
    await waitForEmptyText(page);
    await page.keyboard.type("x");
    await pressKeys(page, "Control+Z", "Control+Z");
    await waitForComponents(editor, []);
    await pressKeys(page, "Control+Y");
    await page.waitForSelector(".canvas .no-text");
    expect(pageErrors).to.eql([]);
  });
});
