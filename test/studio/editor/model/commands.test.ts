import { expect } from "chai";
import { describe, it } from "mocha";
import type { Component } from "../../../../core/plugin-api/definition.js";
import {
  copySelected,
  cutSelected,
  deleteSelected,
  duplicateSelected,
  extendSelection,
  leaveSelected,
  moveSelected,
  pasteAtSelection,
  redo,
  undo,
  wrapSelected,
} from "../../../../plugins/studio/app/src/editor/commands/commands.js";
import type { Editor } from "../../../../plugins/studio/app/src/editor/model/editor.js";
import {
  type Direction,
  navigate,
} from "../../../../plugins/studio/app/src/editor/model/navigate.js";
import { addNewComponent } from "../../../../plugins/studio/app/src/editor/model/placement.js";
import { newEditor, summarize } from "../../../support/editor-model.js";

const text = (id: string): Component => ({ type: "text", id, text: id });
const row = (id: string, ...cells: string[]): Component => ({
  type: "table-row",
  id,
  components: cells.map((cell) => ({
    type: "table-cell",
    id: cell,
    text: cell,
  })),
});
const box = (...components: Component[]): Component => ({
  type: "container",
  id: "box",
  components,
});

const loose = (): Editor =>
  newEditor([text("head"), box(text("one"), text("two")), text("last")]);
const tabled = (): Editor =>
  newEditor([
    {
      type: "table",
      id: "table",
      components: [row("top", "a", "b"), row("row", "c", "d")],
    },
    text("last"),
  ]);

/** Runs a command, on these components or on what is selected. @returns what is announced, and the body afterwards */
function run(
  editor: Editor,
  ids: string | null,
  command: (editor: Editor) => unknown,
): string[] {
  if (ids !== null) editor.selected.replace(ids.split(" "));
  command(editor);
  const { components } = editor.definition.value;
  return [editor.announced.value, summarize(components)];
}

const move = (way: "up" | "down" | "in" | "out") => (editor: Editor) =>
  moveSelected(editor, way);

/** Copies the first cell and pastes it at the third. */
const pasteTop = (other: Editor) => {
  other.selected.replace(["a"]);
  const copied = copySelected(other) ?? "";
  other.selected.replace(["c"]);
  pasteAtSelection(other, copied);
};

const spans = (id: string, ...all: number[]): Component => ({
  type: "table-row",
  id,
  components: all.map((colspan, index) => ({
    type: "table-cell",
    id: `${id}${index}`,
    colspan,
  })),
});

