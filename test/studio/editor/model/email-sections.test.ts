import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../../core/definition/index.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { insertComponents } from "../../../../studio/src/editor/model/edits.js";
import { getSectionMaker } from "../../../../studio/src/editor/palette/email-sections.js";
import { newEditor } from "../../../support/editor-model.js";

const data: ProjectData["schema"] = [
  {
    id: "root",
    fields: [{ name: "lines", type: "OneToManyLink", target: "lines" }],
  },
  {
    id: "lines",
    fields: [
      { name: "title", type: "String" },
      { name: "amount", type: "Number", format: "currency", currency: "EUR" },
      { name: "quantity", type: "Number" },
      { name: "picture", type: "String", sample: "asset:1" },
    ],
  },
];

describe("the ready-made sections of an email", () => {
  const keys =
    "header hero picture two three products action quote order social footer";
  /** An email of all sections. */
  function addAll(schema: ProjectData["schema"]) {
    const empty = { schema, email: { subject: "Hello" }, components: [] };
    const editor = newEditor(empty, "email");
    for (const [index, key] of keys.split(" ").entries()) {
      const made = getSectionMaker(editor, key)?.();
      if (!made) throw new Error(`there is no section ${key}`);
      insertComponents(editor, [made], { list: "body", index }, key);
    }
    return editor.definition.value;
  }

  it("are valid without any data", () => {
    const made = addAll([{ id: "root", fields: [] }]);
    expect(checkDefinition(made, "email").problems).to.eql([]);
    expect(made.components).to.have.length(11);
    expect(JSON.stringify(made)).not.to.include("{{");
  });

  it("print the first list of the data and the fields of its items, also twice", () => {
    const made = addAll(data);
    expect(checkDefinition(made, "email").problems).to.eql([]);
    expect(JSON.stringify(made))
      .to.include("{{ product.title }}")
      .and.to.include("{{ line.quantity }}")
      .and.to.include("{{ SUM(root.lines, quantity) }}");
    const editor = newEditor(made, "email");
    expect(getSectionMaker(editor, "products")?.().collection).to.include({
      collectionId: "product2",
    });
  });
});
