import { expect } from "chai";
import { describe, it } from "mocha";
import type { ProjectData } from "../../../../core/plugin-api/index.js";
import { listPathOptions } from "../../../../plugins/studio/app/src/editor/scope/path-options.js";
import { newEditor } from "../../../support/editor-model.js";

const definition: ProjectData = {
  schema: [
    {
      id: "root",
      label: "Invoice",
      fields: [
        { name: "number", type: "String" },
        { name: "customer", type: "OneToOneLink", target: "customers" },
        { name: "lines", type: "OneToManyLink", target: "lines" },
      ],
    },
    {
      id: "customers",
      fields: [{ name: "fullName", type: "String", label: "Name" }],
    },
    {
      id: "lines",
      fields: [
        { name: "amount", type: "Number" },
        { name: "Unit price", type: "Number" },
        { name: "kind", type: "String" },
      ],
    },
  ],
  components: [
    {
      id: "groups",
      type: "container",
      collection: {
        collectionId: "byKind",
        path: "root.lines",
        groupBy: { field: "kind" },
        empty: [{ id: "none", type: "text", text: "" }],
      },
      components: [
        {
          id: "each",
          type: "text",
          text: "",
          collection: { collectionId: "line", path: "byKind.items" },
        },
      ],
    },
  ],
  sample: {
    number: "7",
    customer: { fullName: "Ada", city: "London" },
    lines: [{ amount: 1234.5, kind: "work" }],
    tags: ["a", "b"],
  },
};

describe("the paths offered in the studio", () => {
  const editor = newEditor(definition);
  const paths = (id: string, where: Parameters<typeof listPathOptions>[2]) =>
    listPathOptions(editor, id, where).map(({ path }) => path);

  it("are the fields in scope, nearest first, including those of linked records", () => {
    const found = paths("each", "content");
    expect(found.slice(0, 3)).to.eql([
      "line.amount",
      'line["Unit price"]',
      "line.kind",
    ]);
    expect(found).to.include.members([
      "line.number",
      "byKind.key",
      "byKind.items",
      "root.customer.fullName",
    ]);
  });

  it("include the sample's values and fields that the schema lacks", () => {
    const options = listPathOptions(editor, "each", "content");
    const of = (path: string) => options.find((one) => one.path === path);
    expect(of("line.amount")?.sample).to.equal("1,234.5");
    expect(of("byKind.key")).to.include({ sample: "work", label: "Kind" });
    expect(of("root.customer.city")).to.include({
      sample: "London",
      from: "Customer",
    });
    expect(of("root.tags")).to.include({ kind: "list", sample: "2 entries" });
  });

  it("are those outside of a component for its condition, collection and alternative", () => {
    for (const found of [
      paths("groups", "condition"),
      paths("groups", "collection"),
      paths("none", "content"),
    ])
      expect(found.filter((path) => !path.startsWith("root."))).to.eql([]);
  });

  it("are bare names of the element in a filter, before grouping", () => {
    const found = paths("groups", "filter");
    expect(found.slice(0, 3)).to.eql([
      "amount",
      'byKind["Unit price"]',
      "kind",
    ]);
    expect(found).to.include("root.number");
  });
});
