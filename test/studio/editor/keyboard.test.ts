import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { withoutIds } from "../../support/editor-model.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  waitForLastAction,
} from "../../support/studio-editor.js";

const title: Component = { type: "heading", text: "Title", id: "title" };

/** The words of each row of the first table. */
function getRows(components: readonly Component[]): unknown[] {
  const table = components.find(({ type }) => type === "table");
  if (table?.type !== "table") return [];
  return table.components.map((row) =>
    row.type === "table-row"
      ? [row.header ?? false, withoutIds(row.components)]
      : row.type,
  );
}

describe("the editor with the keyboard alone", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("builds a table, moves it, undoes and redoes", async () => {
    const editor = await signIn("editor");
    const { page, draft, pageErrors } = await openEditor(service, editor, [
      title,
    ]);
    await pressKeys(page, "/");
    await page.keyboard.type("tabl");
    await pressKeys(page, "Enter");
    await waitForLastAction(page, "Table added into Page, position 2 of 2");
    await pressKeys(page, "Enter", "ArrowDown", "Control+D", "Control+D");
    await waitForLastAction(page, "Row duplicated to position 4 of 4");
    await pressKeys(page, "Escape", "Alt+ArrowUp");
    await waitForLastAction(page, "Table moved to position 1 of 2");
    await pressKeys(page, "Control+Z", "Control+Z", "Control+Z");
    await waitForLastAction(page, "Undone: Duplicate “Row”");
    await pressKeys(page, "Control+Shift+Z", "Control+Y", "Control+Y");
    await waitForLastAction(page, "Redone: Move “Table”");
    const cells = ["", ""].map((text) => ({
      type: "table-cell",
      text,
    }));
    const head = ["Item", "Amount"].map((text) => ({
      type: "table-cell",
      text,
    }));
    const made = await eventually(async () => {
      const { components } = await draft();
      return (
        getRows(components).length === 4 &&
        components[0]?.type === "table" &&
        components
      );
    });
    expect(made.map(({ type }) => type)).to.deep.equal(["table", "heading"]);
    expect(getRows(made)).to.deep.equal([
      [true, head],
      ...[1, 2, 3].map(() => [false, cells]),
    ]);
    expect(pageErrors).to.deep.equal([]);
  });
});
