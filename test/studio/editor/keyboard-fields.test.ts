import { expect } from "chai";
import { describe, it } from "mocha";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { pressButton, useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  waitForLastAction,
} from "../../support/studio-editor.js";

describe("keyboard shortcuts of the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("are left to input fields, except undo and redo", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, [
      { type: "spacer", id: "space", height: "8mm" },
    ]);
    await pressKeys(page, "ArrowDown", "Control+D");
    await waitForLastAction(page, "Space duplicated to position 2 of 2");
    await page.locator(".palette input").click();
    await page.keyboard.type("/?");
    await pressKeys(page, "Delete", "Control+Z");
    expect(await page.$("dialog[open]")).to.equal(null);
    await page.locator(".editor-right input").click();
    await pressKeys(page, "Delete", "Control+Z");
    await waitForLastAction(page, "Undone: Duplicate “Space”");
    const { components } = await eventually(async () => {
      const now = await draft();
      return now.components.length === 1 && now;
    });
    expect(components[0]).to.have.property("height", "8mm");
    expect(editor.pageErrors).to.deep.equal([]);
  });

  it("have buttons beside them for rows and columns", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, []);
    await pressButton(page, "Table");
    await pressButton(page, "Add a row");
    await pressButton(page, "Add a column");
    await waitForLastAction(page, "Column added");
    await page.locator(".canvas td").click();
    await pressButton(page, "Row above");
    await pressButton(page, "Delete column");
    const table = await eventually(async () => {
      const [one] = (await draft()).components;
      return one?.type === "table" && one.components.length === 4 && one;
    });
    const widths = table.components.map(
      (row) => row.type === "table-row" && row.components.length,
    );
    expect(widths).to.deep.equal([2, 2, 2, 2]);
  });
});
