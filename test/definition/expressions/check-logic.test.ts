import { expect } from "chai";
import {
  checkLogic,
  rootTypes,
} from "../../../core/definition/expressions/index.js";
import type { Rule } from "../../../core/definition/schema/data-schema.js";
import { OPEN, getProblems } from "./vocabulary.js";

const check = (...rules: Rule[]) =>
  getProblems((report) =>
    checkLogic({ combinator: "and", rules }, rootTypes(OPEN), report),
  );
const a = { field: "root.a" } as const;

describe("checking a condition", () => {
  it("accepts valid rules", () => {
    const { places } = check(
      { ...a, operator: "=", value: null },
      { ...a, operator: "null" },
      { ...a, operator: "between", value: [1, 2], type: "Number" },
      { ...a, operator: "in", value: "a, b" },
      { ...a, operator: "<", value: "root.b", valueSource: "field" },
      { ...a, operator: "<", value: "2024-01-01", type: "Date" },
    );
    expect(places).to.eql([]);
  });

  it("rejects values that do not match the operator or the type", () => {
    const { errors, places } = check(
      { ...a, operator: "=" },
      { ...a, operator: "between", value: [1] },
      { ...a, operator: ">", value: "many", type: "Number" },
      { ...a, operator: "in", value: "1, x", type: "Number" },
      { ...a, operator: "=", value: 5, valueSource: "field" },
      { ...a, operator: "<", value: "soon", type: "Date" },
    );
    const rules = [0, 1, 2, 3, 4, 5];
    expect(places).to.eql(rules.map((at) => `.rules[${at}].value`));
    expect(errors.every(({ code }) => code === "invalid_value")).to.equal(true);
  });

  it("covers nested logic and both sides of a rule", () => {
    const { places } = getProblems((report) => {
      const side = { operator: "=", valueSource: "field" } as const;
      const rules = [{ field: "nope.x", ...side, value: "no.x" }];
      const inner = { combinator: "or" as const, rules };
      const logic = { combinator: "and" as const, rules: [inner] };
      checkLogic(logic, rootTypes(OPEN), report);
    });
    expect(places).to.eql([
      ".rules[0].rules[0].field",
      ".rules[0].rules[0].value",
    ]);
  });
});
