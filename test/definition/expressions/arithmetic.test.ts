import { expect } from "chai";
import { Decimal } from "decimal.js";
import {
  constantText,
  isConstantText,
} from "../../../core/definition/expressions/index.js";
import { fc } from "../../support/properties.js";
import { value } from "./vocabulary.js";

const amount = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`));

const exact = (result: Decimal) => result.toFixed().replace(/^-0$/, "0");

describe("arithmetic", () => {
  it("is exact for all amounts", () => {
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const data = { a, b };
        const [left, right] = [new Decimal(a), new Decimal(b)];
        expect(value("a + b", data)).to.equal(exact(left.plus(right)));
        expect(value("a - b", data)).to.equal(exact(left.minus(right)));
        expect(value("a * b", data)).to.equal(exact(left.times(right)));
      }),
    );
  });

  it("sums exactly", () => {
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        const total = amounts.reduce((a, b) => a.plus(b), new Decimal(0));
        const printed = value("SUM(root.amounts)", { amounts });
        expect(printed).to.equal(exact(total));
      }),
    );
  });
});

describe("a text without expressions", () => {
  it("is recognized as constant", () => {
    expect(isConstantText("plain")).to.equal(true);
    expect(isConstantText("\\{{ x")).to.equal(true);
    expect(isConstantText("{{ 1 }}")).to.equal(false);
    expect(constantText("a \\{{ b")).to.equal("a {{ b");
  });
});
