import { expect } from "chai";
import { readError, problemsIn } from "./vocabulary.js";

const suggestWord = (expression: string) =>
  problemsIn(`{{ ${expression} }}`).errors[0]?.hint;

// Each expression, the code of its error and the column.
const cases: [string, string][] = [
  ["sum(root.a, b)", "unknown_function 1"],
  ["1 + FOO()", "unknown_function 5"],
  ["constructor()", "unknown_function 1"],
  ["toString()", "unknown_function 1"],
  ["ROUND()", "invalid_arguments 1"],
  ["ROUND(1, 2, 3)", "invalid_arguments 1"],
  ["TODAY(1)", "invalid_arguments 1"],
  ["DATE_ADD(a, 1, 'fortnight')", "invalid_arguments 1"],
  ["SUM()", "invalid_arguments 1"],
  ["SUM(1, a)", "invalid_arguments 1"],
  ["SUM(a, 'b c')", "invalid_expression 3"],
  ["COUNT(root.a, b)", "invalid_arguments 1"],
  ["root.a | uper", "unknown_filter 10"],
  ["root.a | toString", "unknown_filter 10"],
  ["root.a | truncate", "invalid_arguments 10"],
  ["root.a | upper('xx', 2)", "invalid_arguments 10"],
  ["root.a | number('abc')", "invalid_arguments 10"],
  ["root.a | number(99)", "invalid_arguments 10"],
  ["root.a | number('0', 'not a tag')", "invalid_arguments 10"],
  ["root.a | currency('EURO')", "invalid_arguments 10"],
  ["root.a | date('DD.MM.YYYY')", "invalid_arguments 10"],
  ["root.a | date('hello')", "invalid_arguments 10"],
  ["root.a | date('dd', 'de', 'Mars/Base')", "invalid_arguments 10"],
  ["root.a | mask(1)", "invalid_arguments 10"],
];

describe("checking calls", () => {
  for (const [expression, error] of cases) {
    it(`rejects ${expression}: ${error}`, () => {
      expect(readError(expression)).to.equal(error);
    });
  }

  it("suggests the intended name or the right syntax", () => {
    expect(suggestWord("sum(root.a, b)")).to.equal("Did you mean SUM?");
    expect(suggestWord("root.a | uper")).to.equal("Did you mean upper?");
    expect(suggestWord("ROUND()")).to.equal("Write ROUND(number, digits).");
    expect(suggestWord("x | truncate")).to.equal(
      'Write truncate(length, "…").',
    );
    expect(suggestWord("x | date('DD.MM.YYYY')")).to.include('"yyyy"');
    expect(suggestWord("x | foobarbaz")).to.match(
      /^The nearest names are \w+, \w+ and \w+\.$/,
    );
  });

  it("says how many arguments a function takes", () => {
    for (const [expression, message] of [
      ["LEN()", "LEN takes 1 argument, not 0."],
      ["ROUND(1, 2, 3)", "ROUND takes 1 to 2 arguments, not 3."],
      ["TODAY(1)", "TODAY takes 0 arguments, not 1."],
    ])
      expect(problemsIn(`{{ ${expression} }}`).errors[0]?.message).to.equal(
        message,
      );
  });

  it("finds every problem of an expression", () => {
    const text = "{{ FOO(nope.a) | bar(SUM(1)) }}";
    const codes = problemsIn(text).errors.map(({ code }) => code);
    expect(codes).to.eql([
      "unknown_filter",
      "unknown_function",
      "unknown_scope",
      "invalid_arguments",
    ]);
  });
});
