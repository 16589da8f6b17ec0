import { expect } from "chai";
import {
  checkPath,
  repeatTypes,
  rootTypes,
} from "../../../core/definition/expressions/index.js";
import type { DataCollection } from "../../../core/definition/schema/data-schema.js";
import { readError, problemsIn, getProblems } from "./vocabulary.js";

const schema: DataCollection[] = [
  {
    id: "root",
    fields: [
      { name: "total", type: "Number" },
      { name: "customer", type: "OneToOneLink", target: "customers" },
      { name: "lines", type: "OneToManyLink", target: "lines" },
      { name: "notes", type: "OneToManyLink", target: "notes" },
    ],
  },
  { id: "customers", fields: [{ name: "name", type: "String" }] },
  { id: "lines", fields: [{ name: "amount", type: "Number" }] },
  { id: "notes", fields: [] },
];
const inLines = repeatTypes(
  { collectionId: "line", path: "root.lines" },
  rootTypes(schema),
);
const warnings = (expression: string, types = rootTypes(schema)) =>
  problemsIn(`{{ ${expression} }}`, types).warnings;

describe("checking paths", () => {
  it("accepts declared fields, including those of linked records", () => {
    const text =
      "{{ root.total }}{{ total }}{{ root.customer.name }}" +
      "{{ root.lines.0.amount }}{{ SUM(root.lines, amount) }}{{ root.notes.0.x }}";
    const { errors, warnings: found } = problemsIn(text, schema);
    expect([errors, found]).to.eql([[], []]);
  });

  it("rejects a dotted path that does not begin with a scope", () => {
    expect(readError("line.amount", schema)).to.equal("unknown_scope 1");
    expect(readError("1 + group.key", schema)).to.equal("unknown_scope 5");
    const [error] = problemsIn("{{ customer.name }}", schema).errors;
    expect(error?.hint).to.equal("Did you mean root.customer.name?");
    const [near] = problemsIn("{{ lines.amount }}", inLines).errors;
    expect(near?.hint).to.equal("Did you mean root.lines.amount?");
    expect(near?.message).to.include("starts with root, line.");
    const [typo] = problemsIn("{{ lime.amount }}", inLines).errors;
    expect(typo?.hint).to.equal("Did you mean line?");
  });

  it("rejects a path into a collection that is out of scope", () => {
    expect(readError("root.lines.amount", schema)).to.equal(
      "collection_out_of_scope 12",
    );
    const [outside] = problemsIn("{{ root.lines.amount }}", schema).errors;
    expect(outside?.hint).to.include("SUM(root.lines, amount)");
    const [inside] = problemsIn("{{ root.lines.amount }}", inLines).errors;
    expect(inside?.hint).to.equal("Write line.amount.");
  });

  it("allows lists and bare paths to read whole collections", () => {
    expect(readError("JOIN(root.lines.amount)", schema)).to.equal("");
    const { errors } = getProblems((report) =>
      checkPath("root.lines.amount", rootTypes(schema), report),
    );
    expect(errors).to.eql([]);
  });

  it("warns about a field that is not declared", () => {
    const [field] = warnings("root.totl");
    expect(field).to.include({ code: "undeclared_field", column: 6 });
    expect(field?.hint).to.equal("Did you mean total?");
    expect(warnings("root.total.x")).to.have.length(1);
    expect(warnings("SUM(root.lines, amont)")[0]?.hint).to.include("amount");
  });

  it("warns about a bare name that no scope declares", () => {
    const [name] = warnings("amuont", inLines);
    expect(name).to.include({ code: "undeclared_name", column: 1 });
    expect(name?.hint).to.equal("Did you mean amount?");
  });

  it("adds no warning when a collection declares no fields", () => {
    const inNotes = repeatTypes(
      { collectionId: "note", path: "root.notes" },
      rootTypes(schema),
    );
    expect(warnings("note.any.thing", inNotes)).to.eql([]);
    expect(warnings("anything", inNotes)).to.eql([]);
  });

  it("warns about a record or a collection used as text", () => {
    expect(warnings("root.lines")[0]?.code).to.equal("prints_nothing");
    expect(warnings("root.customer")[0]?.hint).to.include("name");
    expect(warnings("'x' if root.lines else 'y'")).to.eql([]);
  });
});