describe("commands on the selected components", () => {
  it("move one within its list, into a neighbor that accepts it, and out again", () => {
    const editor = loose();
    const before = "head container(one two) last";
    const cases = [
      [
        "head",
        move("down"),
        "Text moved to position 2 of 3",
        "container(one two) head last",
      ],
      [null, move("up"), "Text moved to position 1 of 3", before],
      [null, move("up"), "Text wasn't moved: it is already first", before],
      [
        null,
        move("in"),
        "Text moved into Box, position 1 of 3",
        "container(head one two) last",
      ],
      [
        null,
        move("out"),
        "Text moved into Page, position 2 of 3",
        "container(one two) head last",
      ],
    ] as const;
    for (const [ids, command, ...expected] of cases)
      expect(run(editor, ids, command)).to.deep.equal(expected);
    expect(run(tabled(), "row", move("out"))[0]).to.equal(
      "Row wasn't moved: it cannot leave its parent",
    );
  });

  it("move, duplicate and delete several in one step, and tell who only sees what did not move", () => {
    const editor = loose();
    const before = "head container(one two) last";
    const cases = [
      ["head box last", move("up"), "3 components weren't moved", before],
      [
        "head box",
        move("in"),
        "Select one component to move it in or out",
        before,
      ],
      [
        null,
        move("down"),
        "2 components moved",
        "last head container(one two)",
      ],
      [
        null,
        duplicateSelected,
        "2 components duplicated",
        "last head container(one two) head container(one two)",
      ],
      [
        null,
        deleteSelected,
        "2 components deleted",
        "last head container(one two)",
      ],
      [
        null,
        undo,
        "Undone: Delete 2 components",
        "last head container(one two) head container(one two)",
      ],
      [
        null,
        redo,
        "Redone: Delete 2 components",
        "last head container(one two)",
      ],
    ] as const;
    for (const [ids, command, ...expected] of cases)
      expect(run(editor, ids, command)).to.deep.equal(expected);
    expect(editor.refusal.value).to.equal(
      "Select one component to move it in or out",
    );
  });

  it("keep a table rectangular when cells are duplicated, emptied, deleted, pasted and added", () => {
    const editor = tabled();
    const cases = [
      [
        "d",
        duplicateSelected,
        "Column duplicated",
        "table(table-row(a b b) table-row(c d d)) last",
      ],
      [
        null,
        deleteSelected,
        "Cell emptied. Delete its row or column to remove it",
        "table(table-row(a b b) table-row(c d _)) last",
      ],
      [
        null,
        pasteTop,
        "1 component pasted",
        "table(table-row(a b b) table-row(a d _)) last",
      ],
      ["top", deleteSelected, "Row deleted", "table(table-row(a d _)) last"],
    ] as const;
    for (const [ids, command, ...expected] of cases)
      expect(run(editor, ids, command)).to.deep.equal(expected);
    const cells = tabled();
    expect(run(cells, "a b", deleteSelected)).to.deep.equal([
      "Row deleted",
      "table(table-row(c d)) last",
    ]);
    const added = run(cells, "c", (one) => addNewComponent(one, "table-cell"));
    expect(added[1]).to.equal("table(table-row(c _ d)) last");
  });

  it("copy and cut components as text that is pasted elsewhere", () => {
    const editor = loose();
    editor.selected.replace(["head", "box"]);
    const copied = copySelected(editor);
    expect(editor.announced.value).to.equal("2 components copied");
    expect(cutSelected(editor)).to.equal(copied);
    expect(
      run(editor, "last", (one) => pasteAtSelection(one, copied ?? "")),
    ).to.deep.equal(["2 components pasted", "last head container(one two)"]);
  });

  it("put components into a box or side by side where they have a list in common", () => {
    const columns = "columns(column(head) column(container(one two))) last";
    const editor = loose();
    expect(
      run(editor, "head box", (one) => wrapSelected(one, "columns"))[1],
    ).to.equal(columns);
    expect(run(editor, null, undo)[1]).to.equal("head container(one two) last");
    expect(
      run(editor, "head box", (one) => wrapSelected(one, "container"))[1],
    ).to.equal("container(head container(one two)) last");
    const other = loose();
    const before = other.definition.value;
    run(other, "head one", (one) => wrapSelected(one, "container"));
    expect(other.definition.value).to.equal(before);
    expect(
      run(other, "one", (one) => wrapSelected(one, "columns"))[1],
    ).to.equal("head container(columns(column(one) column) two) last");
  });

  it("change nothing for those who may not edit", () => {
    const editor = loose();
    const before = editor.definition.value;
    editor.allow(false);
    editor.selected.replace(["head", "box"]);
    for (const command of [
      deleteSelected,
      duplicateSelected,
      move("down"),
      cutSelected,
    ])
      command(editor);
    wrapSelected(editor, "container");
    pasteAtSelection(editor, "Words");
    expect(editor.definition.value).to.equal(before);
    editor.allow(true);
    deleteSelected(editor);
    expect(editor.definition.value).not.to.equal(before);
  });
});

describe("the arrow keys on the page", () => {
  const editor = newEditor([
    text("text"),
    {
      type: "table",
      id: "table",
      components: [spans("a", 2, 1), spans("b", 1, 1, 1)],
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

  const ways: [
    what: string,
    ...ways: [from: string | null, way: Direction, to: string][],
  ][] = [
    [
      "siblings, the parent and the first child",
      [null, "down", "text"],
      ["text", "down", "table"],
      ["table", "right", "a"],
      ["a", "up", "table"],
      ["b", "down", "columns"],
      ["b", "left", "table"],
      ["text", "up", "text"],
    ],
    [
      "cells by their position in the table",
      ["a0", "right", "a1"],
      ["a1", "down", "b2"],
      ["b1", "up", "a0"],
      ["a0", "left", "a"],
      ["b2", "down", "columns"],
    ],
    [
      "columns beside each other",
      ["left", "right", "right"],
      ["right", "left", "left"],
      ["left", "left", "columns"],
    ],
  ];
  for (const [what, ...steps] of ways)
    it(`select ${what}`, () => {
      for (const [from, way, to] of steps) {
        editor.selected.value = from;
        navigate(editor, way);
        expect(editor.selected.value, `${way} from ${from}`).to.equal(to);
      }
    });

  it("add to the selection with Shift, which Escape makes the parent", () => {
    editor.selected.value = "text";
    extendSelection(editor, "down");
    extendSelection(editor, "down");
    expect(editor.selected.ids.value).to.have.members([
      "text",
      "table",
      "columns",
    ]);
    editor.selected.value = "b1";
    leaveSelected(editor);
    expect(editor.selected.value).to.equal("b");
  });
});
