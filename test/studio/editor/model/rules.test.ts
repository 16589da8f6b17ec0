import { expect } from "chai";
import type { Component } from "../../../../core/plugin-api/definition.js";
import {
  groupList,
  repeatForEach,
  stopRepeating,
} from "../../../../studio/src/editor/rules/collection-edits.js";
import { merged } from "../../../compiler/support.js";
import { newEditor } from "../../../support/editor-model.js";
import { toSchema } from "../../../support/schema.js";

describe("the editor for rules", () => {
  it("gives a component a new id when it stops repeating", () => {
    const editor = newEditor([
      { type: "text", id: "one", text: "{{ box.size }}" },
    ]);
    editor.selected.value = "one";
    repeatForEach(editor, "one", "root.boxes");
    repeatForEach(editor, "one", "root.all.boxes");
    const body = () => editor.definition.value.components[0];
    expect(body()?.id).to.equal("one");
    expect(body()?.collection?.collectionId).to.equal("box");
    stopRepeating(editor, "one");
    expect(body()).to.not.have.property("collection");
    expect(body()?.id).to.not.equal("one");
    expect(editor.selected.value).to.equal(body()?.id);
    editor.undo();
    expect(body()?.id).to.equal("one");
  });

  it("repeats for the keys of an object until a list is chosen", () => {
    const editor = newEditor([{ type: "text", id: "one", text: "" }]);
    const collection = () => editor.definition.value.components[0]?.collection;
    repeatForEach(editor, "one", "root.prices", true);
    expect(collection()).to.include({ path: "root.prices", entries: true });
    repeatForEach(editor, "one", "root.lines");
    expect(collection()).to.include({ path: "root.lines" });
    expect(collection()).to.not.have.property("entries");
  });
});

const row = (...texts: string[]): Component => ({
  type: "table-row",
  id: "row",
  collection: { collectionId: "line", path: "root.lines" },
  components: texts.map((text) => ({ type: "table-cell", text })),
});

describe("grouping a list", () => {
  const lines = [
    { category: "Tools", title: "Axe", quantity: 2, price: 30 },
    { category: "Parts", title: "Bolt", quantity: 100, price: 0.5 },
    { category: "Tools", title: "Saw", quantity: 1, price: 25 },
  ];
  const schema = toSchema({
    root: "lines OneToManyLink lines",
    lines: "category String, title String, quantity Number, price Number",
  });

  /** The texts that are printed after a component was grouped by the category. */
  function printGrouped(component: Component): string[] {
    const editor = newEditor({
      schema,
      components: [component],
      sample: { lines },
    });
    const before = editor.definition.value;
    const { entries } = editor.tree.value;
    const id = entries.has("row") ? "row" : (component.id ?? "");
    groupList(editor, id, { field: "category" });
    const { html } = merged(editor.definition.value, { lines });
    expect(editor.undo()).to.equal("Change the groups");
    expect(editor.definition.value).to.deep.equal(before);
    const texts = html.matchAll(
      /<(?:t[hd]|p|h3)\b[^>]*>([^]*?)<\/(?:t[hd]|p|h3)>/g,
    );
    return [...texts].map(([, inner = ""]) =>
      inner.replaceAll(/<[^>]*>/g, "").trim(),
    );
  }

  it("gives a table row a heading for each group, and a subtotal of its last column of numbers", () => {
    const amount = '{{ line.quantity * line.price | currency("EUR") }}';
    const table: Component = {
      type: "table",
      id: "table",
      components: [row("{{ line.title }}", "{{ line.quantity }}", amount)],
    };
    expect(printGrouped(table).join()).to.equal(
      "Tools,Axe,2,€60.00,Saw,1,€25.00,Subtotal,,€85.00," +
        "Parts,Bolt,100,€50.00,Subtotal,,€50.00",
    );
  });

  it("gives a row that shows no fields yet a heading alone", () => {
    const table: Component = {
      type: "table",
      id: "table",
      components: [row("Anything")],
    };
    expect(printGrouped(table).join()).to.equal(
      "Tools,Anything,Anything,Parts,Anything",
    );
  });

  it("puts a component that shows fields under a heading, and repeats another one for each group", () => {
    const collection = { collectionId: "line", path: "root.lines" };
    const text = { type: "text", id: "text", collection } as const;
    expect(printGrouped({ ...text, text: "{{ line.title }}" }).join()).to.equal(
      "Tools,Axe,Saw,Parts,Bolt",
    );
    expect(printGrouped({ ...text, text: "Anything" }).join()).to.equal(
      "Anything,Anything",
    );
  });
});
