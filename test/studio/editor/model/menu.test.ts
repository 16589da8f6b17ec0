import { expect } from "chai";
import { describe, it } from "mocha";
import { checkDefinition } from "../../../../core/definition/index.js";
import type { ProjectData } from "../../../../core/plugin-api/definition.js";
import { createFieldPart } from "../../../../plugins/studio/app/src/editor/fields/insert-field.js";
import { insertComponents } from "../../../../plugins/studio/app/src/editor/model/edits.js";
import {
  expandTo,
  getOutlineRows,
  getRowLabel,
  toggleKey,
} from "../../../../plugins/studio/app/src/editor/outline/outline-rows.js";
import { getSectionMaker } from "../../../../plugins/studio/app/src/editor/palette/email-sections.js";
import { getChipLabel } from "../../../../plugins/studio/app/src/editor/text/chip.js";
import {
  addFieldInScope,
  createNewFieldItems,
  filterItems,
  getMenuItems,
  type MenuItem,
} from "../../../../plugins/studio/app/src/editor/text/menu-items.js";
import { newEditor, summarize } from "../../../support/editor-model.js";

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
  const editor = newEditor(definition);

  /** Chooses the first item for each query in turn. @returns what the last one inserts; null if nothing is found */
  function choose(owner: string, ...queries: string[]): string | null {
    let items: readonly MenuItem[] = getMenuItems(editor, owner, false);
    for (const query of queries) {
      const action = filterItems(items, query)[0]?.action;
      if (action?.kind !== "step")
        return action && "source" in action ? action.source : null;
      items = action.items();
    }
    return null;
  }

  const cases: [owner: string, queries: string[], source: string | null][] = [
    ["each", ["titl"], "{{ line.title }}"],
    ["each", ["amount"], '{{ line.amount | currency("EUR") }}'],
    ["each", ["issued"], '{{ root.issuedOn | date("medium") }}'],
    ["each", ["zeppelin"], null],
    ["one", ["titl"], null],
    ["one", ["lange"], "{{ root.Länge / 100 | percent }}"],
    ["one", ["tags"], '{{ JOIN(root.tags, ", ") }}'],
    ["one", ["pages"], null],
    ["foot", ["pages"], "pages"],
    ["each", ["multiply", "quant", ""], "{{ line.quantity * line.amount }}"],
    [
      "each",
      ["divide", "amount", "quant"],
      "{{ line.amount / line.quantity }}",
    ],
    [
      "one",
      ["sum", "lines", "amount"],
      '{{ SUM(root.lines, amount) | currency("EUR") }}',
    ],
    [
      "one",
      ["sum", "lines", "multiply", "quant", "amount"],
      "{{ SUM(root.lines, quantity * amount) }}",
    ],
    ["one", ["sum", "lines", "made"], null],
    ["one", ["largest", "lines", "made"], "{{ MAX(root.lines, madeOn) }}"],
    ["one", ["count", "lines"], "{{ COUNT(root.lines) }}"],
    ["one", ["today"], '{{ TODAY() | date("medium") }}'],
    [
      "one",
      ["due", "issued"],
      '{{ DATE_ADD(root.issuedOn, 14, "days") | date("medium") }}',
    ],
    ["each", ["empty", "titl"], '{{ line.title | default("–") }}'],
  ];
  for (const [owner, queries, source] of cases)
    it(`inserts ${source ?? "nothing"} for “${queries.join("”, “")}” in the text ${owner}`, () => {
      expect(choose(owner, ...queries)).to.equal(source);
    });

  it("offers a field that does not exist for a word, and adds it to the record or to what repeats", () => {
    expect(createNewFieldItems("vat").map(({ label }) => label)).to.deep.equal([
      "Add the field “Vat”",
    ]);
    for (const query of ["", "v", "vat rate", "1st", "a/b"])
      expect(createNewFieldItems(query), query).to.deep.equal([]);
    const other = newEditor(definition);
    expect(addFieldInScope(other, "one", "Vat")).to.equal("root.vat");
    expect(addFieldInScope(other, "each", "Vat")).to.equal("line.vat");
    const [root, lines] = other.definition.value.schema;
    const field = { name: "vat", label: "Vat", type: "String" };
    for (const collection of [root, lines])
      expect(collection?.fields.at(-1)).to.deep.equal(field);
  });
});

describe("the name of a chip", () => {
  for (const [source, label, isFormula = false] of [
    ["{{ line.amount | currency }}", "Amount"],
    ["{{ SUM(root.lines, amount * quantity) }}", "Sum of Amount × Quantity"],
    ["{{ COUNT(root.lines) }}", "Count of Lines"],
    ['{{ DATE_ADD(root.issuedOn, -2, "months") }}', "Issued on − 2 months"],
    ["{{ TODAY() }}", "Today"],
    ["{{ line.quantity - 1 }}", "Quantity − 1"],
    ["{{ 1 if line.quantity else 2 }}", "1 if line.quantity else…", true],
  ] as const)
    it(`is “${label}” for ${source}`, () => {
      expect(getChipLabel(newEditor(definition), "each", source)).to.deep.equal(
        { label, isFormula },
      );
    });
});

describe("a field of the data as a component", () => {
  for (const [place, collectionId, name, made] of [
    ["one", "root", "issuedOn", '{{ root.issuedOn | date("medium") }}'],
    [
      "one",
      "root",
      "lines",
      'table(table-row(Title Amount Quantity Made on Picture) table-row({{ line2.title }} {{ line2.amount | currency("EUR") }} {{ line2.quantity }} {{ line2.madeOn | date("medium") }} {{ line2.picture }}))',
    ],
    ["each", "lines", "quantity", "{{ line.quantity }}"],
    ["each", "lines", "picture", "image"],
    ["one", "lines", "quantity", ""],
  ] as const)
    it(`is ${made || "nothing"} for the field ${name} at the text ${place}`, () => {
      const { fields = [] } =
        definition.schema.find(({ id }) => id === collectionId) ?? {};
      const field = fields.find((one) => one.name === name);
      if (!field) throw new Error(`there is no field ${name}`);
      const dragged = { collectionId, field };
      const part = createFieldPart(newEditor(definition), place, dragged);
      expect(summarize(part ? [part] : [])).to.equal(made);
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
