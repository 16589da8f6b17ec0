import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  ProjectData,
} from "../../../core/contract/definition.js";
import { updateComponent } from "../../../plugins/studio/app/src/editor/model/edits.js";
import { join } from "../../../plugins/studio/app/src/editor/session/join/join.js";
import { newEditor } from "../../support/editor-model.js";

const text = (id: string, words: string): Component => ({
  type: "text",
  id,
  text: words,
});

describe("undo, after somebody else's changes came in", () => {
  it("takes back own steps alone, and redo does them again", () => {
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
    editor.rebase(
      join({ base, mine, theirs }).definition,
      (before) => join({ base, mine: before, theirs }).definition,
    );
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
});
