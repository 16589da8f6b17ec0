import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { useService } from "../../support/service.js";
import { putOnClipboard, useEditor } from "../../support/studio-editor.js";

const text = (id: string): Component => ({ type: "text", id, text: id });

describe("the keyboard in the editor", () => {
  const open = useEditor(useService());

  it("adds, fills and moves components, and undoes and redoes that", async () => {
    const { keys, type, waitForLastAction, waitForBody } = await open([
      text("one"),
    ]);
    await keys("/");
    await type("tabl");
    await keys("Enter");
    await waitForLastAction("Table added into Page, position 2 of 2");
    await keys("Enter", "ArrowDown", "Control+D", "Control+D");
    await waitForLastAction("Row duplicated to position 4 of 4");
    await keys("Escape", "Alt+ArrowUp");
    await waitForLastAction("Table moved to position 1 of 2");
    await keys("Control+Z", "Control+Z", "Control+Z");
    await waitForLastAction("Undone: Duplicate “Row”");
    await keys("Control+Shift+Z", "Control+Y", "Control+Y");
    await waitForLastAction("Redone: Move “Table”");
    const rows = "table-row(_ _) table-row(_ _) table-row(_ _)";
    await waitForBody(`table(table-row(Item Amount) ${rows}) one`);
  });

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

  it("counts by letters, and by places where it types no Latin letters", async () => {
    const { page, click, waitForBody } = await open([text("one"), text("two")]);
    await click("one");
    const pressOn = (key: string, code: string) =>
      page.evaluate(`document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", {
          key: "${key}", code: "${code}", ctrlKey: true,
          bubbles: true, cancelable: true,
        }))`);
    await pressOn("в", "KeyD");
    await waitForBody("one one two");
    await pressOn("я", "KeyZ");
    await waitForBody("one two");
    // On a keyboard whose Y and Z have changed places, the letter counts.
    await pressOn("z", "KeyY");
    await pressOn("y", "KeyZ");
    await waitForBody("one one two");
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
      "document.querySelector('.ProseMirror-focused').textContent === 'one?'",
    );
    expect(await page.$("dialog")).to.equal(null);
  });

  it("copies components from template to template as text, under names of their own", async () => {
    const line: Component = {
      type: "container",
      id: "box",
      collection: { collectionId: "line", path: "root.lines" },
      components: [{ type: "text", id: "words", text: "{{ line.title }}" }],
    };
    const source = await open([line]);
    await source.keys("ArrowDown", "Control+C");
    await source.waitForLastAction("Box copied");
    const { keys, waitForLastAction, waitForBody, draft } = await open([]);
    await keys("Control+V");
    await waitForLastAction("1 component pasted");
    await waitForBody("container({{ line.title }})");
    expect(JSON.stringify(await draft()))
      .to.include('"path":"root.lines"')
      .and.not.include('"box"');
    await keys("Control+X");
    await waitForLastAction("Box deleted");
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
    await waitFor('[data-id="odd"][data-problem]');
    const getTitle = (id: string) =>
      page.$eval(`[data-id="${id}"]`, (one) => one.getAttribute("title"));
    expect(await getTitle("odd")).to.equal("A value is missing at the end.");
    expect(await page.$('[data-id="sound"][data-problem]')).to.equal(null);
    await press("Outline");
    await waitFor("[role=treeitem][aria-selected=true]:has(.outline-problem)");
    await page.focus("[role=tree]");
    await keys("Control+Z");
    await waitFor('[data-id="odd"]:not([data-problem])');
    await waitUntilGone(".outline-problem");
  });
});
