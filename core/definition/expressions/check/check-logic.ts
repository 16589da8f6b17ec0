import type { Logic, Operator, Rule } from "../../schema/data-schema.js";
import { listed } from "../compile/compile-logic.js";
import type { ScopeTypes } from "../scope-types.js";
import type { BindingReport } from "../types.js";
import { toDateValue } from "../values/dates.js";
import { toNumeric } from "../values/numbers.js";
import { isEmpty } from "../values/text.js";
import { checkSource } from "./check-expression.js";

const WITHOUT_VALUE: readonly Operator[] = [
  "null",
  "notNull",
  "empty",
  "notEmpty",
];
const BETWEEN: readonly Operator[] = ["between", "notBetween"];
const OF_LISTS: readonly Operator[] = [
  ...WITHOUT_VALUE,
  "contains",
  "doesNotContain",
];

/** Reports every problem of a condition. */
export function checkLogic(
  logic: Logic,
  types: ScopeTypes,
  report: BindingReport,
): void {
  checkRules(logic, types, report, "scope");
}

/** @param reach where paths of the rules start: at the scopes in a condition, at the element in a filter. */
export function checkRules(
  logic: Logic,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): void {
  for (const [index, part] of logic.rules.entries()) {
    const at = report.at(`.rules[${index}]`);
    if ("rules" in part) checkRules(part, types, at, reach);
    else checkRule(part, types, at, reach);
  }
}

function checkRule(
  rule: Rule,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): void {
  const takesLists = OF_LISTS.includes(rule.operator);
  const field = report.at(".field");
  checkSource(rule.field, types, field, { reach, takesLists });
  if (WITHOUT_VALUE.includes(rule.operator)) return;
  const value = report.at(".value");
  if (rule.valueSource === "field") {
    checkFieldValue(rule, types, value, reach);
  } else {
    checkLiteralValue(rule, value);
  }
}

function checkFieldValue(
  { value }: Rule,
  types: ScopeTypes,
  report: BindingReport,
  reach: "scope" | "item",
): void {
  if (typeof value === "string" && value.trim() !== "") {
    checkSource(value, types, report, { reach, takesLists: true });
  } else {
    invalid(
      report,
      'The value must be a path because valueSource is "field".',
      'Write a path, such as "root.limit".',
    );
  }
}

function checkLiteralValue(rule: Rule, report: BindingReport): void {
  const { operator, value } = rule;
  if (value === undefined) {
    return invalid(
      report,
      `The operator ${operator} needs a value to compare with.`,
    );
  }
  const isBetween = BETWEEN.includes(operator);
  if (isBetween && listed(value).length !== 2) {
    return invalid(
      report,
      `The operator ${operator} takes two values.`,
      "Write [low, high].",
    );
  }
  const isList = isBetween || operator === "in" || operator === "notIn";
  for (const each of isList ? listed(value) : [value]) {
    if (isEmpty(each) || isOfType(each, rule.type)) continue;
    invalid(report, `${JSON.stringify(each)} is not a ${rule.type}.`);
  }
}

function isOfType(value: unknown, type: Rule["type"]): boolean {
  if (type === "Number") return toNumeric(value) !== null;
  return type !== "Date" || toDateValue(value, "UTC") !== null;
}

function invalid(report: BindingReport, message: string, hint?: string): void {
  const code = "invalid_value";
  report.error({ code, message, ...(hint ? { hint } : {}) });
}
