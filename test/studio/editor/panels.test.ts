import { expect } from "chai";
import type { Page } from "puppeteer-core";
import { toSchema } from "../../support/schema.js";
import { useService } from "../../support/service.js";
import { openEditor, useEditor } from "../../support/studio-editor.js";
import { useStudio } from "../../support/studio.js";

const openEmail = {
  schema: toSchema({
    root: "items OneToManyLink items",
    items: "title String",
  }),
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

describe("the editor on a phone", () => {
  const open = useEditor(useService(), "editor", { width: 390 });

  it("shows a panel above the tools of the selected component", async () => {
    const { page, click, press, waitFor } = await open(
      Array.from({ length: 12 }, (_, index) => ({
        type: "text" as const,
        id: `text${index}`,
        text: "A text in the lower half of the page.\n\n\n\n",
      })),
    );
    await click("text6");
    await waitFor(".selection-handle");
    await press("Properties");
    await waitFor(".editor-right.open");
    const covered = await page.evaluate(`{
      const panel = document.querySelector(".editor-right.open");
      const { left, top, bottom } = panel.getBoundingClientRect();
      const steps = Array.from({ length: 20 }, (_, step) => top + 8 + ((bottom - top - 16) * step) / 19);
      steps.filter((y) => !panel.contains(document.elementFromPoint(left + 10, y))).length
    }`);
    expect(covered).to.equal(0);
  });

  it("shows the buttons of the sample dialog in full", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `field${index}`);
    const fields = names.map((name) => ({ name, type: "String" as const }));
    const { page, press, waitForText } = await open({
      schema: [{ id: "root", fields }],
      sample: Object.fromEntries(names.map((name) => [name, name])),
      components: [],
    });
    await press("Components and data", "Data", "Sample data");
    await waitForText("Fill empty fields");
    const excess = await page.$eval(
      "dialog",
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    );
    expect(excess).to.be.at.most(0);
  });

  it("drags after a finger has been held still", async () => {
    const { page, waitFor, waitForLastAction } = await open([
      { type: "heading", id: "title", text: "Title" },
      { type: "container", id: "box", components: [] },
    ]);
    // Until the page has found its size.
    await page.locator('.canvas [data-id="title"]').hover();
    const boxOf = async (id: string) => {
      const box = await (
        await page.$(`.canvas [data-id="${id}"]`)
      )?.boundingBox();
      if (!box) throw new Error(`${id} is not drawn`);
      return box;
    };
    const { x, y } = await boxOf("title");
    const to = await boxOf("box");
    const touch = await page.touchscreen.touchStart(x + 9, y + 9);
    await waitFor(".drag-ghost");
    await touch.move(x + 9, to.y + to.height / 2);
    await waitFor(".drag-ghost:not(.nowhere)");
    await touch.end();
    await waitForLastAction("Heading moved into Box, position 1 of 1");
  });
});

interface Loaded {
  name: string;
  /** As the browser got it: with Brotli. */
  bytes: number;
}

/** Code, styles and fonts that this page was loaded with. */
async function getLoaded(page: Page): Promise<Loaded[]> {
  const script = `performance.getEntriesByType("resource").map(({ name, encodedBodySize }) =>
    ({ name: new URL(name).pathname, bytes: encodedBodySize }))`;
  // The script above makes these.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const all = (await page.evaluate(script)) as Loaded[];
  return all.filter(({ name }) => name.startsWith("/studio/assets/"));
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0);
}

/** Runs in the page: how many sizes the buttons of the palette have, and whose words are cut or leave the button. */
const measurePalette = `(() => {
  const items = [...document.querySelectorAll(".palette-item")];
  const count = (side) =>
    new Set(items.map((one) => Math.round(one.getBoundingClientRect()[side]))).size;
  const isClipped = (item) => {
    const box = item.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(item);
    const words = range.getBoundingClientRect();
    return words.left < box.left + 1 || words.right > box.right - 1 ||
      words.top < box.top + 1 || words.bottom > box.bottom - 1;
  };
  return {
    widths: count("width"),
    heights: count("height"),
    clipped: items.filter(isClipped).map((one) => one.textContent),
  };
})()`;

describe("the editor in each language", () => {
  const service = useService();
  const signIn = useStudio(service);

  for (const [locale, language, bold] of [
    ["en-GB", "en", "Bold (Ctrl+B)"],
    ["de-CH", "de", "Fett (Strg+B)"],
    ["fr-FR", "fr", "Gras (Ctrl+B)"],
    ["es-ES", "es", "Negrita (Ctrl+B)"],
  ] as const)
    it(`loads less than 300 kB, names keys, and shows whole words in an even palette: ${locale}`, async () => {
      const user = await signIn("editor", { width: 1280, locale, at: "more" });
      const { page, pageErrors } = user;
      for (const type of ["email", "document"] as const) {
        const email = type === "email" && { email: { subject: "Hello" } };
        const text = { type: "text", id: "one", text: "Hello" } as const;
        const definition = { schema: [], components: [text], ...email };
        await openEditor(service, user, definition, type);
        for (const width of [1280, 1440]) {
          await page.setViewport({ width, height: 900 });
          expect(await page.evaluate(measurePalette)).to.deep.equal({
            widths: 1,
            heights: 1,
            clipped: [],
          });
        }
      }
      await page.waitForSelector(`.text-bar [aria-label="${bold}"]`);
      await page.evaluate("document.fonts.ready.then(() => null)");
      const parts = await getLoaded(page);
      const names = parts.map(({ name }) => name);
      expect(names.join()).to.include("editor-page");
      const bytes = sum(parts.map((part) => part.bytes));
      expect(bytes, JSON.stringify(parts)).to.be.within(50_000, 300_000);
      const catalogs = names.flatMap(
        (name) => /\/([a-z]{2})-\w+\.js$/.exec(name)?.[1] ?? [],
      );
      expect(catalogs).to.deep.equal([language]);
      expect(pageErrors).to.deep.equal([]);
    });
});
