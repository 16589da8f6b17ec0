import { expect } from "chai";
import {
  compileLogic,
  rootScope,
  rootTypes,
} from "../../../core/definition/expressions/index.js";
import type { Rule } from "../../../core/definition/schema/data-schema.js";
import { context, OPEN } from "./vocabulary.js";

const data = {
  n: "10",
  s: "Apple pie",
  tags: ["red", "blue"],
  day: "2024-05-01",
  time: "2024-05-01T18:00:00Z",
  zero: 0,
  no: false,
  empty: "",
  nothing: null,
};

function evaluateRule(rule: Rule): boolean {
  const logic = { combinator: "and" as const, rules: [rule] };
  const scope = rootScope(data, context());
  return compileLogic(logic, "$", rootTypes(OPEN))(scope);
}

// field, operator, value, does it hold
const cases: [
  string,
  Rule["operator"],
  Rule["value"],
  boolean,
  Rule["type"]?,
][] = [
  ["root.n", "=", 10, true],
  ["root.n", "=", "10.0", false],
  ["root.n", "=", "10.0", true, "Number"],
  ["root.n", "!=", 9, true],
  ["root.n", "<", 9, false],
  ["root.n", "<", "9", true, "String"],
  ["root.n", ">=", 10, true],
  ["root.zero", "<=", 0, true],
  ["root.nothing", "<=", 0, false],
  ["root.nothing", ">=", 0, false],
  ["root.nothing", "=", "", true],
  ["root.missing", "=", null, true],
  ["root.zero", "=", "", false],
  ["root.no", "=", false, true],
  ["root.no", "=", "false", true],
  ["root.s", "contains", "pie", true],
  ["root.s", "contains", "Pie", false],
  ["root.s", "doesNotContain", "x", true],
  ["root.tags", "contains", "red", true],
  ["root.tags", "contains", "re", false],
  ["root.nothing", "contains", "", false],
  ["root.s", "beginsWith", "App", true],
  ["root.s", "doesNotBeginWith", "App", false],
  ["root.s", "endsWith", "pie", true],
  ["root.s", "doesNotEndWith", "pie", false],
  ["root.n", "in", [1, 10], true],
  ["root.s", "in", "Apple pie, Plum pie", true],
  ["root.n", "notIn", "1, 2", true],
  ["root.n", "between", [10, 11], true],
  ["root.n", "between", "1,9", false],
  ["root.n", "notBetween", [1, 9], true],
  ["root.nothing", "between", [0, 9], false],
  ["root.day", "=", "2024-05-01", true, "Date"],
  ["root.time", "=", "2024-05-01", true, "Date"],
  ["root.time", "<=", "2024-05-01", true, "Date"],
  ["root.time", ">", "2024-05-01T17:00:00Z", true, "Date"],
  ["root.day", "between", ["2024-04-30", "2024-05-02"], true],
  ["root.nothing", "null", undefined, true],
  ["root.missing", "null", undefined, true],
  ["root.empty", "notNull", undefined, true],
  ["root.empty", "empty", undefined, true],
  ["root.zero", "notEmpty", undefined, true],
  ["LEN(root.s) + 1", "=", 10, true],
];

describe("a rule", () => {
  for (const [field, operator, value, expected, type] of cases) {
    const text = JSON.stringify(value) ?? "";
    const as = type ? ` as ${type}` : "";
    it(`is ${expected} for ${field} ${operator} ${text}${as}`, () => {
      const rule = { field, operator, value, ...(type ? { type } : {}) };
      expect(evaluateRule(rule)).to.equal(expected);
    });
  }
});
