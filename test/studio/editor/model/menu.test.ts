import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../../core/definition/index.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { insertComponents } from "../../../../studio/src/editor/model/edits.js";
import {
  expandTo,
  getOutlineRows,
  getRowLabel,
  toggleKey,
} from "../../../../studio/src/editor/outline/outline-rows.js";
import { getSectionMaker } from "../../../../studio/src/editor/palette/email-sections.js";
import { addFieldInScope } from "../../../../studio/src/editor/text/menu-items.js";
import { newEditor } from "../../../support/editor-model.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      fields: [
        { name: "issuedOn", type: "Date" },
        { name: "Länge", type: "Number", format: "wholePercent" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "lines",
      fields: [
        { name: "title", type: "String" },
        { name: "amount", type: "Number", format: "currency", currency: "EUR" },
        { name: "quantity", type: "Number" },
        { name: "madeOn", type: "Date" },
        { name: "picture", type: "String", sample: "asset:1" },
      ],
    },
  ],
  components: [
    {
      id: "each",
      type: "text",
      text: "",
      collection: { collectionId: "line", path: "root.lines" },
    },
    { id: "one", type: "text", text: "" },
  ],
  page: { footer: [{ id: "foot", type: "text", text: "" }] },
  sample: {
    issuedOn: "2026-11-21",
    tags: ["a", "b"],
    lines: [{ title: "Work", amount: 12.5, quantity: 3 }],
  },
};

describe("the menu of fields", () => {
  it("adds a field that does not exist to the record or to what repeats", () => {
    const other = newEditor(definition);
    expect(addFieldInScope(other, "one", "Vat")).to.equal("root.vat");
    expect(addFieldInScope(other, "each", "Vat")).to.equal("line.vat");
    const [root, lines] = other.definition.value.schema;
    const field = { name: "vat", label: "Vat", type: "String" };
    for (const collection of [root, lines])
      expect(collection?.fields.at(-1)).to.deep.equal(field);
  });
});

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
    const made = addAll(definition.schema);
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

describe("the rows of the outline", () => {
  const editor = newEditor({
    ...definition,
    components: [
      { type: "heading", id: "title", text: "Title" },
      {
        type: "container",
        id: "box",
        class: "frame",
        collection: { collectionId: "line", path: "root.lines" },
        components: [
          { type: "text", id: "inner", text: "{{ line.amount }} each" },
        ],
      },
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
      {
        type: "text",
        id: "shown",
        text: "Yes",
        condition: {
          combinator: "and",
          rules: [],
          else: [{ type: "text", id: "other", text: "No" }],
        },
      },
    ],
  });
  const rows = (toggled: ReadonlySet<string>) =>
    getOutlineRows(editor, toggled).map(
      ({ component, words, level }) =>
        `${level} ${component ? getRowLabel(editor, component) : words}`,
    );
  const body = [
    "1 Page",
    "2 Heading, Title",
    "2 Box, frame, each line",
    "3 Text, Amount each",
    "2 Table",
    "3 Row, Cell",
    "2 Text, Yes, if…",
    "3 Otherwise",
    "4 Text, No",
    "1 Footer",
    "2 Text",
  ];

  it("name components by their texts, styles and rules, with table rows closed", () => {
    expect(rows(new Set())).to.deep.equal(body);
  });

  it("are opened and closed, and open for a component in them", () => {
    const closed = toggleKey(new Set(["body"]), "box");
    expect(rows(closed)).to.deep.equal(["1 Page", "1 Footer", "2 Text"]);
    const { value: tree } = editor.tree;
    expect(
      rows(expandTo(tree, toggleKey(new Set(), "box"), "inner")),
    ).to.deep.equal(body);
    expect(rows(expandTo(tree, new Set(), "cell"))).to.include("4 Cell, Cell");
  });
});
