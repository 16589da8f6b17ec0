import { expect } from "chai";
import {
  checkRepeat,
  checkTemplate,
  rootTypes,
} from "../../../core/definition/expressions/index.js";
import type {
  DataCollection,
  Repeat,
} from "../../../core/definition/schema/data-schema.js";
import { getProblems } from "./vocabulary.js";

const schema: DataCollection[] = [
  {
    id: "root",
    fields: [
      { name: "total", type: "Number" },
      { name: "lines", type: "OneToManyLink", target: "lines" },
    ],
  },
  {
    id: "lines",
    fields: [
      { name: "amount", type: "Number" },
      { name: "category", type: "String" },
    ],
  },
];
const lines: Repeat = { collectionId: "line", path: "root.lines" };
const check = (repeat: Partial<Repeat>) =>
  getProblems((report) =>
    checkRepeat({ ...lines, ...repeat }, rootTypes(schema), report),
  );
const inside = (repeat: Partial<Repeat>, text: string) =>
  getProblems((report) => {
    const all = { ...lines, ...repeat };
    checkTemplate(text, checkRepeat(all, rootTypes(schema), report), report);
  });

describe("checking a collection", () => {
  it("accepts a valid collection", () => {
    const { places } = check({
      sort: [{ field: "line.amount", direction: "ASC", type: "Number" }],
      groupBy: { field: "category" },
      filter: {
        combinator: "and",
        rules: [{ field: "amount", operator: ">", value: 1 }],
      },
    });
    expect(places).to.eql([]);
  });

  it("names the property that has the problem", () => {
    const { places } = check({
      collectionId: "my line",
      path: "lines.x",
      sort: [{ field: "a b", direction: "ASC", type: "Number" }],
      groupBy: { field: "SUM(a)" },
      filter: {
        combinator: "or",
        rules: [{ field: "((", operator: "null" }],
      },
    });
    expect(places).to.eql([
      ".collectionId",
      ".path",
      ".filter.rules[0].field",
      ".sort[0].field",
      ".groupBy.field",
    ]);
  });

  it("rejects reserved ids", () => {
    for (const collectionId of ["root", "and", "null", "__proto__", "1a"]) {
      expect(check({ collectionId }).errors, collectionId).to.have.length(1);
    }
  });

  it("warns about undeclared fields and about a source that is not a collection", () => {
    const groupBy = { field: "catgory" };
    expect(check({ groupBy }).warnings[0]?.hint).to.include("category");
    expect(check({ path: "root.total" }).warnings[0]?.code).to.equal(
      "not_a_collection",
    );
  });

  it("covers the fields of its elements and of its groups", () => {
    expect(inside({}, "{{ line.amount }}{{ amount }}").places).to.eql([]);
    expect(inside({}, "{{ line.amuont }}").warnings).to.have.length(1);
    expect(inside({}, "{{ group.key }}").errors).to.have.length(1);
    const groupBy = { field: "category" };
    const text = "{{ group.key }}{{ SUM(group.items, amount) }}";
    expect(inside({ groupBy }, text).places).to.eql([]);
    const wrong = "{{ line.amount }}{{ SUM(line.items, amuont) }}";
    expect(inside({ groupBy }, wrong).warnings).to.have.length(2);
  });
});
