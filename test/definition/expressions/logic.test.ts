import { expect } from "chai";
import {
  compileLogic,
  rootScope,
  rootTypes,
} from "../../../core/definition/expressions/index.js";
import type { Logic } from "../../../core/definition/schema/data-schema.js";
import { context, OPEN } from "./vocabulary.js";

const missing: string[] = [];

const onMissing = (path: string) => missing.push(path);

function evaluate(logic: Logic): boolean {
  const scope = rootScope({ a: 1, b: 2 }, context({ onMissing }));
  return compileLogic(logic, "$", rootTypes(OPEN))(scope);
}

const yes = { field: "root.a", operator: "=", value: 1 } as const;
const no = { field: "b", operator: "=", value: 1 } as const;

describe("logic", () => {
  it("joins its rules with and or or", () => {
    expect(evaluate({ combinator: "and", rules: [yes, no] })).to.equal(false);
    expect(evaluate({ combinator: "or", rules: [yes, no] })).to.equal(true);
  });

  it("is negated by not", () => {
    expect(evaluate({ combinator: "and", not: true, rules: [no] })).to.equal(
      true,
    );
  });

  it("can be nested", () => {
    const inner: Logic = { combinator: "or", rules: [yes, no] };
    expect(evaluate({ combinator: "and", rules: [yes, inner] })).to.equal(true);
  });

  it("is true without rules", () => {
    expect(evaluate({ combinator: "or", rules: [] })).to.equal(true);
    expect(evaluate({ combinator: "and", not: true, rules: [] })).to.equal(
      true,
    );
  });

  it("compares two fields", () => {
    const rule = { field: "b", operator: ">", valueSource: "field" } as const;
    const rules = [{ ...rule, value: "root.a" }];
    expect(evaluate({ combinator: "and", rules })).to.equal(true);
  });

  it("does not report missing values", () => {
    const rules = [{ field: "root.none", operator: "=", value: 1 } as const];
    expect(evaluate({ combinator: "and", rules })).to.equal(false);
    expect(missing).to.eql([]);
  });
});
