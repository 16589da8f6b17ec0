import { expect } from "chai";
import { value } from "./vocabulary.js";

const data = {
  name: "Ada",
  customer: { address: { city: "Bonn" }, tags: ["x", "y"] },
  lines: [{ sku: "A", parts: [{ n: 1 }, { n: 2 }] }, { sku: "B" }],
  "Unit price": 5,
  größe: 4,
  if: "word",
};

describe("a path", () => {
  it("reads a field of the root", () => {
    expect(value("root.name", data)).to.equal("Ada");
    expect(value("root.größe", data)).to.equal("4");
  });

  it("reads through objects", () => {
    expect(value("root.customer.address.city", data)).to.equal("Bonn");
  });

  it("reads one element of a list by its index", () => {
    expect(value("root.lines.0.sku", data)).to.equal("A");
    expect(value("root.lines.0.parts.1.n", data)).to.equal("2");
    expect(value("root.lines[1].sku", data)).to.equal("B");
  });

  it("reads a field of every element of a list", () => {
    expect(value("root.lines.sku", data)).to.equal("A, B");
    expect(value("root.lines.parts.n", data)).to.equal("1, 2");
  });

  it("reads a key that is not an identifier", () => {
    expect(value('root["Unit price"] * 2', data)).to.equal("10");
    expect(value("root.if", data)).to.equal("word");
  });

  it("prints lists with commas and records as nothing", () => {
    expect(value("root.customer.tags", data)).to.equal("x, y");
    expect(value("root.customer", data)).to.equal("");
  });

  it("finds no property in a text or a list", () => {
    expect(value("root.name.length", data)).to.equal("");
    expect(value("root.lines.length", data)).to.equal("");
  });
});
