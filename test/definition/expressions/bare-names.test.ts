import { expect } from "chai";
import type { DataCollection } from "../../../core/definition/schema/data-schema.js";
import { printsEach } from "./vocabulary.js";

const lines = { collectionId: "line", path: "root.lines" };
const schema: DataCollection[] = [
  {
    id: "root",
    fields: [
      { name: "id", type: "String" },
      { name: "note", type: "String" },
      { name: "lines", type: "OneToManyLink", target: "lines" },
    ],
  },
  { id: "lines", fields: [{ name: "id", type: "String" }] },
];
const data = {
  id: "R",
  note: "outer",
  undeclared: "u",
  lines: [{ id: "L", note: "inner" }, { note: "inner" }],
};

describe("a bare name", () => {
  it("refers to the innermost scope that declares it", () => {
    expect(printsEach([lines], "{{ id }}", data, { schema })).to.eql(["L", ""]);
  });

  it("refers to an outer scope when only that declares it", () => {
    expect(printsEach([lines], "{{ note }}", data, { schema })).to.eql([
      "outer",
      "outer",
    ]);
  });

  it("is searched from the inner to the outer data when no scope declares it", () => {
    const text = "{{ undeclared }}";
    expect(printsEach([lines], text, data, { schema })).to.eql(["u", "u"]);
  });

  it("is searched in outer scopes when the schema is open", () => {
    expect(printsEach([lines], "{{ id }} {{ note }}", data)).to.eql([
      "L inner",
      "R inner",
    ]);
  });

  it("refers to the element itself when it is its collection's id", () => {
    const tags = { collectionId: "tag", path: "root.tags" };
    const tagged = { tags: ["x", 2] };
    expect(printsEach([tags], "{{ tag }}", tagged)).to.eql(["x", "2"]);
  });
});
