import { expect } from "chai";
import { describe, it } from "mocha";
import type { Page } from "puppeteer-core";
import type { Component } from "../../../core/plugin-api/definition.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import {
  openEditor,
  pressKeys,
  waitForLastAction,
} from "../../support/studio-editor.js";
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

const table: Component[] = [
  {
    type: "table",
    id: "table",
    columns: [{ width: "60%" }, { width: "40%", align: "right" }],
    components: [
      {
        type: "table-row",
        id: "top",
        header: true,
        components: [
          { type: "table-cell", id: "item", text: "Item" },
          { type: "table-cell", id: "amount", text: "Amount" },
        ],
      },
      {
        type: "table-row",
        id: "row",
        components: [
          { type: "table-cell", id: "pen", text: "Pen" },
          { type: "table-cell", id: "price", text: "3" },
        ],
      },
    ],
  },
];

/** The words of each row of the draft's first table, empty for a cell without any. */
function getCells([first]: readonly Component[]): string[][] {
  const rows = first?.type === "table" ? first.components : [];
  return rows.map((row) =>
    (row.type === "table-row" ? row.components : []).map((cell) =>
      "text" in cell && typeof cell.text === "string" ? cell.text : "",
    ),
  );
}

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

  it("keeps its tools in the margin, where they cover nothing that is clicked", async () => {
    const editor = await signIn("editor");
    const { page, pageErrors } = await openEditor(service, editor, table);
    await page.click('.sheet [data-id="pen"]');
    const handle = await page.waitForSelector(".selection-handle");
    const box = await handle?.boundingBox();
    const sheet = await (await page.$(".sheet"))?.boundingBox();
    expect(box && sheet && box.x + box.width).to.be.at.most(sheet?.x ?? 0);
    expect(box?.x).to.be.at.least(0);
    await page.click('.sheet [data-id="item"]', { count: 2 });
    await page.waitForSelector('[data-id="item"] .ProseMirror-focused');
    expect(pageErrors).to.deep.equal([]);
  });

  it("keeps a table rectangular when a cell is duplicated, deleted or pasted", async () => {
    const editor = await signIn("editor");
    const opened = await openEditor(service, editor, table);
    const { page, draft, pageErrors } = opened;
    const waitForCells = (...rows: string[][]) =>
      eventually(
        async () =>
          JSON.stringify(getCells((await draft()).components)) ===
          JSON.stringify(rows),
      );
    await page.click('.sheet [data-id="price"]');
    await pressButton(page, "Duplicate");
    await waitForLastAction(page, "Column duplicated");
    await waitForCells(["Item", "Amount", "Amount"], ["Pen", "3", "3"]);
    await pressKeys(page, "Delete");
    await waitForLastAction(
      page,
      "Cell emptied. Delete its row or column to remove it",
    );
    await waitForCells(["Item", "Amount", "Amount"], ["Pen", "3", ""]);
    await page.click('.sheet [data-id="item"]');
    await pressKeys(page, "Control+C");
    await page.click('.sheet [data-id="price"]');
    await pressKeys(page, "Control+V");
    await waitForLastAction(page, "1 component pasted");
    await waitForCells(["Item", "Amount", "Amount"], ["Pen", "Item", ""]);
    await page.click('.sheet [data-id="amount"]');
    await pressKeys(page, "Control+A", "Delete");
    await waitForLastAction(page, "Row deleted");
    await waitForCells(["Pen", "Item", ""]);
    expect(pageErrors).to.deep.equal([]);
  });
});
