import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Component } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { useStudio } from "../../support/studio.js";
import { openEditor, waitForLastAction } from "../../support/studio-editor.js";

const cells = (row: string): Component => ({
  type: "table-row",
  id: row,
  components: ["a", "b"].map((name) => ({
    type: "table-cell",
    id: row + name,
    text: row + name,
  })),
});

const components: Component[] = [
  { type: "heading", id: "title", text: "Title" },
  { type: "table", id: "table", components: [cells("one"), cells("two")] },
  { type: "container", id: "box", components: [] },
];

/** Presses at the middle of something, and moves to a place in something else, given as shares of its size. */
async function dragTo(
  page: Page,
  from: string,
  to: string,
  [across, down]: [number, number] = [0.5, 0.5],
): Promise<void> {
  await page.locator(from).hover();
  await page.mouse.down();
  const target = await page.waitForSelector(to);
  const box = await target?.boundingBox();
  if (!box) throw new Error(`${to} is not to be seen`);
  const { x, y, width, height } = box;
  await page.mouse.move(x + width * across, y + height * down, { steps: 4 });
  await page.waitForSelector(".drag-ghost");
}

describe("dragging in the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("moves components to where they are dropped, if they are allowed there", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, components);
    await dragTo(page, '[data-new="text"]', '.canvas [data-id="box"]');
    await page.mouse.up();
    await waitForLastAction(page, "Text added into Box, position 1 of 1");
    await dragTo(page, '[data-id="onea"]', '[data-id="oneb"]', [0.95, 0.5]);
    await page.mouse.up();
    await waitForLastAction(page, "Cell moved to position 2 of 2");
    await dragTo(page, '[data-id="oneb"]', '.canvas [data-id="title"]');
    await page.waitForSelector(".drag-ghost.nowhere");
    await page.mouse.up();
    await waitForLastAction(
      page,
      "Cell wasn't moved. A cell can only be moved within its row.",
    );
    await dragTo(page, '[data-id="title"]', '[data-id="box"]', [0.5, 1]);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await waitForLastAction(page, "Drag canceled");
    const [title, table, box] = await eventually(async () => {
      const { components: body } = await draft();
      return JSON.stringify(body).includes('"text":""') && body;
    });
    expect(title?.id).to.equal("title");
    expect(table).to.have.nested.property(
      "components[0].components[1].id",
      "onea",
    );
    expect(box).to.have.nested.property("components[0].type", "text");
    expect(editor.pageErrors).to.deep.equal([]);
  });

  it("adds a column to a table for a cell from the palette", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, components);
    await page.locator('.canvas [data-id="onea"]').click();
    await dragTo(page, '[data-new="table-cell"]', '[data-id="onea"]', [0, 0.5]);
    await page.mouse.up();
    await waitForLastAction(page, "Cell added into Row, position 1 of 3");
    const table = await eventually(async () => {
      const [, found] = (await draft()).components;
      const text = JSON.stringify(found);
      return text.split('"table-cell"').length === 7 && found;
    });
    expect(table).to.have.nested.property(
      "components[1].components[1].id",
      "twoa",
    );
    expect(editor.pageErrors).to.deep.equal([]);
  });

  it("starts after a finger has been held still", async () => {
    const editor = await signIn("editor", { width: 390 });
    const { page } = await openEditor(service, editor, components);
    // Until the page has found its size.
    await page.locator('.canvas [data-id="title"]').hover();
    const title = await page.$('.canvas [data-id="title"]');
    const box = await page.$('.canvas [data-id="box"]');
    const from = await title?.boundingBox();
    const to = await box?.boundingBox();
    if (!from || !to) throw new Error("the page is not to be seen");
    const { x, y } = from;
    const touch = await page.touchscreen.touchStart(x + 9, y + 9);
    await page.waitForSelector(".drag-ghost");
    await touch.move(x + 9, to.y + to.height / 2);
    await page.waitForSelector(".drag-ghost:not(.nowhere)");
    await touch.end();
    await waitForLastAction(page, "Heading moved into Box, position 1 of 1");
    expect(editor.pageErrors).to.deep.equal([]);
  });
});
