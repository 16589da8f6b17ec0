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
import { runAxe, useStudio } from "../../support/studio.js";

const definition: Component[] = [
  { type: "heading", id: "head", text: "Offer" },
  { type: "text", id: "one", text: "One", style: { color: "#112233" } },
  { type: "text", id: "two", text: "Two" },
  {
    type: "table",
    id: "table",
    components: [
      {
        type: "table-row",
        id: "row",
        components: [{ type: "table-cell", id: "cell", text: "Cell" }],
      },
    ],
  },
];

async function openMenu(page: Page, id: string): Promise<string[]> {
  await page.click(`.canvas [data-id="${id}"]`, { button: "right" });
  await page.waitForSelector(".context-menu:popover-open");
  return page.$$eval(".context-menu [role=menuitem] span", (items) =>
    items.map((one) => one.textContent ?? ""),
  );
}

async function choose(page: Page, words: string): Promise<void> {
  await page
    .locator(`.context-menu [role=menuitem] ::-p-text(${words})`)
    .click();
  await page.waitForFunction("!document.querySelector('.context-menu')");
}

/** The ids of the body's components. */
function getIds(components: readonly Component[]): string {
  return components
    .map((one) =>
      "components" in one
        ? `${one.type}(${getIds(one.components ?? [])})`
        : (one.id ?? ""),
    )
    .join(" ");
}

describe("the context menu of the editor", () => {
  const service = useService();
  const signIn = useStudio(service);
  const open = async (role: "editor" | "viewer" = "editor") =>
    openEditor(service, await signIn(role), definition);

  it("offers what can be done with the component under the pointer", async () => {
    const { page, pageErrors } = await open();
    const items = await openMenu(page, "one");
    expect(items).to.deep.equal([
      "Edit text",
      "Cut",
      "Copy",
      "Paste",
      "Duplicate",
      "Delete",
      "Move up",
      "Move down",
      "Select all",
      "Wrap in a box",
      "Put into columns",
      "Repeat…",
      "Show only if…",
      "Save as style…",
      "Add a component",
      "Keyboard shortcuts",
    ]);
    expect(
      await page.$eval(".context-menu .grave kbd", (one) => one.textContent),
    ).to.equal("Delete");
    expect(await runAxe(page)).to.deep.equal([]);
    await choose(page, "Duplicate");
    await waitForLastAction(page, "Text duplicated to position 3 of 5");
    expect(await openMenu(page, "cell")).to.include.members([
      "Row below",
      "Column left",
      "Select the parent",
    ]);
    await page.keyboard.press("Escape");
    await page.waitForFunction("!document.querySelector('.context-menu')");
    await page.waitForFunction("document.activeElement.dataset.id === 'cell'");
    expect(pageErrors).to.deep.equal([]);
  });

  it("acts on all selected components", async () => {
    const { page, draft } = await open();
    await page.click('.canvas [data-id="one"]');
    await pressKeys(page, "Shift+ArrowDown");
    await openMenu(page, "two");
    await choose(page, "Put side by side");
    await eventually(
      async () =>
        getIds((await draft()).components) ===
        "head columns(column(one) column(two)) table(table-row(cell))",
    );
    await pressKeys(page, "Control+Z");
    await eventually(
      async () =>
        getIds((await draft()).components) ===
        "head one two table(table-row(cell))",
    );
    await page.click('.canvas [data-id="one"]');
    await pressKeys(page, "Shift+ArrowDown");
    await openMenu(page, "one");
    await choose(page, "Wrap in a box");
    await eventually(
      async () =>
        getIds((await draft()).components) ===
        "head container(one two) table(table-row(cell))",
    );
  });

  it("copies and pastes", async () => {
    const { page, draft } = await open();
    await openMenu(page, "head");
    await choose(page, "Copy");
    await waitForLastAction(page, "Heading copied");
    await openMenu(page, "two");
    await choose(page, "Paste");
    await waitForLastAction(page, "1 component pasted");
    const [, , , pasted] = await eventually(async () => {
      const { components } = await draft();
      return components.length === 5 && components;
    });
    expect(pasted).to.have.property("text", "Offer");
  });

  it("opens with the keyboard, is walked through by arrows and leads to the rules", async () => {
    const { page } = await open();
    await page.click('.canvas [data-id="two"]');
    await pressKeys(page, "Shift+F10");
    await page.waitForSelector(".context-menu:popover-open");
    const last = ".context-menu [role=group]:last-child button:last-child";
    await pressKeys(page, "ArrowUp");
    await page.waitForFunction(
      `document.activeElement === document.querySelector("${last}")`,
    );
    await pressKeys(page, "Escape", "ContextMenu");
    await page.waitForSelector(".context-menu:popover-open");
    await choose(page, "Show only if…");
    await page.waitForFunction(
      `document.activeElement?.closest(".rules details")
        ?.querySelector("summary").textContent === "Show only if"`,
    );
    await openMenu(page, "one");
    await choose(page, "Save as style…");
    await page.waitForFunction(
      `document.activeElement?.placeholder === "Style name"`,
    );
  });

  it("offers viewers nothing that changes the template", async () => {
    const { page } = await open("viewer");
    expect(await openMenu(page, "one")).to.deep.equal([
      "Copy",
      "Select all",
      "Keyboard shortcuts",
    ]);
  });
});
