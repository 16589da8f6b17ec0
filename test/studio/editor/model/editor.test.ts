import { effect } from "@preact/signals";
import { expect } from "chai";
import type {
  Component,
  ProjectData,
} from "../../../../core/plugin-api/definition.js";
import type { Editor } from "../../../../studio/src/editor/model/editor.js";
import { updateComponent } from "../../../../studio/src/editor/model/edits.js";
import { specimen } from "../../../compiler/specimen/specimens.js";
import { newEditor } from "../../../support/editor-model.js";

describe("a template that is opened", () => {
  it("stays unchanged, character for character", () => {
    for (const type of ["document", "email"] as const) {
      const opened = newEditor(named(specimen(type)), type).definition.peek();
      expect(JSON.stringify(opened)).to.equal(
        JSON.stringify(named(specimen(type))),
      );
    }
  });
});

/** With ids at the end, as programs write them. */
function named(definition: unknown): ProjectData {
  let count = 0;
  const json = JSON.stringify(definition, (_, value: unknown) =>
    typeof value === "object" && value !== null && "type" in value
      ? { ...without(value, "id"), id: `c${count++}` }
      : value,
  );
  // The specimens are definitions.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(json) as ProjectData;
}

function without(value: object, name: string): object {
  const kept = Object.entries(value).filter(([key]) => key !== name);
  return Object.fromEntries(kept);
}

const content = (): Component[] => [
  { type: "container", id: "box", components: [text("a"), text("b")] },
];

function text(id: string): Component {
  return { type: "text", id, text: id };
}

function write(editor: Editor, id: string, words: string): void {
  updateComponent(editor, id, "Type", (draft) => {
    Object.assign(draft, { text: words });
  });
}

/** @returns the texts of each time that the page was drawn */
function watchDrawn(editor: Editor): string[] {
  const drawn: string[] = [];
  effect(() => {
    const { entries } = editor.drawnTree.value;
    const texts = [...entries.values()].map(({ component }) =>
      "text" in component && typeof component.text === "string"
        ? component.text
        : component.type,
    );
    drawn.push(texts.join(" "));
  });
  drawn.length = 0;
  return drawn;
}

describe("the page, while a text is typed in it", () => {
  it("is drawn when the typing ends, and not for each letter", () => {
    const editor = newEditor(content());
    editor.typingIn.value = "a";
    const drawn = watchDrawn(editor);
    for (const words of ["ah", "aha", "ah", "aha!"]) write(editor, "a", words);
    expect(drawn).to.deep.equal([]);
    expect(editor.tree.value.entries.get("a")?.component).to.deep.include({
      text: "aha!",
    });
    editor.typingIn.value = null;
    expect(drawn).to.deep.equal(["container aha! b"]);
  });

  it("is drawn at once for every other change, with the letters typed before", () => {
    const editor = newEditor(content());
    editor.typingIn.value = "a";
    const drawn = watchDrawn(editor);
    write(editor, "a", "ah");
    write(editor, "b", "be");
    updateComponent(editor, "a", "Color", (draft) => {
      draft.style = { color: "#112233" };
    });
    editor.undo();
    expect(drawn).to.deep.equal([
      "container ah be",
      "container ah be",
      "container ah be",
    ]);
  });

  it("is drawn when the typing goes on in another text", () => {
    const editor = newEditor(content());
    editor.typingIn.value = "a";
    const drawn = watchDrawn(editor);
    write(editor, "a", "ah");
    editor.typingIn.value = "b";
    write(editor, "b", "be");
    expect(drawn).to.deep.equal(["container ah b"]);
  });
});
