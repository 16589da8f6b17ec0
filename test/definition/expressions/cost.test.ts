import { expect } from "chai";
import type { Repeat } from "../../../core/definition/schema/data-schema.js";
import { printsEach } from "./vocabulary.js";

const lines = Array.from({ length: 100 }, (_, amount) => ({ amount }));
const each: Repeat = { collectionId: "line", path: "root.lines" };
const filter = {
  combinator: "and" as const,
  rules: [{ field: "amount", operator: "<" as const, value: 50 }],
};

/** The number of elements that are read. */
function getCost(source: string, repeat: Partial<Repeat> = {}): number {
  let spent = 0;
  const spend = (iterations: number) => (spent += iterations);
  printsEach([{ ...each, ...repeat }], source, { lines }, { spend });
  return spent;
}

describe("the cost of an expression", () => {
  it("counts an aggregate over an outer scope once instead of for every inner element", () => {
    expect(getCost("{{ line.amount / SUM(root.lines, amount) }}")).to.equal(
      200,
    );
  });

  it("counts an aggregate that depends on the element for each of them", () => {
    const source = "{{ SUM(root.lines, amount * line.amount) }}";
    expect(getCost(source)).to.equal(100 + 100 * 100);
  });

  it("counts the elements of a list that is read, and those that are joined", () => {
    const source = "{{ JOIN(root.lines.amount) }}";
    expect(getCost(source)).to.equal(100 + 100 * 100 + 100 * 10);
  });

  it("does not count elements that are only counted or not printed", () => {
    expect(getCost("{{ COUNT(root.lines) }}")).to.equal(100);
    expect(getCost("x", { limit: 2 })).to.equal(2);
    expect(getCost("x", { limit: 2, filter })).to.equal(100);
  });
});
