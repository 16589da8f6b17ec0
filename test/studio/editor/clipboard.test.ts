import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import { withoutIds } from "../../support/editor-model.js";
import { eventually } from "../../support/eventually.js";
import { useService } from "../../support/service.js";
import { waitForText, useStudio } from "../../support/studio.js";
import {
  openEditor,
  pressKeys,
  putOnClipboard,
  waitForLastAction,
} from "../../support/studio-editor.js";

const box: Component = {
  type: "container",
  id: "box",
  collection: { collectionId: "line", path: "root.lines" },
  components: [{ type: "text", id: "words", text: "{{ line.title }}" }],
};

describe("the clipboard of the editor", () => {
  const service = useService();
  const signIn = useStudio(service);

  it("copies components from template to template as text", async () => {
    const editor = await signIn("editor");
    const { page } = await openEditor(service, editor, [box]);
    await pressKeys(page, "ArrowDown", "Control+C");
    await waitForLastAction(page, "Box copied");
    const other = await openEditor(service, editor, []);
    await pressKeys(page, "Control+V");
    await waitForLastAction(page, "1 component pasted");
    const pasted = await eventually(async () => {
      const { components } = await other.draft();
      return components.length === 1 && components;
    });
    expect(withoutIds(pasted)).to.deep.equal(withoutIds([box]));
    expect(JSON.stringify(pasted)).not.to.include('"box"');
    await pressKeys(page, "Control+X");
    await waitForLastAction(page, "Box deleted");
    expect(editor.pageErrors).to.deep.equal([]);
  });

  it("turns spreadsheet cells into a table and reports unknown fields", async () => {
    const editor = await signIn("editor");
    const { page, draft } = await openEditor(service, editor, []);
    await putOnClipboard(page, "Item\tPrice\nPaper\t4.20\n");
    await pressKeys(page, "Control+V");
    const [table] = await eventually(async () => {
      const { components } = await draft();
      return components.length === 1 && components;
    });
    expect(table).to.have.property("type", "table");
    expect(table).to.have.nested.property("components[0].header", true);
    expect(table).to.have.nested.property(
      "components[1].components[1].text",
      "4.20",
    );
    await putOnClipboard(page, '{ "type": "tabel", "components": [] }');
    await pressKeys(page, "Control+V");
    await waitForText(page, 'Unknown component type "tabel".');
  });
});
