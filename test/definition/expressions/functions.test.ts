import { expect } from "chai";
import { value } from "./vocabulary.js";

const data = {
  name: "Ada 👩‍🚀",
  tags: ["b", "", "a", null],
  lines: [{ sku: "x" }, { sku: "y" }],
  price: "2.345",
  paid: "2024-01-31",
  at: "2024-03-30T12:00:00+01:00",
};

describe("functions", () => {
  const cases: [string, string][] = [
    ["ROUND(2.345, 2)", "2.35"],
    ["ROUND(-2.5)", "-3"],
    ["ROUND(1.005, 2)", "1.01"],
    ["ROUND(price, 1)", "2.3"],
    ["ROUND(1250, -2)", "1300"],
    ["ABS(-2.5)", "2.5"],
    ["CEIL(2.1)", "3"],
    ["CEIL(-2.1)", "-2"],
    ["CEIL(2.101, 2)", "2.11"],
    ["FLOOR(2.9)", "2"],
    ["FLOOR(-2.1)", "-3"],
    ["LEN('abc')", "3"],
    ["LEN(root.lines)", "2"],
    ["LEN(root.none)", "0"],
    ["CONCAT('a', 1, null, true)", "a1true"],
    ["JOIN(root.tags)", "b, a"],
    ["JOIN(root.lines.sku, ' / ')", "x / y"],
    ["JOIN('one')", "one"],
    ["COALESCE(root.none, '', 0, 'x')", "0"],
    ["COALESCE(root.none)", ""],
    ["TODAY()", "2024-03-10"],
    ["NOW()", "2024-03-10T22:30:00.000Z"],
    ["DATE_ADD(paid, 1, 'month')", "2024-02-29"],
    ["DATE_ADD(paid, -1, 'days')", "2024-01-30"],
    ["DATE_ADD(paid, 2, 'Weeks')", "2024-02-14"],
    ["DATE_ADD(paid, 36, 'hours')", "2024-02-01T12:00:00.000Z"],
    ["DATE_ADD('no date', 1, 'day')", ""],
    ["DATE_ADD(paid, 9999999, 'years')", ""],
    ["DATE_DIFF('2024-03-01', paid)", "30"],
    ["DATE_DIFF(paid, '2024-03-01', 'days')", "-30"],
    ["DATE_DIFF('2024-03-01', paid, 'months')", "1"],
    ["DATE_DIFF('2026-01-30', paid, 'years')", "1"],
    ["DATE_DIFF('2023-02-28', '2023-01-31', 'months')", "1"],
    ["DATE_DIFF('2024-06-30', '2024-03-31', 'months')", "2"],
    ["DATE_DIFF('2024-03-30', '2024-02-29', 'months')", "1"],
    ["DATE_DIFF('2025-02-28', '2024-02-29', 'years')", "0"],
    ["DATE_DIFF('2024-03-01', '2024-03-14', 'weeks')", "-1"],
    ["DATE_ADD('2024-02-29', 1, 'year')", "2025-02-28"],
    ["DATE_ADD('2024-03-31', -1, 'months')", "2024-02-29"],
    ["DATE_DIFF(paid, 'x')", ""],
  ];
  for (const [expression, printed] of cases) {
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression, data)).to.equal(printed);
    });
  }
});
