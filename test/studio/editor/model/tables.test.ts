import { expect } from "chai";
import { beforeEach, describe, it } from "mocha";
import type { Component } from "../../../../core/plugin-api/definition.js";
import type { Editor } from "../../../../plugins/studio/app/src/editor/model/editor.js";
import { editTable } from "../../../../plugins/studio/app/src/editor/model/table-edits.js";
import { getBody, newEditor } from "../../../support/editor-model.js";

type Cell = Extract<Component, { type: "table-cell" }>;

function cell(id: string, more: Partial<Cell> = {}): Component {
  return { type: "table-cell", id, text: id, ...more };
}

/** `a` and `c` span two columns and two rows. */
const table: Component = {
  type: "table",
  columns: [
    { width: "50%" },
    { width: "25%", align: "right" },
    { width: "25%" },
  ],
  components: [
    {
      type: "table-row",
      id: "head",
      header: true,
      components: [cell("a", { colspan: 2 }), cell("b")],
    },
    {
      type: "fragment",
      components: [
        {
          type: "table-row",
          id: "first",
          components: [cell("c", { rowspan: 2 }), cell("d"), cell("e")],
        },
        {
          type: "table-row",
          id: "second",
          components: [cell("f"), cell("g")],
        },
      ],
    },
  ],
};

/** Words of each row's cells, with their spans. */
function shape(editor: Editor): string[] {
  const [first] = editor.definition.value.components;
  const text = JSON.stringify(first);
  expect(text).to.be.a("string");
  const rows: string[] = [];
  const visit = (one: Component) => {
    if (one.type === "table-row")
      rows.push(
        one.components
          .map((inner) => {
            if (inner.type !== "table-cell" || Array.isArray(inner.text))
              return "?";
            const spans = [inner.colspan ?? 1, inner.rowspan ?? 1].join("x");
            return `${inner.text ?? ""}${spans === "1x1" ? "" : spans}`;
          })
          .join(" "),
      );
    else if ("components" in one) one.components?.forEach(visit);
  };
  if (first) visit(first);
  return rows;
}

describe("rows and columns of a table", () => {
  let editor: Editor;
  beforeEach(() => {
    editor = newEditor([table]);
  });

  it("insert a column through a cell that spans it", () => {
    editTable(editor, "d", "column-left");
    expect(shape(editor)).to.deep.equal(["a3x1 b", "c1x2  d e", " f g"]);
    expect(getBody(editor))
      .to.have.nested.property("[0].columns")
      .deep.equal([
        { width: "37.5%" },
        { width: "25%", align: "right" },
        { width: "18.75%", align: "right" },
        { width: "18.75%" },
      ]);
  });

  it("delete a column that a cell spans", () => {
    editTable(editor, "d", "delete-column");
    expect(shape(editor)).to.deep.equal(["a b", "c1x2 e", "g"]);
    expect(getBody(editor))
      .to.have.nested.property("[0].columns")
      .deep.equal([{ width: "66.67%" }, { width: "33.33%" }]);
  });

  it("insert a row through a cell that spans it", () => {
    editTable(editor, "first", "row-below");
    expect(shape(editor)).to.deep.equal(["a2x1 b", "c1x3 d e", " ", "f g"]);
    editor.undo();
    editTable(editor, "head", "row-below");
    expect(shape(editor)).to.deep.equal(["a2x1 b", "2x1 ", "c1x2 d e", "f g"]);
  });

  it("delete a row but keep the cell that spans it from above", () => {
    editTable(editor, "first", "delete-row");
    expect(shape(editor)).to.deep.equal(["a2x1 b", "c f g"]);
    editor.undo();
    editTable(editor, "g", "delete-row");
    expect(shape(editor)).to.deep.equal(["a2x1 b", "c d e"]);
  });

  it("delete the table with its last row", () => {
    editTable(editor, "head", "delete-row");
    editTable(editor, "first", "delete-row");
    editTable(editor, "second", "delete-row");
    expect(getBody(editor)).to.deep.equal([]);
  });
});
