import { expect } from "chai";
import { printsEach, value } from "./vocabulary.js";

const data = {
  lines: [
    { amount: 0.1, qty: 2, date: "2024-05-02", name: "b", tax: { rate: 7 } },
    { amount: "0.2", qty: 3, date: "2023-01-01", name: "a", tax: { rate: 19 } },
    { amount: null, qty: 1, name: "" },
    { amount: "n/a" },
  ],
  orders: [
    { lines: [{ amount: 1 }, { amount: 2 }] },
    { lines: [{ amount: 4 }] },
    {},
  ],
  one: { amount: 5 },
};

describe("an aggregate", () => {
  const cases: [string, string][] = [
    ["SUM(root.lines, amount)", "0.3"],
    ['SUM(root.lines, "amount")', "0.3"],
    ["SUM(root.lines, tax.rate)", "26"],
    ["AVG(root.lines, amount)", "0.15"],
    ["MIN(root.lines, qty)", "1"],
    ["MAX(root.lines, qty)", "3"],
    ["MIN(root.lines, date)", "2023-01-01"],
    ["MAX(root.lines, date)", "2024-05-02"],
    ["MIN(root.lines, name)", "a"],
    ["COUNT(root.lines)", "4"],
    ["SUM(root.lines, amount * qty)", "0.8"],
    ["SUM(root.orders.lines, amount)", "7"],
    ["COUNT(root.orders.lines)", "3"],
    ["SUM(root.orders.lines.amount)", "7"],
    ["SUM(root.orders, lines.amount)", "7"],
    ["SUM(root.orders, 'lines.amount')", "7"],
    ["MAX(root.orders, lines.amount)", "4"],
    ["AVG(root.orders, lines.amount)", "2.33333333333333"],
    ["SUM(root.one, amount)", "5"],
    ["SUM(lines, amount)", "0.3"],
    ["SUM(root.none, amount)", "0"],
    ["COUNT(root.none)", "0"],
    ["AVG(root.none, amount)", ""],
    ["MAX(root.none, amount)", ""],
    ["SUM(root.lines, amount) * 2 | number('0.00')", "0.60"],
  ];
  for (const [expression, printed] of cases) {
    it(`${expression} is ${printed || "nothing"}`, () => {
      expect(value(expression, data)).to.equal(printed);
    });
  }

  it("works from any scope on any collection in scope", () => {
    const orders = { collectionId: "order", path: "root.orders" };
    const text =
      "{{ SUM(order.lines, amount) }}/{{ SUM(root.orders.lines, amount) }}";
    expect(printsEach([orders], text, data)).to.eql(["3/7", "4/7", "0/7"]);
  });
});
