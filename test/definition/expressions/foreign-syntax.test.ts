import { readFileSync } from "node:fs";
import { expect } from "chai";
import { describe, it } from "mocha";
import { FILTER_NAMES } from "../../../core/definition/expressions/filters.js";
import { problemsIn } from "./vocabulary.js";

const recorded = new URL(
  "../recorded/expressions-foreign.txt",
  import.meta.url,
);

describe("the hint for the syntax of another template language", () => {
  it("has expressions that are valid", () => {
    const results = readFileSync(recorded, "utf8").match(/^ {4}.*$/gm) ?? [];
    const hints = results.map((line) => line.replace(/ In: .*$/, ""));
    const expressions = new Set(
      hints.flatMap((hint) => hint.match(/(?<=[Ww]rite )\{\{[^}]+\}\}/g) ?? []),
    );
    expect(expressions.size).to.be.above(30);
    for (const expression of expressions) {
      const codes = problemsIn(expression).errors.map(({ code }) => code);
      expect(codes, expression).not.to.include("invalid_expression");
    }
  });

  it("names filters that exist, all of them", () => {
    const names = FILTER_NAMES.filter((name) =>
      problemsIn(`{{ root.x | ${name}: 1 }}`).errors[0]?.hint?.includes(
        `| ${name}(1)`,
      ),
    );
    expect(names).to.deep.equal(FILTER_NAMES);
  });

  it("is found in time that grows with the length of the text", () => {
    for (const part of ["{{ a ? ", "${a.", "{% ", "a && ", "'", "[[ a", "{d.a"])
      problemsIn(`${part.repeat(600)} }}`);
  });
});
