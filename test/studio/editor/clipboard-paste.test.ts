import { expect } from "chai";
import { describe, it } from "mocha";
import {
  toClipboardText,
  pasteText,
} from "../../../plugins/studio/app/src/editor/model/clipboard.js";
import { getBody, newEditor } from "../../support/editor-model.js";

const box = { type: "container" as const, id: "box", components: [] };
const row = {
  type: "table-row",
  components: [{ type: "table-cell", text: "One" }],
};

describe("pasting", () => {
  it("accepts what the guide shows: a component, a list of them, or a definition", () => {
    const text = { type: "text", text: "Hello" };
    for (const one of [text, [text], { schema: [], components: [text] }]) {
      const editor = newEditor([]);
      const fenced = `\`\`\`json\n${JSON.stringify(one, null, 2)}\n\`\`\``;
      for (const words of [JSON.stringify(one), fenced])
        expect(pasteText(editor, words)).to.deep.equal({ count: 1 });
      expect(getBody(editor)).to.deep.equal([text, text]);
    }
  });

  it("inserts a copy after its original, and other components into the selection", () => {
    const editor = newEditor([box]);
    editor.selected.value = "box";
    pasteText(editor, toClipboardText(editor.selection.value));
    expect(editor.tree.value.lists.get("body")?.components).to.have.length(2);
    editor.selected.value = "box";
    pasteText(editor, "Just words,\nin two lines");
    expect(editor.tree.value.lists.get("box/components")?.components[0])
      .to.have.property("text")
      .equal("Just words,\nin two lines");
  });

  it("finds the nearest place where the component is allowed", () => {
    const table = { type: "table" as const, id: "table", components: [] };
    const editor = newEditor([table, { type: "text", id: "last", text: "" }]);
    editor.selected.value = "last";
    expect(pasteText(editor, JSON.stringify(row))).to.deep.equal({
      fault: "Row goes into a table. Select one and paste again.",
    });
    editor.selected.value = "table";
    expect(pasteText(editor, JSON.stringify(row))).to.deep.equal({ count: 1 });
  });

  it("rejects, with a message, what the template cannot contain", () => {
    const inner = { type: "container", components: [{ type: "page-break" }] };
    const editor = newEditor([], "email");
    expect(pasteText(editor, JSON.stringify(inner))).to.deep.equal({
      fault: "Page break is only available in documents.",
    });
    expect(pasteText(editor, '{ "type": "heading" }')).to.deep.equal({
      fault: 'Heading needs "text".',
    });
    expect(getBody(editor)).to.deep.equal([]);
  });
});
