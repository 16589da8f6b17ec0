import { expect } from "chai";
import { value } from "./vocabulary.js";

const cases: [string, string][] = [
  ["1 + 2 * 3", "7"],
  ["(1 + 2) * 3", "9"],
  ["10 - 4 - 3", "3"],
  ["7 % 4 + 1", "4"],
  ["12 / 4 / 3", "1"],
  ["-2 * -3", "6"],
  ["- - 4", "4"],
  ["+5", "5"],
  ["1 ~ 2 + 3", "15"],
  ["'a' ~ 'b' ~ null ~ 1", "ab1"],
  ["1 < 2", "true"],
  ["2 <= 1", "false"],
  ["1 = 1.0", "true"],
  ["1 == 2", "false"],
  ["1 != 2", "true"],
  ["not 1 = 2", "true"],
  ["not true or true", "true"],
  ["true or false and false", "true"],
  ["1 < 2 and 2 < 3", "true"],
  ["0 or 'zero'", "zero"],
  ["'a' and 'b'", "b"],
  ["'yes' if 1 > 2 else 'no'", "no"],
  ["'a' if false else 'b' if false else 'c'", "c"],
  ["'a' if true", "a"],
  ["'a' if false", ""],
  ["1 + 1 if true else 5", "2"],
  ["2 * 3 | number('0.00')", "6.00"],
  ["'a' if true else 'b' | upper", "A"],
  ["('a' | upper) ~ 'b'", "Ab"],
  ["true", "true"],
  ["null", ""],
  ["'it\\'s\\n'", "it's\n"],
];

describe("operators", () => {
  for (const [expression, printed] of cases) {
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression)).to.equal(printed);
    });
  }

  it("ignore an empty operand in a sum and make a product with it empty", () => {
    expect(value("a + 2", { a: null })).to.equal("2");
    expect(value("2 - a", { a: "" })).to.equal("2");
    expect(value("a - 2", { a: null })).to.equal("-2");
    expect(value("a * 2", { a: null })).to.equal("");
  });
});
