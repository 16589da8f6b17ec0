import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import type { Editor } from "../../../plugins/studio/app/src/editor/model/editor.js";
import { moveByStep } from "../../../plugins/studio/app/src/editor/model/placement.js";
import { newEditor } from "../../support/editor-model.js";

describe("moving a component with the keyboard", () => {
  let editor: Editor;
  beforeEach(() => {
    editor = newEditor([
      { type: "heading", id: "title", text: "Title" },
      { type: "container", id: "box", components: [] },
      {
        type: "table",
        id: "table",
        components: [
          {
            type: "table-row",
            id: "row",
            components: [{ type: "table-cell", id: "cell", text: "Cell" }],
          },
        ],
      },
    ]);
  });

  const findSpot = (id: string) => editor.tree.value.entries.get(id)?.spot;

  it("announces the new position", () => {
    const announcement = moveByStep(editor, "title", "down");
    expect(announcement).to.equal("Heading moved to position 2 of 3");
    expect(findSpot("title")).to.deep.equal({ list: "body", index: 1 });
    expect(moveByStep(editor, "title", "up")).to.include("position 1 of 3");
  });

  it("moves into neighbors that accept it, and out again", () => {
    const announcement = moveByStep(editor, "title", "in");
    expect(announcement).to.equal("Heading moved into Box, position 1 of 1");
    expect(findSpot("title")?.list).to.equal("box/components");
    expect(moveByStep(editor, "title", "out")).to.equal(
      "Heading moved into Page, position 2 of 3",
    );
  });

  it("stays in place with an announcement when no other place accepts it", () => {
    const before = editor.definition.value;
    expect(moveByStep(editor, "row", "out")).to.equal(
      "Row wasn't moved: it cannot leave its parent",
    );
    expect(moveByStep(editor, "title", "up")).to.include("it is already first");
    expect(editor.definition.value).to.equal(before);
  });
});
