import { expect } from "chai";
import { describe, it } from "mocha";
import type { DataCollection } from "../../../core/plugin-api/definition.js";
import {
  inferSchema,
  mergeTable,
} from "../../../plugins/studio/app/src/editor/fields/infer-schema.js";

import { fillSample } from "../../../plugins/studio/app/src/editor/fields/make-sample.js";

const sample = {
  number: 7,
  due: "2026-03-01",
  paid: true,
  logo: "asset:1",
  tags: ["a"],
  customer: { name: "Ada" },
  lines: [{ title: "Bolt" }, { title: "Nut", parts: [{ weight: 2.5 }] }],
};

describe("fields and samples", () => {
  it("are detected in a sample, including links and nested lists", () => {
    expect(inferSchema([], sample)).to.eql([
      {
        id: "root",
        fields: [
          { name: "number", type: "Number" },
          { name: "due", type: "Date" },
          { name: "paid", type: "String", sample: true },
          { name: "logo", type: "String", sample: "asset:1" },
          { name: "customer", type: "OneToOneLink", target: "customer" },
          { name: "lines", type: "OneToManyLink", target: "lines" },
        ],
      },
      { id: "customer", fields: [{ name: "name", type: "String" }] },
      {
        id: "lines",
        fields: [
          { name: "title", type: "String" },
          { name: "parts", type: "OneToManyLink", target: "parts" },
        ],
      },
      { id: "parts", fields: [{ name: "weight", type: "Number" }] },
    ]);
  });

  it("keep declared fields, and detect nothing new in a generated sample", () => {
    const declared: DataCollection[] = [
      {
        id: "root",
        fields: [
          { name: "number", type: "String", label: "No." },
          { name: "lines", type: "OneToManyLink", target: "rows" },
        ],
      },
      { id: "rows", label: "Rows", fields: [] },
    ];
    const found = inferSchema(declared, sample);
    expect(found[0]?.fields.slice(0, 2)).to.eql(declared[0]?.fields);
    expect(found[1]?.fields.map(({ name }) => name)).to.eql(["title", "parts"]);
    const made = fillSample(found, undefined);
    expect(inferSchema(found, made)).to.eql(found);
  });

  it("keep the sample's values and add missing ones", () => {
    const schema = inferSchema([], sample);
    const filled = fillSample(schema, { number: 1, lines: [{ x: 1 }] });
    expect(filled).to.deep.include({ number: 1, due: "2026-01-05" });
    expect(filled).to.have.nested.property("lines[0].x", 1);
    expect(filled).to.have.nested.property("lines[0].title", "Title 1");
  });

  it("are added from a table to the existing ones", () => {
    const table: DataCollection[] = [
      {
        id: "root",
        fields: [
          { name: "amount", type: "Number", source: "Amount" },
          { name: "city", type: "String", source: "City" },
          { name: "orders", type: "OneToManyLink", target: "orders" },
          { name: "notes", type: "OneToManyLink", target: "notes" },
        ],
      },
      { id: "orders", fields: [], source: { tableId: "t2" } },
      { id: "notes", fields: [], source: { tableId: "t3" } },
    ];
    const own: DataCollection[] = [
      {
        id: "root",
        fields: [{ name: "total", type: "Number", source: "Amount" }],
      },
      { id: "orders", fields: [{ name: "old", type: "String" }] },
    ];
    const place = { connectionId: "c", tableId: "t1" };
    const [root, ...others] = mergeTable(
      own,
      table,
      new Set(["orders"]),
      place,
    );
    expect(root?.connection).to.eql(place);
    const names = root?.fields.map(({ name }) => name);
    expect(names).to.eql(["total", "city", "orders"]);
    expect(others.map(({ id }) => id)).to.eql(["orders", "orders2"]);
    expect(root?.fields[2]).to.include({ target: "orders2" });
  });
});
