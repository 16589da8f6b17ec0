import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  ProjectData,
} from "../../../core/plugin-api/definition.js";
import { updateComponent } from "../../../plugins/studio/app/src/editor/model/edits.js";
import { mergeDefinitions } from "../../../plugins/studio/app/src/editor/model/merge-definitions.js";
import { getBody, newEditor } from "../../support/editor-model.js";

const text = (id: string, words: string): Component => ({
  type: "text",
  id,
  text: words,
});

describe("undo after somebody else's changes arrived", () => {
  it("reverts only the user's own steps, and redo restores them", () => {
    const editor = newEditor([text("a", "A"), text("b", "B")]);
    const base = editor.definition.value;
    const write = (id: string, words: string) =>
      updateComponent(editor, id, `Write ${words}`, (component) => {
        if ("text" in component) component.text = words;
      });
    write("a", "A1");
    write("a", "A2");
    const theirs: ProjectData = {
      ...base,
      components: [text("a", "A"), text("b", "Theirs"), text("c", "Theirs")],
    };
    const mine = editor.definition.value;
    editor.rebase(mergeDefinitions({ base, mine, theirs }).definition, {
      base,
      theirs,
    });
    const words = () =>
      editor.definition.value.components.map(
        (one) => "text" in one && one.text,
      );
    expect(words()).to.deep.equal(["A2", "Theirs", "Theirs"]);
    editor.undo();
    expect(words()).to.deep.equal(["A1", "Theirs", "Theirs"]);
    editor.undo();
    expect(words()).to.deep.equal(["A", "Theirs", "Theirs"]);
    expect(editor.undoName.value).to.equal(null);
    editor.redo();
    editor.redo();
    expect(words()).to.deep.equal(["A2", "Theirs", "Theirs"]);
  });

  it("keeps what somebody else has written over them", () => {
    const editor = newEditor([text("a", "A"), text("b", "B")]);
    const write = (id: string, words: string) =>
      updateComponent(editor, id, `Write ${words}`, (component) => {
        if ("text" in component) component.text = words;
      });
    write("b", "B mine");
    write("a", "A mine");
    const base = editor.definition.value;
    const theirs: ProjectData = {
      ...base,
      components: [text("a", "A mine and theirs"), text("b", "B mine")],
    };
    editor.rebase(theirs, { base, theirs });
    expect(editor.undo()).to.equal("Write B mine");
    expect(getBody(editor)).to.deep.equal([
      { type: "text", text: "A mine and theirs" },
      { type: "text", text: "B" },
    ]);
    expect(editor.undo()).to.equal(null);
  });
});
