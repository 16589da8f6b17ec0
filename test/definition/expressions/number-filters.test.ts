import { expect } from "chai";
import { value } from "./vocabulary.js";

const data = {
  n: 1234.5,
  text: "abc",
  exact: "12345678901234567890.125",
  unit: "JPY",
};

describe("number, currency and percent", () => {
  const cases: [string, string][] = [
    ["n | number", "1,234.5"],
    ["0.1 + 0.2 | number", "0.3"],
    ["n | number('0,0.00')", "1,234.50"],
    ["n | number('#,##0.00')", "1,234.50"],
    ["n | number('0')", "1235"],
    ["n | number('0,0')", "1,235"],
    ["n | number('0.0##')", "1234.5"],
    ["7 | number('000')", "007"],
    ["n | number(1)", "1,234.5"],
    ["0.125 | number('0.0%')", "12.5%"],
    ["1.005 | number('0.00')", "1.01"],
    ["-1.005 | number('0.00')", "-1.01"],
    ["2.5 | number('0')", "3"],
    ["-0.001 | number('0.00')", "0.00"],
    ["exact | number('0,0.00')", "12,345,678,901,234,567,890.13"],
    ["'1e3' | number", "1,000"],
    ["n | currency", "$1,234.50"],
    ["n | currency('EUR', 'de-DE')", "1.234,50\u00a0€"],
    ["n | currency(unit)", "¥1,235"],
    ["-n | currency", "-$1,234.50"],
    ["0.256 | percent", "25.6%"],
    ["0.256 | percent(0)", "26%"],
    ["0.256 | percent(1, 'de-DE')", "25,6\u00a0%"],
    ["text | number('0.00')", "abc"],
    ["text | currency", "abc"],
    ["n | currency(text ~ text)", "1234.5"],
    ["null | number('0.00')", ""],
    ["'' | currency", ""],
  ];
  for (const [expression, printed] of cases) {
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression, data)).to.equal(printed);
    });
  }
});
