import { expect } from "chai";
import { PlatenError } from "../../../core/plugin-api/index.js";
import { readError, problemsIn, value } from "./vocabulary.js";

// Each expression, and the column at which it is refused.
const cases: [string, number][] = [
  ["1 +", 4],
  ["+ * 2", 3],
  ["(1 + 2", 7],
  ["1 2", 3],
  ["root.a root.b", 8],
  ["root.", 6],
  ["root..a", 6],
  ['root["a"', 9],
  ["'open", 1],
  ["root.a | ", 9],
  ["root.a | 5", 10],
  ["1 < 2 < 3", 7],
  ["a ? b : c", 3],
  ["a = b = c", 7],
  ["a else b", 3],
  ["a if", 5],
  ["and b", 1],
  ["SUM(root.a", 11],
  ["SUM(root.a, )", 13],
  ["a; b", 2],
  ["root.a()", 7],
  ["x => x", 4],
  ["`a`", 1],
  ["#a", 1],
];

describe("an expression that does not parse", () => {
  for (const [expression, column] of cases) {
    it(`is rejected at column ${column}: ${expression}`, () => {
      expect(readError(expression)).to.equal(`invalid_expression ${column}`);
    });
  }

  it("is quoted with the column and a hint", () => {
    const [error] = problemsIn("Total: {{ root.a b }}").errors;
    expect(error).to.include({ expression: "root.a b", column: 8 });
    expect(error?.message).to.include('ends before "b"');
    expect(error?.hint).to.include("operator");
  });

  it("is rejected with the advice to put filters last", () => {
    const [error] = problemsIn(
      '{{ root.a | date("d") if root.b else "" }}',
    ).errors;
    expect(error?.hint).to.include("parentheses");
  });

  it("is rejected when it is empty or not closed", () => {
    expect(problemsIn("{{ }}").errors).to.have.length(1);
    expect(problemsIn("a {{ root.a").errors[0]?.message).to.include("closing");
  });

  it("fails with its place when it is compiled all the same", () => {
    expect(() => value("1 +")).to.throw(
      PlatenError,
      'A value is missing at the end. In "1 +", column 4.',
    );
  });

  it("does not hide the others of the same text", () => {
    expect(problemsIn("{{ 1 + }} {{ 2 2 }} {{ 3 }}").errors).to.have.length(2);
  });
});
