import { expect } from "chai";
import { Decimal } from "decimal.js";
import { fc } from "../../support/properties.js";
import { value } from "./vocabulary.js";

const amount = fc
  .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => Number(`${digits}e-${places}`));

const exact = (result: Decimal) => result.toFixed().replace(/^-0$/, "0");

describe("arithmetic", () => {
  const cases: [string, string][] = [
    ["0.1 + 0.2", "0.3"],
    ["1.1 * 1.1", "1.21"],
    ["0.3 - 0.1", "0.2"],
    ["1 / 3", "0.333333333333333"],
    ["1 / 3 * 3", "1"],
    ["10 % 0.3", "0.1"],
    ["1.005 * 1000", "1005"],
    ["9007199254740991 + 2", "9007199254740993"],
    ["'12345678901234567890.12' + 0.01", "12345678901234567890.13"],
    ["' 1.50 ' * 2", "3"],
    ["'1e3' + 1", "1001"],
    ["0.0000001 * 1", "0.0000001"],
    ["1 / 0", ""],
    ["'9e999' * 1", ""],
    ["'0x10' * 1", ""],
  ];
  for (const [expression, printed] of cases) {
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression)).to.equal(printed);
    });
  }

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
