import { expect } from "chai";
import type { Component } from "../../../core/plugin-api/definition.js";
import { listCells } from "../../support/rows.js";
import { useService } from "../../support/service.js";
import {
  type OpenEditor,
  openEditor,
  putOnClipboard,
  useEditor,
} from "../../support/studio-editor.js";
import {
  newVisitor,
  setSession,
  usePage,
  waitForCount,
} from "../../support/studio.js";

const text = (id: string): Component => ({ type: "text", id, text: id });

const boxed: Component[] = [
  { type: "heading", id: "head", text: "head" },
  { type: "container", id: "box", components: [text("one"), text("two")] },
  text("last"),
];

const table: Component = {
  type: "table",
  id: "table",
  components: [
    {
      type: "table-row",
      id: "row",
      components: [{ type: "table-cell", id: "cell", text: "cell" }],
    },
  ],
};

/** Waits until the breadcrumb below the page says this. */
async function waitForPath({ page }: OpenEditor, words: string): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll(".canvas-crumbs button")]
      .map((one) => one.textContent).join(" › ") === ${JSON.stringify(words)}`,
  );
}

/** Clicks with the Shift key held. */
async function addToSelection(
  { page, click }: OpenEditor,
  id: string,
): Promise<void> {
  await page.keyboard.down("Shift");
  await click(id);
  await page.keyboard.up("Shift");
}

/** Opens the menu with a right click. @returns its items. */
async function openMenu(
  { page, click, waitFor }: OpenEditor,
  id: string,
): Promise<string[]> {
  await click(id, { button: "right" });
  await waitFor(".context-menu:popover-open");
  return page.$$eval(".context-menu [role=menuitem] span", (items) =>
    items.map((one) => one.textContent ?? ""),
  );
}

async function chooseItem(
  { page, waitUntilGone }: OpenEditor,
  words: string,
): Promise<void> {
  await page
    .locator(`.context-menu [role=menuitem] ::-p-text(${words})`)
    .click();
  await waitUntilGone(".context-menu");
}

describe("the selection on the page", () => {
  const service = useService();
  const user = usePage(service);
  const open = (content: Component[]) => openEditor(service, user(), content);

  it("is the innermost component, then its ancestors, with its path below the page", async () => {
    const editor = await open(boxed);
    const { page, click } = editor;
    await click("one");
    await waitForPath(editor, "Page › Box › Text");
    await click("one");
    await waitForPath(editor, "Page › Box");
    await click("one");
    await waitForPath(editor, "Page › Box › Text");
    await click("head");
    await waitForPath(editor, "Page › Heading");
    await click("two");
    await waitForPath(editor, "Page › Box › Text");
    await page.click(".canvas-crumbs button:nth-child(2)");
    await waitForPath(editor, "Page › Box");
  });

  it("has tools in the margin that move, copy and delete it, and cover nothing that is clicked", async () => {
    const editor = await open([...boxed, table]);
    const { page, click, press, keys, waitForBody } = editor;
    await click("two");
    await press("Move up");
    await waitForBody("head container(two one) last table(table-row(cell))");
    await press("Duplicate");
    await waitForBody(
      "head container(two two one) last table(table-row(cell))",
    );
    await press("Delete");
    await waitForBody("head container(two one) last table(table-row(cell))");
    await click("cell");
    const handle = await page.waitForSelector(".selection-handle");
    const box = await handle?.boundingBox();
    const sheet = await (await page.$(".sheet"))?.boundingBox();
    expect(box && sheet && box.x + box.width).to.be.at.most(sheet?.x ?? 0);
    expect(box?.x).to.be.at.least(0);
    await press("Row above", "Column left");
    await editor.waitForLastAction("Column added");
    await waitForBody(
      "head container(two one) last table(table-row(_ _) table-row(_ cell))",
    );
    // Beside the selection it says what a key does not do.
    await click("head");
    await keys("Alt+ArrowUp");
    await editor.waitFor(
      ".refusal-note ::-p-text(Heading wasn't moved: it is already first)",
    );
    await keys("Alt+ArrowDown");
    await editor.waitForLastAction("Heading moved to position 2 of 4");
    await editor.waitUntilGone(".refusal-note");
  });

  it("grows by clicks and arrows with Shift, and to the whole level with Ctrl+A, without marking text", async () => {
    const editor = await open(boxed);
    const { page, click, press, keys, waitForSelection } = editor;
    await click("head");
    await addToSelection(editor, "last");
    await waitForSelection("head", "last");
    // A click inside of a box adds the box, which is next to the heading.
    await addToSelection(editor, "one");
    await waitForSelection("head", "box", "last");
    await addToSelection(editor, "last");
    await waitForSelection("head", "box");
    await waitForCount(page, ".selection-box", 2);
    await keys("Shift+ArrowDown");
    await waitForSelection("head", "box", "last");
    await keys("ArrowUp");
    await waitForSelection("box");
    await click("two");
    await keys("Control+A");
    await waitForSelection("one", "two");
    await keys("Control+A");
    await waitForSelection("head", "box", "last");
    await click("two");
    // While a button has the focus as well.
    await press("Outline");
    await keys("Control+A");
    await waitForSelection("one", "two");
    expect(await page.evaluate("String(getSelection())")).to.equal("");
  });

  it("shows the style that all of it has, and changes it for all", async () => {
    const styles = [
      { "text-align": "center", color: "#112233" },
      { "text-align": "center", "font-size": "9pt" },
    ] as const;
    const { page, keys, waitFor, waitForDraft } = await open(
      styles.map((style, index) => ({ ...text(`text${index}`), style })),
    );
    const waitForAlign = (align: string) =>
      waitForDraft(
        ({ components }) => components.map(({ style }) => style),
        styles.map((style) => ({ ...style, "text-align": align })),
      );
    await keys("Control+A");
    await page.waitForFunction(
      `document.querySelector(".inspector h2")?.textContent === "2 components"`,
    );
    await waitFor('.inspector [aria-label="Center"][aria-pressed="true"]');
    await page.locator('.inspector [aria-label="Right"]').click();
    await waitForAlign("right");
    await keys("Control+Z");
    await waitForAlign("center");
  });

  it("has a menu of all that can be done with it, which acts on all of it", async () => {
    const editor = await open([
      { ...text("one"), style: { color: "#112233" } },
      text("two"),
      table,
    ]);
    const { page, click, keys, waitForBody } = editor;
    expect(await openMenu(editor, "one")).to.deep.equal(
      listCells(`
      Edit text | Cut | Copy | Paste | Duplicate | Delete | Move up | Move down | Select all | Wrap in a box
      Put into columns | Repeat… | Show only if… | Save as style… | Add a component | Keyboard shortcuts
    `),
    );
    expect(
      await page.$eval(".context-menu .grave kbd", (one) => one.textContent),
    ).to.equal("Delete");
    await chooseItem(editor, "Copy");
    await editor.waitForLastAction("Text copied");
    await openMenu(editor, "two");
    await chooseItem(editor, "Paste");
    await waitForBody("one two one table(table-row(cell))");
    expect(await openMenu(editor, "cell")).to.include.members([
      "Row below",
      "Column left",
      "Select the parent",
    ]);
    await keys("Escape");
    await editor.waitUntilGone(".context-menu");
    await page.waitForFunction("document.activeElement.dataset.id === 'cell'");
    await click("one");
    await keys("Shift+ArrowDown");
    await openMenu(editor, "two");
    await chooseItem(editor, "Put side by side");
    await waitForBody(
      "columns(column(one) column(two)) one table(table-row(cell))",
    );
  });

  it("has that menu by keys too, walks through it by arrows, and comes from it to the rules and styles", async () => {
    const editor = await open([
      { ...text("one"), style: { color: "#112233" } },
      text("two"),
    ]);
    const { page, click, keys, waitFor } = editor;
    await click("two");
    await keys("Shift+F10");
    await waitFor(".context-menu:popover-open");
    await keys("ArrowUp");
    await page.waitForFunction(
      `document.activeElement === document.querySelector(".context-menu [role=group]:last-child button:last-child")`,
    );
    await keys("Escape", "ContextMenu");
    await waitFor(".context-menu:popover-open");
    await chooseItem(editor, "Show only if…");
    await page.waitForFunction(
      `document.activeElement?.closest(".rules details")
        ?.querySelector("summary")?.textContent === "Show only if"`,
    );
    await openMenu(editor, "one");
    await chooseItem(editor, "Save as style…");
    await page.waitForFunction(
      `document.activeElement?.placeholder === "Style name"`,
    );
  });

  it("is nothing that a viewer could change", async () => {
    const viewer = await newVisitor(service, "viewer");
    await setSession(service, user().page, viewer);
    const editor = await openEditor(service, { ...user(), ...viewer }, boxed);
    await editor.waitForText("You can view this template.");
    expect(await editor.page.$(".palette-item")).to.equal(null);
    expect(await openMenu(editor, "last")).to.deep.equal([
      "Copy",
      "Select all",
      "Keyboard shortcuts",
    ]);
    await editor.keys("Escape", "Delete");
    await editor.waitFor(".toast");
    expect((await editor.draft()).components).to.deep.equal(boxed);
  });
});

describe("the keyboard in the editor", () => {
  const open = useEditor(useService());

  it("is left to input fields, except undo and redo", async () => {
    const { page, keys, type, waitForLastAction, waitForDraft } = await open([
      { type: "spacer", id: "space", height: "8mm" },
    ]);
    await keys("ArrowDown", "Control+D");
    await waitForLastAction("Space duplicated to position 2 of 2");
    await page.locator(".palette input").click();
    await type("/?");
    await keys("Delete", "Control+Z");
    expect(await page.$("dialog[open]")).to.equal(null);
    await page.locator(".editor-right input").click();
    await keys("Delete", "Control+Z");
    await waitForLastAction("Undone: Duplicate “Space”");
    await waitForDraft(
      ({ components }) => components,
      [{ type: "spacer", id: "space", height: "8mm" }],
    );
  });

  it("lists its shortcuts on ? wherever no text is written, as the menu does", async () => {
    const { page, edit, press, keys, type, waitFor, waitUntilGone } =
      await open([text("one")]);
    const close = async () => {
      await waitFor("dialog .keys");
      await keys("Escape");
      await waitUntilGone("dialog");
    };
    await press("Outline");
    await keys("?");
    await close();
    await press("Fields");
    await keys("?");
    await close();
    await press("Help", "Keyboard shortcuts");
    await close();
    await edit("one");
    await type("?");
    await page.waitForFunction(
      "document.querySelector('.ProseMirror-focused')?.textContent === 'one?'",
    );
    expect(await page.$("dialog")).to.equal(null);
  });

  it("pastes cells of a spreadsheet as a table, and says what it does not know", async () => {
    const { page, keys, waitForBody, waitForText, draft } = await open([]);
    await putOnClipboard(page, "Item\tPrice\nPaper\t4.20\n");
    await keys("Control+V");
    await waitForBody("table(table-row(Item Price) table-row(Paper 4.20))");
    expect((await draft()).components[0]).to.have.nested.property(
      "components[0].header",
      true,
    );
    await putOnClipboard(page, '{ "type": "tabel", "components": [] }');
    await keys("Control+V");
    await waitForText('Unknown component type "tabel".');
  });

  it("leads to problems, which are marked on the page and in the outline until they are fixed", async () => {
    const { page, edit, press, keys, type, waitFor, waitUntilGone } =
      await open([text("sound"), text("odd")]);
    await edit("odd");
    await type(" {{ 1 + }}");
    await keys("Escape");
    await waitFor(
      '[data-id="odd"][data-problem][title="A value is missing at the end."]',
    );
    expect(await page.$('[data-id="sound"][data-problem]')).to.equal(null);
    await press("Outline");
    await waitFor("[role=treeitem][aria-selected=true]:has(.outline-problem)");
    await page.focus("[role=tree]");
    await keys("Control+Z");
    await waitFor('[data-id="odd"]:not([data-problem])');
    await waitUntilGone(".outline-problem");
  });
});
