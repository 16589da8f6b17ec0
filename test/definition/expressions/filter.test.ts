import { expect } from "chai";
import type { Rule } from "../../../core/definition/schema/data-schema.js";
import { printsEach } from "./vocabulary.js";

const data = {
  threshold: 2,
  lines: [
    { name: "a", amount: 1, limit: 3, product: { category: "x" } },
    { name: "b", amount: 2, limit: 1, product: { category: "y" } },
    { name: "c", amount: 3, limit: 3 },
  ],
};

function kept(...rules: Rule[]): string {
  const filter = { combinator: "and" as const, rules };
  const repeat = { collectionId: "line", path: "root.lines", filter };
  return printsEach([repeat], "{{ line.name }}", data).join("");
}

describe("a collection's filter", () => {
  it("reads fields of the element", () => {
    expect(kept({ field: "amount", operator: ">", value: 1 })).to.equal("bc");
    const rule = { field: "product.category", operator: "=" } as const;
    expect(kept({ ...rule, value: "x" })).to.equal("a");
  });

  it("reads other scopes by their prefix", () => {
    const rule = { operator: ">=", valueSource: "field" } as const;
    const wanted = { ...rule, value: "root.threshold" };
    expect(kept({ field: "line.amount", ...wanted })).to.equal("bc");
    expect(kept({ field: "amount", ...rule, value: "limit" })).to.equal("bc");
  });

  it("accepts expressions and the position in the source", () => {
    expect(kept({ field: "amount * 2", operator: "=", value: 4 })).to.equal(
      "b",
    );
    expect(kept({ field: "line.index", operator: "<", value: 2 })).to.equal(
      "ab",
    );
  });

  it("never reads a bare name from an outer scope", () => {
    expect(kept({ field: "threshold", operator: "notNull" })).to.equal("");
  });
});
