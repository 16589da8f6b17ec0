import { expect } from "chai";
import { describe, it } from "mocha";
import type { Logic, Rule } from "../../../core/plugin-api/definition.js";
import {
  proposeCollectionName,
  stopRepeating,
  repeatForEach,
} from "../../../plugins/studio/app/src/editor/rules/collection-edits.js";
import {
  addPart,
  changePart,
  movePart,
  getQuantity,
  withQuantity,
  getComparison,
  newRule,
  withComparison,
  withField,
  withSource,
} from "../../../plugins/studio/app/src/editor/rules/logic.js";
import { newEditor } from "../../support/editor-model.js";

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
