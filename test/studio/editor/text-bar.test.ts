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
  startTyping,
} from "../../support/studio-editor.js";
import { pressButton, runAxe, useStudio } from "../../support/studio.js";

const components: Component[] = [
  { id: "title", type: "heading", text: "Invoice", level: 1 },
  { id: "one", type: "text", text: "Dear all" },
  { id: "two", type: "text", text: "Yours", class: "small" },
  { id: "gap", type: "spacer", height: "10mm" },
];
const definition = {
  schema: [{ id: "root", fields: [] }],
  components,
  styles: { small: { "font-size": "8pt" } },
};

const field = (name: string) => `.text-bar [aria-label="${name}"]`;

/** Waits until the bar shows these values. */
async function barShows(
  page: Page,
  values: Record<string, string>,
): Promise<void> {
  await page.waitForFunction(`
    Object.entries(${JSON.stringify(values)}).every(([name, value]) => {
      const found = document.querySelector(
        ".text-bar [aria-label=" + JSON.stringify(name) + "]");
      const [chosen] = found.selectedOptions ?? [];
      return (chosen ? chosen.textContent : found.value) === value;
    })`);
}

function isPressed(page: Page, name: string): Promise<unknown> {
  return page.waitForSelector(`${field(name)}[aria-pressed="true"]`);
}

async function becomes(
  { draft }: OpenEditor,
  index: number,
  component: Component,
): Promise<void> {
  await eventually(async () => {
    const found = (await draft()).components[index];
    return JSON.stringify(found) === JSON.stringify(component);
  });
}

async function typeSize(page: Page, size: string): Promise<void> {
  await page.locator(field("Size in pt")).click();
  await page.keyboard.type(size);
  await page.keyboard.press("Enter");
}

describe("the text bar", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("is there before anything is selected, and says what to select", async () => {
    const { page, pageErrors } = await openEditor(
      service,
      await signIn(),
      definition,
    );
    await page.waitForSelector(`${field("Font")}:disabled`);
    const hint = await page.$eval(".text-bar-hint", (one) => one.textContent);
    expect(hint).to.equal("Select text to format it");
    expect(await runAxe(page)).to.eql([]);
    await page.locator('[data-id="gap"]').click();
    await page.waitForSelector('[data-id="gap"][data-selected]');
    await page.waitForSelector(`${field("Font")}:disabled`);
    expect(pageErrors).to.eql([]);
  });

  it("shows the inherited look of a selected text and changes all of it", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await page.locator('.canvas [data-id="title"]').click();
    await barShows(page, {
      Font: "Inter",
      "Size in pt": "22 pt",
      Weight: "Bold",
      Color: "#0f1524",
    });
    await isPressed(page, "Left");
    await page.locator('.canvas [data-id="two"]').click();
    await barShows(page, { "Size in pt": "8 pt", Weight: "Regular" });
    await page.waitForSelector(`${field("Size in pt")}.is-inherited`);
    await page.locator('.canvas [data-id="one"]').click();
    await barShows(page, { "Size in pt": "10.5 pt" });
    expect(await runAxe(page)).to.eql([]);
    await typeSize(page, "12");
    await page.select(field("Weight"), "500");
    await pressButton(page, "Center");
    await pressButton(page, "Italic (Ctrl+I)");
    await becomes(editor, 1, {
      id: "one",
      type: "text",
      text: "Dear all",
      style: {
        "font-size": "12pt",
        "font-weight": "500",
        "text-align": "center",
        "font-style": "italic",
      },
    });
    await page.waitForSelector(`${field("Size in pt")}:not(.is-inherited)`);
    await barShows(page, { "Size in pt": "12 pt", Weight: "Medium" });
    await page.select(field("Weight"), "");
    await barShows(page, { Weight: "Regular" });
    await pressButton(page, "Clear formatting");
    await becomes(editor, 1, { id: "one", type: "text", text: "Dear all" });
    expect(pageErrors).to.eql([]);
  });

  it("changes several selected texts at once and leaves empty what differs", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await page.locator('.canvas [data-id="one"]').click();
    await page.keyboard.down("Shift");
    await page.locator('.canvas [data-id="two"]').click();
    await page.keyboard.up("Shift");
    await barShows(page, { "Size in pt": "", Font: "Inter" });
    await page.waitForSelector(`${field("Larger")}:disabled`);
    await typeSize(page, "11");
    await pressButton(page, "Larger");
    const style = { "font-size": "12pt" };
    await becomes(editor, 2, {
      id: "two",
      type: "text",
      text: "Yours",
      class: "small",
      style,
    });
    await becomes(editor, 1, {
      id: "one",
      type: "text",
      text: "Dear all",
      style,
    });
    expect(pageErrors).to.eql([]);
  });

  it("changes the selected words, which stay marked while the bar has the focus, and covers no text", async () => {
    const editor = await openEditor(service, await signIn(), definition);
    const { page, pageErrors } = editor;
    await startTyping(page, "one");
    await pressKeys(page, "Shift+Control+ArrowLeft");
    await barShows(page, { "Size in pt": "10.5 pt" });
    expect(await page.$(".overlay")).to.equal(null);
    await page.locator(field("Size in pt")).click();
    await page.waitForSelector(".text-typing .text-selected");
    await page.keyboard.type("14");
    await page.keyboard.press("Enter");
    await page.waitForSelector('[data-id="one"] .ProseMirror-focused');
    await barShows(page, { "Size in pt": "14 pt" });
    await pressButton(page, "Bold (Ctrl+B)");
    await isPressed(page, "Bold (Ctrl+B)");
    await pressButton(page, "Right");
    await becomes(editor, 1, {
      id: "one",
      type: "text",
      text: [
        "Dear ",
        { text: "all", marks: [{ style: { "font-size": "14pt" } }, "bold"] },
      ],
      style: { "text-align": "right" },
    });
    await page.locator('[data-id="title"]').click();
    await page.waitForFunction(`!document.querySelector(".text-typing")`);
    expect(pageErrors).to.eql([]);
  });

  it("names its keys in the user's language", async () => {
    const user = await signIn("editor", { width: 1280, locale: "de" });
    const { page, pageErrors } = await openEditor(service, user, definition);
    await page.waitForSelector(field("Fett (Strg+B)"));
    await page.waitForSelector(field("Durchgestrichen (Strg+Umschalt+X)"));
    expect(pageErrors).to.eql([]);
  });
});
