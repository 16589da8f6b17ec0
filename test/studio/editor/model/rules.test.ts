import { expect } from "chai";
import { describe, it } from "mocha";
import type {
  Component,
  Logic,
  ProjectData,
  Rule,
} from "../../../../core/plugin-api/definition.js";
import {
  groupList,
  proposeCollectionName,
  repeatForEach,
  stopRepeating,
} from "../../../../plugins/studio/app/src/editor/rules/collection-edits.js";
import {
  addPart,
  changePart,
  getComparison,
  getQuantity,
  movePart,
  newRule,
  withComparison,
  withField,
  withQuantity,
  withSource,
} from "../../../../plugins/studio/app/src/editor/rules/logic.js";
import { merged } from "../../../compiler/support.js";
import { newEditor } from "../../../support/editor-model.js";

const field = "amount";

describe("the editor for rules", () => {
  it("offers operators and keeps a value that still fits", () => {
    const more = withComparison(newRule(field), ">", "number", 5);
    expect(more).to.eql({ field, operator: ">", value: 5, type: "Number" });
    const between = withComparison(more, "between", "number", 1);
    expect(between.value).to.eql([5, 5]);
    expect(withComparison(between, "in", "number", 1).value).to.eql([5, 5]);
    const moved = withField(more, "due", "date");
    expect(moved).to.eql({ ...more, field: "due", type: "Date" });
    const none = withComparison(more, "empty", "number", 5);
    expect(none).to.eql({ field, operator: "empty" });
  });

  it("supports booleans, other fields, and values with commas", () => {
    const yes = withComparison(newRule("paid"), "isYes", "yesno", undefined);
    expect(yes).to.eql({ field: "paid", operator: "=", value: true });
    expect(getComparison({ ...yes, operator: "!=" })).to.equal("isNo");
    const other = withSource({ field, operator: "=", value: 3 }, "root.max");
    expect(other).to.include({ value: "root.max", valueSource: "field" });
    expect(withSource(other, null)).to.eql({ field, operator: "=", value: "" });
    const written: Rule = { field, operator: "in", value: "a, b" };
    expect(withComparison(written, "notIn", "text", "").value).to.eql([
      "a",
      "b",
    ]);
  });

  it("changes one rule of a group and no other", () => {
    const odd: Rule = { field: "a * 2", operator: ">", value: { x: 1 } };
    const inner: Logic = { combinator: "or", not: true, rules: [odd] };
    const logic: Logic = { combinator: "and", rules: [newRule("a"), inner] };
    const added = addPart(logic, [1], newRule("b"));
    expect(changePart(added, [1, 1], null)).to.eql(logic);
    expect(movePart(added, [1, 1], -1).rules[1]).to.eql({
      ...inner,
      rules: [newRule("b"), odd],
    });
    expect(changePart(logic, [1, 0], null).rules).to.eql([newRule("a")]);
    expect(getQuantity(inner)).to.equal("none");
    expect(withQuantity(withQuantity(inner, "all"), "none")).to.eql(inner);
  });

  it("gives a list's elements a name that is unique in the template", () => {
    const editor = newEditor([{ type: "text", id: "one", text: "" }]);
    const names = ["root.orderLines", 'root["Unit prices"]', "root.boxes"];
    expect(names.map((path) => proposeCollectionName(editor, path))).to.eql([
      "orderLine",
      "unitPrice",
      "box",
    ]);
    repeatForEach(editor, "one", "root.boxes");
    expect(proposeCollectionName(editor, "root.boxes")).to.equal("box2");
    expect(proposeCollectionName(editor, "root.entries")).to.equal("entry");
  });

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
  const schema: ProjectData["schema"] = [
    {
      id: "root",
      fields: [{ name: "lines", type: "OneToManyLink", target: "lines" }],
    },
    {
      id: "lines",
      fields: [
        { name: "category", type: "String" },
        { name: "title", type: "String" },
        { name: "quantity", type: "Number" },
        { name: "price", type: "Number" },
      ],
    },
  ];

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
