import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import type { Component } from "../../../core/plugin-api/definition.js";
import {
  type Direction,
  navigate,
} from "../../../plugins/studio/app/src/editor/model/navigate.js";
import type { Editor } from "../../../plugins/studio/app/src/editor/model/editor.js";
import { newEditor } from "../../support/editor-model.js";

function row(id: string, ...spans: number[]): Component {
  const components = spans.map((colspan, index) => ({
    type: "table-cell" as const,
    id: `${id}${index}`,
    colspan,
  }));
  return { type: "table-row", id, components };
}

describe("the arrow keys on the page", () => {
  let editor: Editor;
  const goes = (from: string | null, direction: Direction) => {
    editor.selected.value = from;
    navigate(editor, direction);
    return editor.selected.value;
  };
  beforeEach(() => {
    editor = newEditor([
      { type: "text", id: "text", text: "" },
      {
        type: "table",
        id: "table",
        components: [row("a", 2, 1), row("b", 1, 1, 1)],
      },
      {
        type: "columns",
        id: "columns",
        components: [
          { type: "column", id: "left", components: [] },
          { type: "column", id: "right", components: [] },
        ],
      },
    ]);
  });

  it("select siblings, the parent and the first child", () => {
    expect(goes(null, "down")).to.equal("text");
    expect(goes("text", "down")).to.equal("table");
    expect(goes("table", "right")).to.equal("a");
    expect(goes("a", "up")).to.equal("table");
    expect(goes("b", "down")).to.equal("columns");
    expect(goes("b", "left")).to.equal("table");
    expect(goes("text", "up")).to.equal("text");
  });

  it("move between cells by their position in the table", () => {
    expect(goes("a0", "right")).to.equal("a1");
    expect(goes("a1", "down")).to.equal("b2");
    expect(goes("b1", "up")).to.equal("a0");
    expect(goes("a0", "left")).to.equal("a");
    expect(goes("b2", "down")).to.equal("columns");
  });

  it("move between columns", () => {
    expect(goes("left", "right")).to.equal("right");
    expect(goes("right", "left")).to.equal("left");
    expect(goes("left", "left")).to.equal("columns");
  });
});
